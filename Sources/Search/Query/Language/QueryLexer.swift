internal import Octets

/// Cuts a query into pieces.
struct QueryLexer {
  private let text: [UInt8]
  private var index = 0
  private var tokens: [QueryToken] = []

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// The pieces in their order.
  static func tokens(of text: [UInt8]) throws(QueryError) -> [QueryToken] {
    var lexer = QueryLexer(text)
    while lexer.index < text.count { try lexer.takeNext() }
    return lexer.tokens
  }

  private mutating func add(_ kind: QueryToken.Kind, from start: Int) {
    tokens.append(QueryToken(kind: kind, place: start..<index))
  }

  private func isSpace(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == ASCII.delete
  }

  private mutating func takeNext() throws(QueryError) {
    let start = index
    let octet = text[index]
    if isSpace(octet) {
      index += 1
    } else if octet == ASCII.openParenthesis || octet == ASCII.closeParenthesis {
      index += 1
      add(octet == ASCII.openParenthesis ? .open : .close, from: start)
    } else if octet == ASCII.quote {
      add(.quoted(try takeQuoted()), from: start)
    } else if octet == ASCII.minus || octet == ASCII.plus, isAtStartOfWord, hasWordBehind {
      index += 1
      add(octet == ASCII.minus ? .minus : .plus, from: start)
    } else if let field = try takeField() {
      tokens.append(field)
      try takeValue(of: field)
    } else {
      try takeWord()
    }
  }

  private var isAtStartOfWord: Bool {
    guard index > 0 else { return true }
    let before = text[index - 1]
    return isSpace(before) || before == ASCII.openParenthesis
  }

  private var hasWordBehind: Bool {
    guard index + 1 < text.count else { return false }
    let after = text[index + 1]
    return !isSpace(after) && after != ASCII.closeParenthesis && after != ASCII.minus
      && after != ASCII.plus
  }

  /// What stands in quotation marks; a doubled one within stands for itself.
  private mutating func takeQuoted() throws(QueryError) -> [UInt8] {
    let start = index
    var result: [UInt8] = []
    index += 1
    while index < text.count {
      if text[index] == ASCII.quote, !isWithinHebrew(index) {
        index += 1
        guard index < text.count, text[index] == ASCII.quote else { return result }
      }
      result.append(text[index])
      index += 1
    }
    throw QueryError(.unclosed("quotation mark"), start..<start + 1)
  }

  /// `name:` of a known name with something behind it, or with nothing at all but white space.
  private mutating func takeField() throws(QueryError) -> QueryToken? {
    let letters = text[index...].prefix(16).prefix { ASCII.isLetter($0) }
    guard !letters.isEmpty, letters.endIndex < text.count, text[letters.endIndex] == ASCII.colon
    else { return nil }
    let name = String(decoding: letters, as: UTF8.self)
    if QueryField.foreign.contains(name) {
      throw QueryError(.foreignField(name), index..<letters.endIndex + 1)
    }
    guard let field = QueryField.named(name) else { return nil }
    let start = index
    index = letters.endIndex + 1
    return QueryToken(kind: .field(name, field), place: start..<index)
  }

  private mutating func takeValue(of field: QueryToken) throws(QueryError) {
    guard case .field(let name, let kind) = field.kind else { return }
    guard index < text.count, !isSpace(text[index]), text[index] != ASCII.closeParenthesis else {
      throw QueryError(.missingValue(name), field.place)
    }
    let start = index
    // Strangers write Message-IDs: one that looks like a pattern must not name other messages.
    let mayBePattern = kind.pattern != nil && name != "id"
    switch text[index] {
    case ASCII.quote: try takeQuotedValue(kind, mayBePattern)
    case ASCII.openParenthesis: return
    case ASCII.openBrace where kind == .exact(.thread):
      add(.braces(try takeBraces()), from: start)
    case ASCII.slash where kind.isPatternAlone && isUnclosedSlash:
      throw QueryError(.unclosed("slash"), start..<start + 1)
    case ASCII.slash where mayBePattern && isPattern:
      index += 1
      let end = text[index...].firstIndex(of: ASCII.slash) ?? index
      let pattern = [UInt8](text[index..<end])
      index = end + 1
      add(.pattern(pattern), from: start)
    default: try takePlainValue(kind)
    }
  }

