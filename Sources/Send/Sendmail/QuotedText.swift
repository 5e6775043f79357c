internal import Octets

/// Makes text that is quoted-printable already (RFC 2045 §6.7), lines ended by LF, such that it can be sent: its long lines
/// are broken as they may be, and CR and NUL written out.
struct QuotedTextFitter: OctetConverter {
  /// How many octets an escape has.
  private static let escapeLength = 3

  /// How long the line is that is being written.
  private var length = 0

  /// The beginning of an escape.
  private var rest: [UInt8] = []

  mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    let text = rest + octets
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / BodyLines.limit * 2)
    var index = 0
    while index < text.count {
      let isComplete = index + Self.escapeLength <= text.count
      if text[index] == ASCII.equals, !isComplete, !isEnd { break }
      let isEscape =
        text[index] == ASCII.equals && isComplete
        && Hex.decode(text[(index + 1)..<(index + Self.escapeLength)]) != nil
      let piece = text[index..<index + (isEscape ? Self.escapeLength : 1)]
      index = piece.endIndex
      write(piece, to: &result)
    }
    rest = [UInt8](text[index...])
    return result
  }

  private mutating func write(_ piece: ArraySlice<UInt8>, to result: inout [UInt8]) {
    guard piece.first != ASCII.lineFeed else {
      result.append(ASCII.lineFeed)
      length = 0
      return
    }
    let written =
      piece.first == ASCII.carriageReturn || piece.first == ASCII.null
      ? QuotedPrintable.escaped(piece[piece.startIndex])[...] : piece
    // The mark that breaks the line needs room, too.
    if length + written.count >= BodyLines.limit {
      result += [ASCII.equals, ASCII.lineFeed]
      length = 0
    }
    result += written
    length += written.count
  }
}
