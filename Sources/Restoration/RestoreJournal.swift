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
  private var records: RestoreRecords
  /// Of which mailbox the last line in the file speaks; nil before the first one of this run.
  private var current: (name: MailboxName, validity: UInt32)?
  private(set) var mailbox = RestoreRecords.Mailbox()
  private var file: Writer?

  /// A descriptor in a place that can be empty.
  private final class Writer {
    private let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    func write(_ octets: [UInt8], isDurable: Bool) throws(SystemError) {
      try descriptor.write(all: octets)
      if isDurable { try descriptor.synchroniseData() }
    }
  }

  /// Reads the file of an account; a dry run only reads.
  ///
  /// - Throws: `locked` where another restore is under way.
  init(_ memory: Path, isReadOnly: Bool) throws(SyncFailure) {
    self.isReadOnly = isReadOnly
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
    let octets = try attempt { () throws(SystemError) in
      try FileSystem.readFile(path, limit: Self.sizeLimit)
    }
    records = RestoreRecords(octets: octets ?? [])
    guard !isReadOnly else { return }
    try open(octets ?? [])
  }

  /// A file of another kind is begun anew; behind what a killed run left half written comes a line end.
  private func open(_ octets: [UInt8]) throws(SyncFailure) {
    let isKnown = octets.starts(with: RestoreRecords.title)
    file = try attempt { () throws(SystemError) in
      let file = Writer(try Descriptor.open(path, isKnown ? .append : .truncate))
      try FileSystem.synchroniseDirectory(path.parent)
      return file
    }
    if !isKnown {
      try write(RestoreRecords.title)
    } else if octets.last != 0x0A {
      try write([0x0A])
    }
  }

  /// From now on it is about this mailbox.
  func turn(to name: MailboxName, _ validity: UInt32) throws(SyncFailure) {
    if let current {
      guard current != (name, validity) else { return }
      records[current.name, current.validity] = mailbox
    }
    mailbox = records.take(name, validity)
    current = (name, validity)
    try write(RestoreRecords.opening(name, validity))
  }

  /// Records something of the mailbox; durable when it returns where that is asked for.
  ///
  /// What was found out need not be: it is found out again.
  func note(_ lines: [RestoreRecords.Line], isDurable: Bool = false) throws(SyncFailure) {
    guard !lines.isEmpty else { return }
    for line in lines { mailbox.take(line) }
    try write(lines.flatMap(\.octets), isDurable: isDurable)
  }

  private func write(_ octets: [UInt8], isDurable: Bool = false) throws(SyncFailure) {
    guard !isReadOnly else { return }
    try attempt { () throws(SystemError) in try file?.write(octets, isDurable: isDurable) }
  }

  /// Lets other restores in.
  func close() {
    file = nil
    lock?.release()
  }
}
