internal import Octets

/// Text as quoted-printable (RFC 2045 §6.7), lines ended by LF.
enum QuotedText {
  private static let digits = [UInt8](ascii: "0123456789ABCDEF")

  /// The longest line, in octets without its end.
  private static let lineLimit = 76

  static func encode(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 8)
    for (index, line) in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { result.append(ASCII.lineFeed) }
      append(line, to: &result)
    }
    return result
  }

  private static func append(_ line: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var length = 0
    for index in line.indices {
      let isLast = index == line.endIndex - 1
      let piece = encode(line[index], isLast: isLast)
      if length + piece.count > lineLimit - (isLast ? 0 : 1) {
        result += [ASCII.equals, ASCII.lineFeed]
        length = 0
      }
      result += piece
      length += piece.count
    }
  }

  /// Text that is quoted-printable already, with its long lines broken as it may be, and CR and NUL written out.
  static func fitted(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var length = 0
    var rest = text[...]
    while let octet = rest.first {
      let isEscape =
        octet == ASCII.equals && rest.count > 2 && rest.dropFirst().first != ASCII.lineFeed
      var piece = [UInt8](rest.prefix(isEscape ? 3 : 1))
      rest = rest.dropFirst(piece.count)
      if octet == ASCII.carriageReturn || octet == ASCII.null {
        piece = encode(octet, isLast: true)
      }
      // The mark that breaks the line needs room, too.
      if octet != ASCII.lineFeed, length + piece.count >= BodyLines.limit {
        result += [ASCII.equals, ASCII.lineFeed]
        length = 0
      }
      result += piece
      length = octet == ASCII.lineFeed ? 0 : length + piece.count
    }
    return result
  }

  /// An octet; blanks at the end of a line are lost on the way unless they are written out.
  private static func encode(_ octet: UInt8, isLast: Bool) -> [UInt8] {
    let isBlank = ASCII.isBlank(octet)
    let isPlain = (0x21...0x7E).contains(octet) && octet != ASCII.equals
    if isPlain || isBlank && !isLast { return [octet] }
    return [ASCII.equals, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
  }
}
