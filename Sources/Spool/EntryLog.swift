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

  /// Adds facts that were noted together; durable on return.
  package func append(_ facts: LogFact..., now: Int64) throws(SpoolError) {
    try append(facts, now: now)
  }

  /// Adds facts that were noted together; durable on return.
  package func append(_ facts: [LogFact], now: Int64) throws(SpoolError) {
    guard !facts.isEmpty else { return }
    try append(facts.map { LogRecord($0, at: now) })
  }

  /// Adds records of what happened before; durable on return.
  func append(_ added: [LogRecord]) throws(SpoolError) {
    guard !added.isEmpty else { return }
    let path = spool.logs.appending(id.octets)
    let isDurable = isDurable
    // It is made where it is missing: without it the directory is gone.
    guard let descriptor = try SpoolFile.open(path, .append) else { throw .noEntry(id) }
    try Spool.system { () throws(SystemError) in
      try Self.write(added.flatMap(\.line), to: descriptor)
      if !isDurable { try FileSystem.synchroniseDirectory(spool.logs) }
    }
    self.isDurable = true
    records += added
  }

  /// Half a line that cannot be completed is taken back, so that the next one can be read.
  private static func write(
    _ line: [UInt8],
    to file: borrowing Descriptor
  ) throws(SystemError) {
    let size = try file.status().size
    do throws(SystemError) {
      try file.write(all: line)
      try file.synchroniseData()
    } catch {
      try? file.truncate(to: size)
      throw error
    }
  }
}
