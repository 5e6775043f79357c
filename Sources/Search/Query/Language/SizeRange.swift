internal import Octets

/// A range of sizes as people write it: `10k..2M`, `1M..`, `..500k`.
struct SizeRange {
  let first: UInt64?
  let last: UInt64?

  /// The range a text means; nil where it means none.
  init?(_ text: [UInt8]) {
    guard let (low, high) = RangeText.bounds(of: text) else { return nil }
    guard let first = Self.bound(low), let last = Self.bound(high) else { return nil }
    self.first = first
    self.last = last
  }

  /// A bound, or none where the text is empty; nil where it is no number.
  private static func bound(_ text: ArraySlice<UInt8>) -> UInt64?? {
    guard !text.isEmpty else { return .some(nil) }
    var cursor = Cursor([UInt8](text))
    guard let number = cursor.decimal() else { return nil }
    let unit = cursor.remaining.map { ASCII.lowercased($0) }
    let factors: [[UInt8]: UInt64] = [
      []: 1, [0x62]: 1, [0x6B]: 1024, [0x6D]: 1024 * 1024, [0x67]: 1024 * 1024 * 1024,
    ]
    let bare = unit.count > 1 && unit.last == 0x62 ? Array(unit.dropLast()) : unit
    guard let factor = factors[bare] else { return nil }
    let (size, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return .some(isTooLarge ? .max : size)
  }
}
