internal import Octets

/// A range of revisions: `10..20`, `10..`, `..20`, or `10` for that alone; `-10..` counts from the newest.
struct RevisionRange {
  let first: Int64?
  let last: Int64?

  /// The range a text means; nil where it means none.
  init?(_ text: [UInt8]) {
    let (low, high) = RangeText.bounds(of: text) ?? (text[...], text[...])
    guard let first = Self.bound(low), let last = Self.bound(high), first != nil || last != nil
    else { return nil }
    self.first = first
    self.last = last
  }

  /// A bound, or none where the text is empty; nil where it is no number.
  private static func bound(_ text: ArraySlice<UInt8>) -> Int64?? {
    guard !text.isEmpty else { return .some(nil) }
    let isNegative = text.first == ASCII.minus
    var cursor = Cursor([UInt8](isNegative ? text.dropFirst() : text))
    guard let number = cursor.decimal(), cursor.remaining.isEmpty else { return nil }
    let bound = Int64(clamping: number)
    return .some(isNegative ? -bound : bound)
  }
}
