internal import Octets

/// The name of a person in front of an address (RFC 5322 §3.4, RFC 2047 §5).
enum DisplayName {
  /// The longest piece of text in one encoded word, in octets: 60 digits, and 75 with all around.
  private static let pieceLimit = 45

  /// The name as a header has it; UTF-8 as encoded words, all else in quotes where it has to be.
  static func encode(_ name: [UInt8]) -> [UInt8] {
    let name = name.map { ASCII.isControl($0) ? ASCII.space : $0 }
    guard name.allSatisfy({ $0 < 128 }) else { return encodedWords(name) }
    guard !name.allSatisfy(isPlain) else { return name }
    return [ASCII.quote]
      + name.flatMap { $0 == ASCII.quote || $0 == ASCII.backslash ? [ASCII.backslash, $0] : [$0] }
      + [ASCII.quote]
  }

  private static func isPlain(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.space
      || octet == ASCII.minus || octet == ASCII.apostrophe
  }

  /// Words of whole characters, a fold between them.
  private static func encodedWords(_ name: [UInt8]) -> [UInt8] {
    var pieces: [[UInt8]] = [[]]
    for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
      let octets = [UInt8](String(scalar).utf8)
      if pieces[pieces.count - 1].count + octets.count > pieceLimit { pieces.append([]) }
      pieces[pieces.count - 1] += octets
    }
    let words = pieces.map { piece in
      [UInt8](ascii: "=?UTF-8?B?") + Base64.encode(piece) + [UInt8](ascii: "?=")
    }
    return [UInt8](words.joined(separator: [ASCII.lineFeed, ASCII.space]))
  }
}
