internal import Octets

/// A range of revisions: `10..20`, `10..`, `..20`, or `10` for that alone.
struct RevisionRange {
  let first: UInt64?
  let last: UInt64?

  /// The range a text means; nil where it means none.
  init?(_ text: [UInt8]) {
    let (low, high) = RangeText.bounds(of: text) ?? (text[...], text[...])
    guard let first = Self.bound(low), let last = Self.bound(high), first != nil || last != nil
    else { return nil }
    self.first = first
    self.last = last
  }

  /// A bound, or none where the text is empty; nil where it is no number.
  private static func bound(_ text: ArraySlice<UInt8>) -> UInt64?? {
    guard !text.isEmpty else { return .some(nil) }
    var cursor = Cursor([UInt8](text))
    guard let number = cursor.decimal(), cursor.remaining.isEmpty else { return nil }
    return .some(number)
  }
}
