internal import Octets

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
