internal import Octets

/// A subject without what programs put around it (RFC 5256 §2.1, and the words of other languages).
package struct SubjectBase: Hashable, Sendable {
  /// The subject without marks and tags of lists, each stretch of white space one space.
  package let text: [UInt8]

  /// The subject without marks of answers and of passing on; tags of lists stay.
  ///
  /// What a list of threads shows.
  package let display: [UInt8]

  /// Whether a mark was there.
  package let isReply: Bool

  /// Takes a subject (UTF-8) apart.
  package init(_ subject: [UInt8]) {
    let words = subject.split { $0 <= ASCII.space || $0 == ASCII.delete }
    let line = [UInt8](words.joined(separator: [ASCII.space]))
    let shown = Self.withoutMarks(line[...], dropsTags: false)
    var bare = Self.withoutMarks(line[...], dropsTags: true)
    isReply = shown.count < line.count || Self.hasMarkBehindTags(line[...])
    while let shorter = Self.withoutTrailer(bare) { bare = shorter }
    text = [UInt8](bare)
    display = [UInt8](shown)
  }

  /// Marks in small letters, without their colon.
  private static let marks: Set<[UInt8]> = {
    let words = """
      re aw sv vs antw antwort ref rv rif ynt odp res r wg fwd fw tr doorst vb i enc pd ilt \
      回复 答复 转发 回覆 轉寄 返信 転送 답장 전달 отв ответ на пер
      """
    return Set(words.split(separator: " ").map { Array($0.utf8) })
  }()

  private static func withoutMarks(
    _ line: ArraySlice<UInt8>,
    dropsTags: Bool
  ) -> ArraySlice<UInt8> {
    var rest = line
    while true {
      rest = rest.drop { $0 == ASCII.space }
      if let shorter = withoutMark(rest) {
        rest = shorter
      } else if dropsTags, let shorter = withoutTag(rest) {
        rest = shorter
      } else {
        return rest
      }
    }
  }

  private static func hasMarkBehindTags(_ line: ArraySlice<UInt8>) -> Bool {
    var rest = line.drop { $0 == ASCII.space }
    while let shorter = withoutTag(rest) { rest = shorter.drop { $0 == ASCII.space } }
    return withoutMark(rest) != nil
  }

  /// What follows a mark such as `Re:`, `RE :`, `Re[2]:`, `Re^3:`, `回复：`; nil where none begins the text.
  private static func withoutMark(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let word = text.prefix(24).prefix { $0 >= 0x80 || ASCII.isLetter($0) }
    let (name, wideColon) = cutAtWideColon(word)
    guard marks.contains(name.map { ASCII.lowercased($0) }) else { return nil }
    if let wideColon { return text[wideColon...] }
    var rest = text[word.endIndex...]
    rest = withoutCount(rest)
    rest = rest.drop { $0 == ASCII.space }
    if rest.first == ASCII.colon { return rest.dropFirst() }
    return rest.starts(with: wideColonOctets) ? rest.dropFirst(wideColonOctets.count) : nil
  }

  /// The colon of Chinese and Japanese text, U+FF1A.
  private static let wideColonOctets: [UInt8] = [0xEF, 0xBC, 0x9A]

  private static func cutAtWideColon(
    _ word: ArraySlice<UInt8>
  ) -> (name: ArraySlice<UInt8>, after: Int?) {
    for index in word.indices.dropLast(2) where word[index...].starts(with: wideColonOctets) {
      return (word[..<index], index + wideColonOctets.count)
    }
    return (word, nil)
  }

  /// Skips `[2]`, `(2)`, `^2` and `*2`.
  private static func withoutCount(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let open = text.first, [0x5B, 0x28, 0x5E, 0x2A].contains(open) else { return text }
    let digits = text.dropFirst().prefix { ASCII.isDigit($0) }
    guard !digits.isEmpty, digits.count < 5 else { return text }
    let rest = text[digits.endIndex...]
    switch open {
    case 0x5B: return rest.first == 0x5D ? rest.dropFirst() : text
    case 0x28: return rest.first == 0x29 ? rest.dropFirst() : text
    default: return rest
    }
  }

  /// What follows `[tag]`; nil where no tag begins the text or nothing follows it.
  private static func withoutTag(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard text.first == 0x5B, let close = text.firstIndex(of: 0x5D), close > text.startIndex + 1
    else { return nil }
    let rest = text[(close + 1)...].drop { $0 == ASCII.space }
    return rest.isEmpty ? nil : rest
  }

  /// The text before ` (fwd)`; nil where it does not end so.
  private static func withoutTrailer(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = text
    while rest.last == ASCII.space { rest.removeLast() }
    guard rest.suffix(5).equalsCaseless([UInt8](ascii: "(fwd)")) else {
      return rest.count < text.count ? rest : nil
    }
    return rest.dropLast(5)
  }
}
