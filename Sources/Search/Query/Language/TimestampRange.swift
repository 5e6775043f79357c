internal import Octets

/// Moments as notmuch once wrote ranges of dates: `1640995200..1672531199`.
enum TimestampRange {
  /// Fewer digits are more likely numbers that people look for.
  private static let digits = 9

  /// The range that a word is; nil for any other word.
  static func of(_ text: [UInt8]) -> DateRange? {
    guard let (low, high) = RangeText.bounds(of: text), !low.isEmpty, !high.isEmpty,
      low.allSatisfy(ASCII.isDigit), high.allSatisfy(ASCII.isDigit),
      max(low.count, high.count) >= digits,
      let first = Int64(String(decoding: low, as: UTF8.self)),
      let last = Int64(String(decoding: high, as: UTF8.self))
    else { return nil }
    return DateRange(first: first, last: last)
  }
}
