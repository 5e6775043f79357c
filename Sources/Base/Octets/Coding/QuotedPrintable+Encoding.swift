extension QuotedPrintable {
  private static let digits = [UInt8](ascii: "0123456789ABCDEF")

  /// Text with LF line ends as quoted-printable, in lines of 76 octets at most; see `QuotedPrintableEncoder`.
  package static func encode(_ text: [UInt8]) -> [UInt8] {
    QuotedPrintableEncoder().converted(text)
  }

  /// The octet as `=XX`.
  package static func escaped(_ octet: UInt8) -> [UInt8] {
    [ASCII.equals, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
  }
}

/// Makes text with LF line ends quoted-printable (RFC 2045 §6.7), in lines of 76 octets at most.
///
/// Also encoded is what some program on the way may change: blanks at the end of a line, `From ` at its beginning, a
/// line of one dot.
package struct QuotedPrintableEncoder: OctetConverter {
  /// The longest line, in octets without its end.
  private static let lineLimit = 76

  /// How many octets decide how the first of them is written.
  private static let mark = [UInt8](ascii: "From ")

  /// How long the line is that is being written.
  private var length = 0

  /// What cannot be written before what follows is known.
  private var rest: [UInt8] = []

  /// An encoder at the beginning of a text.
  package init() {}

  /// The next octets as quoted-printable; see `OctetConverter`.
  package mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    let text = rest + octets
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 8)
    var index = 0
    while index < text.count {
      let window = text[index..<min(text.count, index + Self.mark.count)]
      let end = window.firstIndex(of: ASCII.lineFeed)
      guard isEnd || end != nil || window.count == Self.mark.count else { break }
      if end == index {
        result.append(ASCII.lineFeed)
        length = 0
      } else {
        let line = window[..<(end ?? window.endIndex)]
        write(line, isLast: line.count == 1 && (end != nil || index + 1 == text.count), to: &result)
      }
      index += 1
    }
    rest = [UInt8](text[index...])
    return result
  }

  /// Writes the first of the octets that come next in a line.
  private mutating func write(_ line: ArraySlice<UInt8>, isLast: Bool, to result: inout [UInt8]) {
    let octet = line[line.startIndex]
    let room = Self.lineLimit - (isLast ? 0 : 1) - length
    if room < 3, room < 1 || !isPlain(line, isLast) {
      result += [ASCII.equals, ASCII.lineFeed]
      length = 0
    }
    if isPlain(line, isLast) {
      result.append(octet)
      length += 1
    } else {
      result += QuotedPrintable.escaped(octet)
      length += 3
    }
  }

  /// Whether the first of the octets can be written as it is.
  private func isPlain(_ line: ArraySlice<UInt8>, _ isLast: Bool) -> Bool {
    let octet = line[line.startIndex]
    if length == 0, line == Self.mark[...] || isLast && octet == ASCII.dot { return false }
    return ASCII.isBlank(octet) ? !isLast : (0x21...0x7E).contains(octet) && octet != ASCII.equals
  }
}
