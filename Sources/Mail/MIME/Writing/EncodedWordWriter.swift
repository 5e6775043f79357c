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

/// The name of a person or a group in a field of addresses (RFC 5322 §3.2.5, RFC 2047 §5).
package enum HeaderPhrase {
  /// The name as words with a blank between each; none for an empty name.
  static func words(_ name: [UInt8]) -> [[UInt8]] {
    let name = name.map { ASCII.isControl($0) ? ASCII.space : $0 }
    guard !name.isEmpty else { return [] }
    if !name.allSatisfy({ $0 < 0x80 }) || EncodedWord.isSuspected(name) {
      return EncodedWordWriter.words(name)
    }
    let isPlain = name.split(separator: ASCII.space, omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtom) }
    return split(isPlain ? name : quoted(name))
  }

  /// The name as it stands in a field, its lines broken where it takes several encoded words.
  package static func octets(_ name: [UInt8]) -> [UInt8] {
    let isEncoded = !name.allSatisfy { $0 < 0x80 } || EncodedWord.isSuspected(name)
    let words = words(name)
    return [UInt8](
      words.joined(separator: isEncoded ? [ASCII.lineFeed, ASCII.space] : [ASCII.space])
    )
  }

  private static func quoted(_ name: [UInt8]) -> [UInt8] {
    [ASCII.quote]
      + name.flatMap { $0 == ASCII.quote || $0 == ASCII.backslash ? [ASCII.backslash, $0] : [$0] }
      + [ASCII.quote]
  }

  /// Cut at single blanks, so that lines can be broken there; further blanks stay with the word before.
  private static func split(_ text: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = [[]]
    for (index, octet) in text.enumerated() {
      let isSingle =
        octet == ASCII.space && index > 0 && index + 1 < text.count
        && text[index - 1] != ASCII.space && text[index + 1] != ASCII.space
        && text[index - 1] != ASCII.quote && text[index + 1] != ASCII.quote
      if isSingle { words.append([]) } else { words[words.count - 1].append(octet) }
    }
    return words
  }

  /// What may stand without quotation marks; of what the standard allows, what every program takes.
  private static func isAtom(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
      || octet == ASCII.apostrophe
  }
}

extension EncodedWord {
  /// Whether a reader might take a part of the text for an encoded word.
  static func isSuspected(_ text: some Collection<UInt8>) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == ASCII.equals && $1 == ASCII.questionMark }
  }
}
