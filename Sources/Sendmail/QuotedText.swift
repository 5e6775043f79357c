internal import Octets

/// Text that is quoted-printable (RFC 2045 §6.7), lines ended by LF.
enum QuotedText {
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
        piece = QuotedPrintable.escaped(octet)
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
}
