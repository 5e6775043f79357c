internal import Octets

/// The first words of a text that its author wrote himself.
enum Snippet {
  /// About how many octets it has.
  static let length = 120

  /// The snippet of a text (UTF-8), in one line: no quotes, no line that announces one, no signature.
  static func of(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text.prefix(20_000)
    while !rest.isEmpty, result.count < length {
      let line = rest.prefix { $0 != ASCII.lineFeed }
      rest = rest[line.endIndex...].dropFirst()
      if line.elementsEqual([UInt8](ascii: "-- ")) { break }
      if isQuote(line) || isAnnouncement(line, before: rest) { continue }
      for word in line.split(whereSeparator: { $0 <= ASCII.space }) where result.count < length {
        if !result.isEmpty { result.append(ASCII.space) }
        result += word
      }
    }
    return cut(result, to: length + 40)
  }

  private static func isQuote(_ line: ArraySlice<UInt8>) -> Bool {
    let first = line.first { $0 > ASCII.space }
    return first == ASCII.greaterThan || first == 0x7C
  }

  /// `On Monday Alice wrote:` and its like: a line that ends in a colon before a quote.
  private static func isAnnouncement(
    _ line: ArraySlice<UInt8>,
    before rest: ArraySlice<UInt8>
  ) -> Bool {
    guard line.last(where: { $0 > ASCII.space }) == ASCII.colon else { return false }
    return rest.first { $0 > ASCII.space } == ASCII.greaterThan
  }

  /// A text (UTF-8) of so many octets at most, with no character in halves.
  static func cut(_ text: [UInt8], to limit: Int) -> [UInt8] {
    guard text.count > limit else { return text }
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(text[..<end])
  }
}
