internal import Octets

/// A line of text with marks under what is wrong with it.
package enum MarkedExcerpt {
  /// How much of a long line is shown before and behind.
  private static let context = 50

  /// Two lines: the text around the place, a range of its octets, and the marks.
  package static func lines(_ text: String, _ place: Range<Int>) -> [String] {
    let octets = Array(text.utf8)
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
