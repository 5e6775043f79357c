extension QuotedPrintable {
  /// The longest line, in octets without its end.
  private static let lineLimit = 76

  private static let digits = [UInt8](ascii: "0123456789ABCDEF")

  /// Text with LF line ends as quoted-printable, in lines of 76 octets at most.
  ///
  /// Also encoded is what some program on the way may change: blanks at the end of a line, `From ` at its beginning, a
  /// line of one dot.
  package static func encode(_ text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 8)
    let lines = [UInt8](text).split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if index > 0 { result.append(ASCII.lineFeed) }
      append(line, to: &result)
    }
    return result
  }

  /// The octet as `=XX`.
  package static func escaped(_ octet: UInt8) -> [UInt8] {
    [ASCII.equals, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
  }

  private static func append(_ line: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var length = 0
    for index in line.indices {
      let isLast = index == line.endIndex - 1
      var piece = piece(line[index...], isLast: isLast, startsLine: length == 0)
      if length + piece.count > lineLimit - (isLast ? 0 : 1) {
        result += [ASCII.equals, ASCII.lineFeed]
        length = 0
        piece = self.piece(line[index...], isLast: isLast, startsLine: true)
      }
      result += piece
      length += piece.count
    }
  }

  /// The first octet of what is left of a line.
  private static func piece(
    _ rest: ArraySlice<UInt8>,
    isLast: Bool,
    startsLine: Bool
  ) -> [UInt8] {
    let octet = rest[rest.startIndex]
    let isFine = isPlain(octet, isLast: isLast) && !(startsLine && isChangedOnTheWay(rest))
    return isFine ? [octet] : escaped(octet)
  }

  private static func isChangedOnTheWay(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "From ".utf8) || line.elementsEqual([ASCII.dot])
  }

  private static func isPlain(_ octet: UInt8, isLast: Bool) -> Bool {
    ASCII.isBlank(octet) ? !isLast : (0x21...0x7E).contains(octet) && octet != ASCII.equals
  }
}
