internal import Octets
internal import SyncPlan

/// The log of a mailbox as text: a line a record, each behind its own checksum.
///
/// What a crash tears off the end is cut; what is damaged before a `durable` record, which says that
/// everything above it had reached the disk, makes the whole log untrusted.
enum LogFile {
  /// What a log holds.
  struct Contents: Hashable {
    /// The generation of the map that the records follow; nil when not even the first line is whole.
    var generation: UInt64?
    var records: [StateRecord]
    /// How many octets from the start are whole lines; the rest was never finished.
    var validLength: Int
  }

  private static let title = Array("log 1 ".utf8)
  private static let durable = encode(.durable)

  /// The first line of a log.
  static func encodeTitle(generation: UInt64) -> [UInt8] {
    sealed(title + [UInt8](decimal: generation))
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
      if damagedLine == nil, let record = unsealed(line), take(record, number, &contents) {
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

  private static func take(
    _ line: ArraySlice<UInt8>,
    _ number: Int,
    _ contents: inout Contents
  ) -> Bool {
    if number == 1 {
      guard line.starts(with: title) else { return false }
      var reader = LineReader(line.dropFirst(title.count))
      contents.generation = reader.number(UInt64.self)
      return contents.generation != nil && reader.isAtEnd
    }
    guard let record = RecordCodec.decode(line) else { return false }
    contents.records.append(record)
    return true
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
