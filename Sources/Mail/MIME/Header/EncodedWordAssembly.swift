internal import Octets

/// Joins encoded words and the text between them into UTF-8.
struct EncodedWordAssembly {
  private let decoder: CharsetDecoder
  private var result: [UInt8] = []
  private var charset = Charset.unlabelled
  private var octets: [UInt8] = []
  private var isAfterWord = false
  private var gap: ArraySlice<UInt8> = []

  init(decoder: CharsetDecoder) {
    self.decoder = decoder
  }

  /// Text that is no word; white space between two words does not count (RFC 2047 §6.2).
  mutating func append(literal: ArraySlice<UInt8>) {
    if isAfterWord, literal.allSatisfy({ ASCII.isBlank($0) }) {
      gap = literal
      return
    }
    flush()
    result += decoder.decode(literal, .unlabelled)
  }

  mutating func append(_ word: EncodedWord) {
    if isAfterWord, charset != word.charset { flush() }
    gap = []
    charset = word.charset
    octets += word.octets
    isAfterWord = true
  }

  /// The text with every control turned into a space.
  mutating func finish() -> [UInt8] {
    flush()
    result += gap
    guard result.contains(where: { ASCII.isControl($0) }) else { return result }
    return result.map { ASCII.isControl($0) ? ASCII.space : $0 }
  }

  private mutating func flush() {
    guard isAfterWord else { return }
    result += decoder.decode(octets[...], charset)
    octets = []
    isAfterWord = false
  }
}
