internal import Octets
internal import SyncPlan

/// The log of a mailbox as text: a line a record, each behind its own checksum.
///
/// What a crash tears off the end is cut; what is damaged before a `durable` record, which says that
/// everything above it had reached the disk, makes the whole log untrusted. A whole line of an unknown kind was written
/// by a newer version, and is never taken for damage.
enum LogFile {
  /// What a log holds.
  struct Contents: Hashable {
    /// The generation of the map that the records follow; nil when not even the first line is whole.
    var generation: UInt64?
    var records: [StateRecord]
    /// How many octets from the start are whole lines; the rest was never finished.
    var validLength: Int
  }

  /// Version 5 has records of partial messages.
  private static let title = TextFile.Title("log", version: 4, newest: 5)
  private static let durable = encode(.durable)

  /// The first line of a log.
  static func encodeTitle(generation: UInt64, holdsPartials: Bool) -> [UInt8] {
    sealed(title.octets(isNewest: holdsPartials) + [ASCII.space] + [UInt8](decimal: generation))
  }

  /// The line of a record.
  static func encode(_ record: StateRecord) -> [UInt8] {
    sealed(RecordCodec.encode(record))
  }

  /// The records of a log, without what was torn off its end.
  ///
  /// - Throws: `StateError` when the damage is older than the last flush.
  static func decode(_ octets: [UInt8]) throws(StateError) -> Contents {
    var contents = Contents(records: [], validLength: 0)
    var damagedLine: Int?
    var number = 0
    var start = 0
    while let end = octets[start...].firstIndex(of: ASCII.lineFeed) {
      number += 1
      let line = octets[start...end]
      if damagedLine == nil, let text = unsealed(line) {
        try readLine(text, number, &contents)
        contents.validLength = end + 1
      } else {
        damagedLine = damagedLine ?? number
        // Also where the line end before it is what was damaged.
        if line.suffix(durable.count).elementsEqual(durable) {
          throw StateError(line: damagedLine, problem: .checksum)
        }
      }
      start = end + 1
    }
    return contents
  }

  private static func readLine(
    _ line: ArraySlice<UInt8>,
    _ number: Int,
    _ contents: inout Contents
  ) throws(StateError) {
    if number == 1 {
      contents.generation = try generation(line)
    } else if let record = RecordCodec.decode(line) {
      contents.records.append(record)
    } else {
      throw StateError(line: number, problem: .newerVersion)
    }
  }

  private static func generation(_ line: ArraySlice<UInt8>) throws(StateError) -> UInt64 {
    let words = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
    guard words.count == 3, let last = words.last else {
      throw StateError(line: 1, problem: .wrongKind)
    }
    let kind = line[..<(last.startIndex - 1)]
    if let problem = title.problem(of: kind) { throw StateError(line: 1, problem: problem) }
    var reader = LineReader(last)
    guard let generation = reader.number(UInt64.self), reader.isAtEnd else {
      throw StateError(line: 1, problem: .badRecord)
    }
    return generation
  }

  private static func sealed(_ line: [UInt8]) -> [UInt8] {
    TextFile.checksum(line) + [ASCII.space] + line + [ASCII.lineFeed]
  }

  private static func unsealed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let text = line.dropFirst(9).dropLast()
    guard line.prefix(9).elementsEqual(TextFile.checksum(text) + [ASCII.space]) else { return nil }
    return text
  }
}
