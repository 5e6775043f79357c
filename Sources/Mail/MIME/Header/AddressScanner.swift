internal import Octets

/// Cuts a list of addresses into words, comments and specials (RFC 5322 §3.2).
struct AddressScanner {
  struct Word {
    /// The octets, quotes and escapes undone.
    let octets: [UInt8]

    /// Whether they stood in quotes.
    let isQuoted: Bool

    /// Whether white space or a comment stands before it.
    let isApart: Bool
  }

  enum Token {
    case word(Word)
    case comment([UInt8])
    /// One of `< > , ; :`; an `@` is a word.
    case special(UInt8)
  }

  private var cursor: Cursor
  private var isApart = false
  /// Whether an encoded word has a quotation mark that no encoded word after it ends.
  private var isQuoteOpen = false
  /// Whether the text has one quotation mark more than are in pairs.
  private var hasLoneQuote: Bool

  init(_ text: ArraySlice<UInt8>) {
    cursor = Cursor(text)
    hasLoneQuote = text.count { $0 == ASCII.quote } % 2 == 1
  }

  mutating func next() -> Token? {
    while let octet = cursor.peek {
      switch octet {
      case 0...ASCII.space, ASCII.delete, ASCII.closeParenthesis:
        isApart = true
        _ = cursor.next()
      case ASCII.openParenthesis:
        isApart = true
        return .comment(comment())
      case ASCII.lessThan, ASCII.greaterThan, ASCII.comma, ASCII.semicolon, ASCII.colon:
        isApart = false
        isQuoteOpen = false
        _ = cursor.next()
        return .special(octet)
      case ASCII.quote where isQuoteOpen && hasLoneQuote:
        // It ends the one in the encoded word, and begins none that would reach into the next address.
        (isQuoteOpen, hasLoneQuote, isApart) = (false, false, true)
        _ = cursor.next()
      case ASCII.quote where !isQuoteClosed:
        // A quote that never ends means nothing.
        isApart = true
        _ = cursor.next()
      default: return .word(word(octet))
      }
    }
    return nil
  }

  /// Whether the quotation mark that comes next has another one that ends it.
  private var isQuoteClosed: Bool {
    var ahead = cursor
    _ = ahead.next()
    while let octet = ahead.next() {
      if octet == ASCII.quote { return true }
      if octet == ASCII.backslash { _ = ahead.next() }
    }
    return false
  }

  private mutating func word(_ first: UInt8) -> Word {
    defer { isApart = false }
    if first == ASCII.quote {
      _ = cursor.next()
      return Word(octets: quoted(), isQuoted: true, isApart: isApart)
    }
    return Word(octets: atom(first), isQuoted: false, isApart: isApart)
  }

  private mutating func atom(_ first: UInt8) -> [UInt8] {
    if let (word, end) = EncodedWord.first(cursor.remaining) {
      if word.octets.count(where: { $0 == ASCII.quote }) % 2 == 1 { isQuoteOpen.toggle() }
      return [UInt8](cursor.take(count: end - cursor.remaining.startIndex) ?? [])
    }
    if first == ASCII.at || first == ASCII.openBracket {
      _ = cursor.next()
      return first == ASCII.at ? [first] : [first] + literal()
    }
    if first == ASCII.backslash {
      _ = cursor.next()
      return cursor.next().map { [$0] } ?? []
    }
    // An `=` in the middle may begin an encoded word, which may hold specials.
    let head = cursor.next().map { [$0] } ?? []
    return head + cursor.take { !AddressScanner.isSpecial($0) && $0 != ASCII.equals }
  }

  /// The rest of a domain literal, whose colons are no specials; without its end only a word.
  private mutating func literal() -> [UInt8] {
    let rest = cursor.remaining.prefix(64)
    guard let end = rest.firstIndex(of: ASCII.closeBracket) else { return [] }
    return [UInt8](cursor.take(count: end + 1 - rest.startIndex) ?? [])
  }

  private mutating func quoted() -> [UInt8] {
    var result: [UInt8] = []
    while let octet = cursor.next(), octet != ASCII.quote {
      if octet == ASCII.backslash, let next = cursor.next() {
        result.append(next)
      } else {
        result.append(octet)
      }
    }
    return result
  }

  /// The text of a comment without its parentheses; inner ones are kept.
  private mutating func comment() -> [UInt8] {
    var result: [UInt8] = []
    var depth = 0
    while let octet = cursor.next() {
      switch octet {
      case ASCII.openParenthesis: depth += 1
      case ASCII.closeParenthesis: depth -= 1
      case ASCII.backslash:
        if let next = cursor.next() { result.append(next) }
        continue
      default: break
      }
      if depth == 0 { break }
      if depth > 1 || octet != ASCII.openParenthesis { result.append(octet) }
    }
    return result
  }

  private static func isSpecial(_ octet: UInt8) -> Bool {
    switch octet {
    case 0...ASCII.space, ASCII.delete, ASCII.openParenthesis, ASCII.closeParenthesis,
      ASCII.lessThan, ASCII.greaterThan, ASCII.comma, ASCII.semicolon, ASCII.colon, ASCII.at,
      ASCII.quote, ASCII.backslash:
      true
    default: false
    }
  }
}
