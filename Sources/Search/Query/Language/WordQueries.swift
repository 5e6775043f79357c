internal import Octets

/// What words and text in quotation marks are looked for as.
struct WordQueries {
  private var scanner = WordScanner()

  mutating func words(of text: [UInt8]) -> [[UInt8]] { scanner.words(text) }

  /// Words with NEAR or ADJ between them.
  func near(
    _ words: [[UInt8]],
    _ fields: [TextField],
    distance: Int,
    isOrdered: Bool
  ) -> Query {
    guard words.count > 1 else { return each(fields) { .phrase(words, $0) } }
    return each(fields) { .near(words, $0, distance: distance, isOrdered: isOrdered) }
  }

  /// The same question of several fields.
  private func each(_ fields: [TextField], _ query: (TextField?) -> Query) -> Query {
    switch fields.count {
    case 0: query(nil)
    case 1: query(fields[0])
    default: .or(fields.map { query($0) })
    }
  }

  /// A word as it stands in the query: `word`, `Exact`, `two-words`, `begin*`, or several such: `one,two`; nil where it holds none.
  mutating func query(_ text: [UInt8], _ fields: [TextField]) -> Query? {
    var parts: [Query] = []
    for piece in Self.pieces(of: text) {
      if let part = self.part([UInt8](piece), fields) { parts.append(part) }
    }
    return parts.count > 1 ? .and(parts) : parts.first
  }

  /// What signs that no word has in it, nor a name or an address, part: `,` and `|`, but not within numbers and links.
  private static func pieces(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    guard text.contains(where: separators.contains) else { return [text[...]] }
    if text.holds([UInt8](ascii: "://")) { return [text[...]] }
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    for index in text.indices where separators.contains(text[index]) {
      let isInNumber =
        index > 0 && index + 1 < text.count && text[index] == ASCII.comma
        && ASCII.isDigit(text[index - 1]) && ASCII.isDigit(text[index + 1])
      if isInNumber { continue }
      pieces.append(text[start..<index])
      start = index + 1
    }
    return pieces + [text[start...]]
  }

  private static let separators = Set([UInt8](ascii: ",|;!?<>=~^[]{}`"))

  private mutating func part(_ text: [UInt8], _ fields: [TextField]) -> Query? {
    let isBeginning = text.count > 1 && text.last == ASCII.asterisk
    let words = scanner.words(isBeginning ? text.dropLast() : text[...])
    guard let last = words.last else { return nil }
    if isBeginning, words.count == 1 { return each(fields) { .beginning(last, $0) } }
    if words.count > 1 { return each(fields) { self.phrase(of: words, $0) } }
    return each(fields) { self.word(last, $0, isExact: Self.isCapitalised(text)) }
  }

  /// What stands in quotation marks; nil where no word does.
  mutating func phrase(_ text: [UInt8], _ fields: [TextField]) -> Query? {
    let words = scanner.words(text)
    guard let first = words.first else { return nil }
    if words.count == 1, text.last == ASCII.asterisk {
      return each(fields) { .beginning(first, $0) }
    }
    if words.count == 1 { return each(fields) { self.word(first, $0, isExact: true) } }
    return each(fields) { self.phrase(of: words, $0) }
  }

  /// A single character of a script without spaces is found at the beginning of a pair as well as alone.
  private func word(_ word: [UInt8], _ field: TextField?, isExact: Bool) -> Query {
    let scalars = String(decoding: word, as: UTF8.self).unicodeScalars
    let isSingle = scalars.count == 1 && Ideographs.contain(scalars.first?.value ?? 0)
    return isSingle ? .beginning(word, field) : .word(word, field, isExact: isExact)
  }

  /// The last character of a run of a script without spaces is a word that a phrase must not insist on.
  private func phrase(of words: [[UInt8]], _ field: TextField?) -> Query {
    let kept = words.indices.filter { place in
      guard place > 0, let previous = Self.ideographs(words[place - 1]), previous.count == 2 else {
        return true
      }
      return Self.ideographs(words[place])?.count != 1
    }
    let gaps = kept.count > 1 && zip(kept, kept.dropFirst()).contains { $1 - $0 > 1 }
    if kept.count == 1 { return .word(words[kept[0]], field, isExact: true) }
    return gaps
      ? .near(kept.map { words[$0] }, field, distance: words.count, isOrdered: true)
      : .phrase(kept.map { words[$0] }, field)
  }

  private static func ideographs(_ word: [UInt8]) -> [Unicode.Scalar]? {
    let scalars = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
    return scalars.allSatisfy { Ideographs.contain($0.value) } ? scalars : nil
  }

  private static func isCapitalised(_ text: [UInt8]) -> Bool {
    String(decoding: text, as: UTF8.self).unicodeScalars.first?.properties.isUppercase == true
  }
}
