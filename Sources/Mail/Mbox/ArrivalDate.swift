internal import MIME
internal import Octets

/// When a message arrived, as far as it and its source tell.
package enum ArrivalDate {
  /// Before that no mail was dated: 1980.
  private static let earliest: Int64 = 315_532_800
  /// Clocks may be ahead by a day.
  private static let tolerance: Int64 = 86_400

  /// The moment in the topmost Received, else that of the separator, else Date, else that of the source; one that cannot be is
  /// skipped.
  ///
  /// - Parameters:
  ///   - header: the header of the message.
  ///   - separator: what the separator before it says.
  ///   - source: when the source was last changed.
  ///   - now: the present.
  /// - Returns: seconds since 1970; the present where none of them can be.
  package static func date(
    _ header: [UInt8],
    separator: Int64?,
    source: Int64?,
    now: Int64
  ) -> Int64 {
    let isPossible = { (moment: Int64) in moment >= earliest && moment <= now + tolerance }
    let lines = HeaderLines(header)
    if let received = lines.value("Received").flatMap({ self.received($0) }), isPossible(received) {
      return min(received, now)
    }
    if let separator, isPossible(separator) { return min(separator, now) }
    let written = lines.value("Date").flatMap { MessageDate(unfolded($0))?.seconds }
    if let written, isPossible(written) { return min(written, now) }
    if let source, isPossible(source) { return min(source, now) }
    return now
  }

  /// The moment behind the last semicolon (RFC 5321 §4.4).
  private static func received(_ value: ArraySlice<UInt8>) -> Int64? {
    guard let semicolon = value.lastIndex(of: ASCII.semicolon) else { return nil }
    return MessageDate(unfolded(value[(semicolon + 1)...]))?.seconds
  }

  private static func unfolded(_ value: ArraySlice<UInt8>) -> [UInt8] {
    value.map { $0 < ASCII.space ? ASCII.space : $0 }
  }
}
