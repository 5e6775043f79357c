internal import Octets
internal import Terminal

/// A query with marks under what is wrong with it.
enum QueryExcerpt {
  /// How much of a long query is shown before and behind.
  private static let context = 50

  static func lines(_ query: String, _ place: Range<Int>) -> [String] {
    let octets = Array(query.utf8)
    var start = max(0, place.lowerBound - context)
    while start > 0, octets[start] & 0xC0 == 0x80 { start -= 1 }
    let end = min(octets.count, place.upperBound + context)
    let before = Printable.text(octets[start..<min(place.lowerBound, octets.count)])
    let line = before + Printable.text(octets[min(place.lowerBound, octets.count)..<end])
    let marked = Printable.text(
      octets[min(place.lowerBound, octets.count)..<min(place.upperBound, octets.count)]
    )
    let indent = String(repeating: " ", count: DisplayWidth.columns(of: before))
    let marks = String(repeating: "^", count: max(1, DisplayWidth.columns(of: marked)))
    return ["  \(line)", "  \(indent)\(marks)"]
  }
}