  /// Whether a slash here has its twin at the end of the word.
  private var isPattern: Bool {
    let word = text[index...].prefix { !isSpace($0) && $0 != ASCII.closeParenthesis }
    return word.count > 2 && word.dropFirst().firstIndex(of: ASCII.slash) == word.endIndex - 1
  }

  /// Whether a slash here has no other one in its word.
  private var isUnclosedSlash: Bool {
    let word = text[index...].prefix { !isSpace($0) && $0 != ASCII.closeParenthesis }
    return word.count > 1 && !word.dropFirst().contains(ASCII.slash)
  }

  /// A value in quotation marks may be an expression in slashes, or a query in braces.
  private mutating func takeQuotedValue(
    _ kind: QueryField,
    _ mayBePattern: Bool
  ) throws(QueryError) {
    let start = index
    let value = try takeQuoted()
    if mayBePattern, value.count > 2, value.first == ASCII.slash, value.last == ASCII.slash {
      add(.pattern([UInt8](value.dropFirst().dropLast())), from: start)
    } else if case .text = kind, value.first == ASCII.openParenthesis,
      value.last == ASCII.closeParenthesis
    {
      add(.group(value), from: start)
    } else if kind == .exact(.thread), value.first == ASCII.openBrace,
      value.last == ASCII.closeBrace
    {
      add(.braces([UInt8](value.dropFirst().dropLast())), from: start)
    } else {
      add(.quoted(value), from: start)
    }
  }

  private mutating func takeBraces() throws(QueryError) -> [UInt8] {
    let start = index
    var depth = 0
    while index < text.count {
      if text[index] == ASCII.openBrace { depth += 1 }
      if text[index] == ASCII.closeBrace { depth -= 1 }
      index += 1
      if depth == 0 { return [UInt8](text[(start + 1)..<(index - 1)]) }
    }
    throw QueryError(.unclosed("brace"), start..<start + 1)
  }

  /// A value without quotation marks ends at white space or a parenthesis; those of text like any word.
  private mutating func takePlainValue(_ kind: QueryField) throws(QueryError) {
    if case .text = kind { return try takeWord() }
    let start = index
    let run = text[index...].prefix { !isSpace($0) && $0 != ASCII.closeParenthesis }
    index = run.endIndex
    add(.text([UInt8](run)), from: start)
  }

  private mutating func takeWord() throws(QueryError) {
    let start = index
    while index < text.count, !isSpace(text[index]), text[index] != ASCII.closeParenthesis,
      text[index] != ASCII.openParenthesis, text[index] != ASCII.quote || isWithinHebrew(index)
    {
      index += 1
    }
    let word = [UInt8](text[start..<index])
    let isValue =
      if case .field? = tokens.last?.kind { tokens.last?.place.upperBound == start } else { false }
    let operation = isValue ? nil : try operation(word, from: start)
    add(operation ?? .text(word), from: start)
  }

  /// Whether what stands at an index stands between two Hebrew letters, and so belongs to a word.
  private func isWithinHebrew(_ index: Int) -> Bool {
    HebrewLetters.end(text[..<index]) && index + 2 < text.count
      && HebrewLetters.begin(text[index + 1], text[index + 2])
  }

  private func operation(
    _ word: [UInt8],
    from start: Int
  ) throws(QueryError) -> QueryToken.Kind? {
    guard word.count < 12 else { return nil }
    let parts = String(decoding: word, as: UTF8.self).lowercased()
      .split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let distance = Int(parts[1]), (1...10_000).contains(distance) {
      if parts[0] == "near" { return .near(distance) }
      if parts[0] == "adj" { return .adjacent(distance) }
      return nil
    }
    let shouted = ["NEAR", "ADJ"].first { word.starts(with: "\($0)/".utf8) }
    if let shouted { throw QueryError(.distance(shouted), start..<start + word.count) }
    switch parts.count == 1 ? parts[0] : "" {
    case "and": return .and
    case "or": return .or
    case "xor": return .xor
    case "not": return .not
    // A word like others unless it shouts, since it is one of the language.
    case "near": return word == [UInt8](ascii: "NEAR") ? .near(10) : nil
    case "adj": return word == [UInt8](ascii: "ADJ") ? .adjacent(10) : nil
    default: return nil
    }
  }
}
