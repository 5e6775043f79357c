internal import Octets
internal import Platform
package import SpoolPlan

/// The log of an entry, open for more.
package final class EntryLog {
  /// All records so far.
  package private(set) var records: [LogRecord]

  private let id: EntryID
  private let spool: Spool

  /// Whether the name of the file is sure to last; a crash may have come before it was.
  private var isDurable = false

  /// The length of the file before it was written to last, and how many records were added then.
  private var lengthBefore: Int64 = 0
  private var recordsAdded = 0

  /// The file, while a message is being offered: nothing may keep the answer from being written.
  private var file: Descriptor?

  /// Reads the log, and cuts off what a crash left of its last line.
  init(_ id: EntryID, _ spool: Spool) throws(SpoolError) {
    self.id = id
    self.spool = spool
    let path = spool.logs.appending(id.octets)
    let octets = try SpoolFile.read(path, limit: Spool.logLimit)
    do throws(LogError) {
      records = try LogRecord.parse(octets ?? [])
    } catch {
      throw .log(id, error)
    }
    guard let octets else { return }
    let length = LogRecord.wholeLength(of: octets)
    guard length < octets.count else { return }
    guard let descriptor = try SpoolFile.open(path, .append) else { return }
    try Spool.system { () throws(SystemError) in
      try descriptor.truncate(to: Int64(length))
      try descriptor.synchronise()
    }
  }

  /// Tells that the name of the file is sure to last (``Spool/prepareLogs(of:)``).
  package func knowLastingName() { isDurable = true }

  /// Adds facts that were noted together; durable on return.
  package func append(_ facts: LogFact..., now: Int64) throws(SpoolError) {
    try append(facts, now: now)
  }

  /// Adds facts that were noted together; durable on return.
  package func append(_ facts: [LogFact], now: Int64) throws(SpoolError) {
    guard !facts.isEmpty else { return }
    try append(facts.map { LogRecord($0, at: now) })
  }

  /// Adds what a server answered; durable on return.
  ///
  /// Where it cannot be made durable it is kept all the same, as far as the system keeps it: else what a server has taken would be
  /// sent once more. Room for it was made with ``LogFact/sending``.
  package func append(answers facts: [LogFact], now: Int64) throws(SpoolError) {
    guard !facts.isEmpty else { return }
    try append(facts.map { LogRecord($0, at: now) }, staysUnsynchronised: true)
  }

  /// Adds facts to several logs; durable on return, all of them by one wait where the system can.
  ///
  /// Where a fact about a message that is about to be sent cannot be made durable, that is taken back of all.
  ///
  /// - Parameters:
  ///   - added: the logs, and the facts for each.
  ///   - now: the time, in seconds since 1970.
  ///   - areAnswers: whether they are what a server answered; see ``append(answers:now:)``.
  /// - Throws: `SpoolError`, the first one, after all were tried.
  package static func append(
    _ added: [(log: EntryLog, facts: [LogFact])],
    now: Int64,
    areAnswers: Bool = false
  ) throws(SpoolError) {
    var failure: SpoolError?
    var written: [EntryLog] = []
    for (log, facts) in added where !facts.isEmpty {
      do throws(SpoolError) {
        try log.write(facts.map { LogRecord($0, at: now) })
        written.append(log)
      } catch {
        failure = failure ?? error
        guard areAnswers else { break }
      }
    }
    for log in written {
      do throws(SpoolError) {
        try log.synchronise()
      } catch {
        failure = failure ?? error
      }
    }
    guard let failure else { return }
    if !areAnswers { for log in written { log.takeBack() } }
    throw failure
  }

  /// Adds records, and has the system begin to write them; they are not durable yet.
  private func write(_ added: [LogRecord]) throws(SpoolError) {
    let lines = added.flatMap(\.line)
    let isSending = added.contains(where: \.fact.isSending)
    let descriptor = try takeFile()
    try Spool.system { () throws(SystemError) in
      if isSending { try descriptor.reserve(Self.room(for: lines)) }
      lengthBefore = try descriptor.status().size
      do throws(SystemError) {
        try descriptor.write(all: lines)
      } catch {
        try? descriptor.truncate(to: lengthBefore)
        throw error
      }
    }
    descriptor.beginWriteback()
    file = consume descriptor
    records += added
    recordsAdded = added.count
  }

  private func synchronise() throws(SpoolError) {
    guard let descriptor = file.take() else { return }
    let isDurable = isDurable
    let result = Result { () throws(SystemError) in
      try descriptor.synchroniseData()
      if !isDurable { try FileSystem.synchroniseDirectory(spool.logs) }
    }
    file = consume descriptor
    do throws(SystemError) {
      try result.get()
    } catch {
      throw .system(error)
    }
    self.isDurable = true
  }

  /// Takes back what was written last.
  private func takeBack() {
    guard let descriptor = file.take() else { return }
    try? descriptor.truncate(to: lengthBefore)
    try? descriptor.synchroniseData()
    records.removeLast(recordsAdded)
  }

  /// How many octets there has to be room for before a message is offered: the line that says so, and answers that name the
  /// same recipients in several lines.
  private static func room(for line: [UInt8]) -> Int64 { Int64(line.count) * 4 + 8 << 10 }

  /// Adds records of what happened before; durable on return.
  func append(_ added: [LogRecord], staysUnsynchronised: Bool = false) throws(SpoolError) {
    guard !added.isEmpty else { return }
    let isDurable = isDurable
    let isSending = added.contains(where: \.fact.isSending)
    let lines = added.flatMap(\.line)
    let descriptor = try takeFile()
    try Spool.system { () throws(SystemError) in
      if isSending { try descriptor.reserve(Self.room(for: lines)) }
      try Self.write(lines, to: descriptor, staysUnsynchronised)
      if !isDurable { try FileSystem.synchroniseDirectory(spool.logs) }
    }
    if isSending { file = consume descriptor }
    self.isDurable = true
    records += added
  }

  /// The file that is open, or opened now; it is made where it is missing: without it the directory is gone.
  private func takeFile() throws(SpoolError) -> Descriptor {
    if let file = file.take() { return file }
    guard let opened = try SpoolFile.open(spool.logs.appending(id.octets), .append) else {
      throw .noEntry(id)
    }
    return opened
  }

  /// Half a line that cannot be completed is taken back, so that the next one can be read.
  private static func write(
    _ line: [UInt8],
    to file: borrowing Descriptor,
    _ staysUnsynchronised: Bool
  ) throws(SystemError) {
    let size = try file.status().size
    var isWritten = false
    do throws(SystemError) {
      try file.write(all: line)
      isWritten = true
      try file.synchroniseData()
    } catch {
      if !isWritten || !staysUnsynchronised { try? file.truncate(to: size) }
      throw error
    }
  }
}

extension LogFact {
  /// Whether a message is about to be offered to a server.
  fileprivate var isSending: Bool {
    if case .sending = self { true } else { false }
  }
}
