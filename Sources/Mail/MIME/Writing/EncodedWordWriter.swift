internal import Octets

/// Text beyond ASCII as encoded words (RFC 2047).
enum EncodedWordWriter {
  /// The longest word, in octets (RFC 2047 §2).
  private static let limit = 75

  private static let frame = "=?UTF-8?Q??=".utf8.count

  /// The text as words of whole characters; a reader joins them without the blanks between them.
  static func words(_ text: [UInt8]) -> [[UInt8]] {
    let pieces = characters(String(decoding: text, as: UTF8.self))
    let isQ = pieces.reduce(0) { $0 + q($1).count } <= (text.count + 2) / 3 * 4
    let room = limit - frame
    let words = join(pieces, limit: isQ ? room : room / 4 * 3) { isQ ? q($0).count : $0.count }
    return words.map { word in
      let start = [UInt8](ascii: isQ ? "=?UTF-8?Q?" : "=?UTF-8?B?")
      return start + (isQ ? q(word) : Base64.encode(word)) + [UInt8](ascii: "?=")
    }
  }

  /// What a word may not be cut within; of a character that is too long for one, its scalars.
  private static func characters(_ text: String) -> [[UInt8]] {
    text.flatMap { character in
      let octets = [UInt8](character.utf8)
      return octets.count <= 18
        ? [octets] : character.unicodeScalars.map { [UInt8](String($0).utf8) }
    }
  }

  private static func join(
    _ pieces: [[UInt8]],
    limit: Int,
    _ size: ([UInt8]) -> Int
  ) -> [[UInt8]] {
    var words: [[UInt8]] = [[]]
    var length = 0
    for piece in pieces {
      let added = size(piece)
      if length + added > limit {
        words.append([])
        length = 0
      }
      words[words.count - 1] += piece
      length += added
    }
    return words
  }

  /// The Q encoding as it may stand in a name too (RFC 2047 §5): a space is `_`.
  private static func q(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { octet -> [UInt8] in
      switch octet {
      case ASCII.space: [ASCII.underscore]
      case ASCII.exclamationMark, ASCII.asterisk, ASCII.plus, ASCII.minus, ASCII.slash: [octet]
      case _ where ASCII.isLetter(octet) || ASCII.isDigit(octet): [octet]
      default: [ASCII.equals] + Hex.encode([octet]).map { ASCII.uppercased($0) }
      }
    }
  }
}
