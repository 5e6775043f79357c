internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan
internal import Transport

/// What is recorded of restores into the mailboxes of an account, on disk: the file `restored` in the account's directory of
/// the state home.
///
/// Its lock is that of restores: one at a time for an account.
final class RestoreJournal {
  private static let sizeLimit = 4 << 30

  private let path: Path
  private let lock: FileLock?
  private let isReadOnly: Bool
  /// Whose mailboxes it is about.
  private let origin: [UInt8]
  /// Why nothing more is written: what is in the file may end in the midst of a line.
  private var failure: SystemError?
  private var records = RestoreRecords()
  /// Of which mailbox the last lines in the file speak, and where they begin with that; nil before the first one of this run.
  private var current: (name: MailboxName, validity: UInt32, start: Int)?
  /// What is recorded of that mailbox.
  private(set) var mailbox = RestoreRecords.Mailbox()
  /// What older versions recorded of it, or of a mailbox of the same name and UIDVALIDITY of another user or server.
  private(set) var unnamed = RestoreRecords.Mailbox()
  private var file: Writer?
  /// The length of the file.
  private var length = 0

  /// A descriptor in a place that can be empty.
  private final class Writer {
    private let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    func write(_ octets: [UInt8], isDurable: Bool) throws(SystemError) {
      try descriptor.write(all: octets)
      if isDurable { try descriptor.synchroniseData() }
    }
  }

  /// Reads the file of an account, as far as it is about that user and server; a dry run only reads.
  ///
  /// - Throws: `locked` where another restore is under way.
  init(_ memory: Path, of origin: [UInt8], isReadOnly: Bool) throws(SyncFailure) {
    self.isReadOnly = isReadOnly
    self.origin = origin
    path = memory.appending("restored")
    let path = path
    if isReadOnly {
      lock = nil
    } else {
      let outcome = try attempt { () throws(SystemError) in
        try FileSystem.makeDirectories(memory)
        return try FileLock.acquire(path)
      }
      switch outcome {
      case .acquired(let lock): self.lock = lock
      case .heldByOther: throw .locked(path)
      case .unsupported: throw .lockUnsupported(path)
      }
    }
    try read()
  }

  /// Reads which mailboxes the file speaks of.
  ///
  /// A file of another kind is begun anew; behind what a killed run left half written comes a line end.
  private func read() throws(SyncFailure) {
    let octets = try contents()
    length = octets.count
    records = RestoreRecords(octets: octets, of: origin)
    guard !isReadOnly else { return }
    let isKnown = octets.starts(with: RestoreRecords.title)
    file = try attempt { () throws(SystemError) in
      let file = Writer(try Descriptor.open(path, isKnown ? .append : .truncate))
      try FileSystem.synchroniseDirectory(path.parent)
      return file
    }
    if !isKnown {
      length = 0
      try write(RestoreRecords.title)
    } else if octets.last != 0x0A {
      try write([0x0A])
    }
    if !records.endsAtOrigin { try write(RestoreRecords.origin(origin)) }
  }

  private func contents() throws(SyncFailure) -> [UInt8] {
    try attempt(FileSystem.readFile(path, limit: Self.sizeLimit) ?? [])
  }

  /// From now on it is about this mailbox, of which is read what is recorded.
  func turn(to name: MailboxName, _ validity: UInt32) throws(SyncFailure) {
    if let current {
      guard (current.name, current.validity) != (name, validity) else { return }
      records.add(current.start..<length, of: current.name, current.validity)
    }
    let sections = records.sections(of: name, validity)
    mailbox = try read(sections)
    unnamed = try read(records.unnamedSections(of: name, validity))
    // What was begun is looked for on the server, and only what was sent is taken for it: that needs no proof.
    let open = sections.isEmpty ? unnamed.open : []
    let begun = open.map { RestoreRecords.Line.begun($0.digest, uidNext: $0.uidNext) }
    for line in begun { mailbox.applyLine(line) }
    let start = length
    try write(RestoreRecords.opening(name, validity) + begun.flatMap(\.octets))
    current = (name, validity, start)
  }

  private func read(_ sections: [Range<Int>]) throws(SyncFailure) -> RestoreRecords.Mailbox {
    var mailbox = RestoreRecords.Mailbox()
    guard !sections.isEmpty else { return mailbox }
    let octets = try contents()
    for section in sections where section.upperBound <= octets.count {
      mailbox.apply(section: octets[section])
    }
    return mailbox
  }

  /// Records something of the mailbox; durable when it returns where that is asked for.
  ///
  /// What was found out need not be: it is found out again.
  func recordLines(_ lines: [RestoreRecords.Line], isDurable: Bool = false) throws(SyncFailure) {
    guard !lines.isEmpty else { return }
    for line in lines { mailbox.applyLine(line) }
    try write(lines.flatMap(\.octets), isDurable: isDurable)
  }

  private func write(_ octets: [UInt8], isDurable: Bool = false) throws(SyncFailure) {
    guard !isReadOnly else { return }
    if let failure { throw .system(failure) }
    do throws(SystemError) {
      try file?.write(octets, isDurable: isDurable)
    } catch {
      failure = error
      throw .system(error)
    }
    length += octets.count
  }

  /// Lets other restores in.
  func close() {
    file = nil
    lock?.release()
  }
}
