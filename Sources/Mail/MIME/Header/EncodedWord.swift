internal import Octets

/// A word of a header in another charset, such as `=?utf-8?Q?caf=C3=A9?=` (RFC 2047).
package struct EncodedWord: Sendable, Hashable {
  /// The charset it is written in.
  package let charset: Charset

  /// The text in that charset, its encoding undone.
  ///
  /// May end within a character: such a word goes on in the next one.
  package let octets: [UInt8]

  /// The text for people of a value in one line, as UTF-8 without controls.
  ///
  /// Tolerant, as mail demands. Words need no white space around them, and may hold spaces and question marks. Adjacent words
  /// of one charset are joined before they are decoded. Damaged base64 is decoded as far as possible. What is no word stays,
  /// 8-bit text as UTF-8, else as windows-1252. Some programs encode what is encoded: a text that is nothing but words once
  /// more, which have to be words, is decoded twice.
  package static func decode(_ text: ArraySlice<UInt8>, _ decoder: CharsetDecoder) -> [UInt8] {
    guard !isPlain(text) else { return [UInt8](text) }
    let decoded = decodeOnce(text, decoder)
    guard isNothingButWords(decoded[...]) else { return decoded }
    let again = decodeOnce(decoded[...], decoder)
    return OctetScan.isASCII(again[...]) ? decoded : again
  }

  private static func isNothingButWords(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == ASCII.equals else { return false }
    var rest = text
    while !rest.isEmpty {
      guard let end = first(rest)?.end else { return false }
      rest = rest[end...].drop { ASCII.isBlank($0) }
    }
    return true
  }

  private static func decodeOnce(
    _ text: ArraySlice<UInt8>,
    _ decoder: CharsetDecoder
  ) -> [UInt8] {
    var assembly = EncodedWordAssembly(decoder: decoder)
    var index = text.startIndex
    var literal = index
    while index < text.endIndex {
      guard text[index] == ASCII.equals, index + 1 < text.endIndex,
        text[index + 1] == ASCII.questionMark
      else {
        index += 1
        continue
      }
      switch scan(text[index...]) {
      case .word(let word, let end):
        assembly.append(literal: text[literal..<index])
        assembly.append(word)
        index = end
        literal = end
      case .nothing(let end): index = max(end, index + 1)
      }
    }
    assembly.append(literal: text[literal...])
    return assembly.finish()
  }

  /// The word that the text begins with, and its end; `nil` when it begins with none.
  static func first(_ text: ArraySlice<UInt8>) -> (word: EncodedWord, end: Int)? {
    guard text.starts(with: [ASCII.equals, ASCII.questionMark]) else { return nil }
    guard case .word(let word, let end) = scan(text) else { return nil }
    return (word, end)
  }

  private enum Finding {
    case word(EncodedWord, end: Int)
    /// No word; the place to which the text was read, so that it is not read again.
    case nothing(end: Int)
  }

  /// Reads the word whose `=?` the text begins with.
  private static func scan(_ text: ArraySlice<UInt8>) -> Finding {
    let start = text.startIndex + 2
    guard let mark = text[start...].prefix(80).firstIndex(of: ASCII.questionMark), mark > start,
      mark + 2 < text.endIndex, text[mark + 2] == ASCII.questionMark
    else { return .nothing(end: start) }
    let encoding = ASCII.lowercased(text[mark + 1])
    guard encoding == 0x62 || encoding == 0x71 else { return .nothing(end: start) }
    let body = mark + 3
    guard let end = bodyEnd(text, body) else {
      return .nothing(end: nextStart(text, body))
    }
    let encoded = text[body..<end]
    let octets = encoding == 0x62 ? DamagedBase64.decode(encoded) : decodeQ(encoded)
    let word = EncodedWord(charset: Charset(label: text[start..<mark]), octets: octets)
    return .word(word, end: end + 2)
  }

  /// Where the `?=` stands that ends the word; `nil` when another word begins before it.
  private static func bodyEnd(_ text: ArraySlice<UInt8>, _ start: Int) -> Int? {
    var index = start
    while index + 1 < text.endIndex {
      let pair = (text[index], text[index + 1])
      if pair == (ASCII.questionMark, ASCII.equals) { return index }
      let isStart = pair == (ASCII.equals, ASCII.questionMark)
      // `=?=` is a stray `=` before the end of this word, not the start of another one.
      if isStart, index + 2 >= text.endIndex || text[index + 2] != ASCII.equals { return nil }
      index += 1
    }
    return nil
  }

  private static func nextStart(_ text: ArraySlice<UInt8>, _ start: Int) -> Int {
    var index = start
    while index + 1 < text.endIndex {
      if text[index] == ASCII.equals, text[index + 1] == ASCII.questionMark { return index }
      index += 1
    }
    return text.endIndex
  }

  /// The Q encoding: quoted-printable in which `_` is a space (RFC 2047 §4.2).
  private static func decodeQ(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let spaced = text.map { $0 == ASCII.underscore ? ASCII.space : $0 }
    // The bar keeps spaces at the end, which a body would lose.
    var decoded = QuotedPrintable.decode((spaced + [0x7C])[...])
    if decoded.last == 0x7C { decoded.removeLast() }
    return decoded
  }

  private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for octet in text {
      if octet >= 0x7F || octet < 0x20 { return false }
      if octet == ASCII.questionMark, previous == ASCII.equals { return false }
      previous = octet
    }
    return true
  }
}

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
