internal import Octets

/// How many addresses the text of one recipient may hold, whatever a reader of mail would make of it.
struct RecipientMarks {
  /// The number of `@` outside of quotes, of routes, and of a name before an address in brackets.
  let count: Int

  /// The marks in a text without comments.
  ///
  /// Gives `nil` where a quote or a bracket has no end or no beginning, or something stands there that divides
  /// recipients for other programs.
  init?(_ text: [UInt8]) {
    guard let bare = Self.withoutQuotes(text) else { return nil }
    let opened = bare.count { $0 == ASCII.lessThan }
    guard opened == bare.count(where: { $0 == ASCII.greaterThan }) else { return nil }
    guard let first = bare.firstIndex(of: ASCII.lessThan),
      let last = bare.lastIndex(of: ASCII.greaterThan)
    else {
      guard !Self.isDivided(bare[...]), !bare.contains(Self.glue) else { return nil }
      count = Self.marks(bare[...])
      return
    }
    guard first < last else { return nil }
    let (name, rest) = (bare[..<first], bare[(last + 1)...])
    guard !name.contains(ASCII.colon), !rest.contains(ASCII.colon) else { return nil }
    let address = Self.withoutRoute(bare[(first + 1)..<last])
    guard !Self.hasGap(address), !address.contains(Self.glue) else { return nil }
    let marks = Self.marks(address)
    // Broken programs write the address as the name, too, and do not quote it.
    let isName = opened == 1 && marks > 0 && rest.allSatisfy(Self.isSpace)
    count = marks + (isName ? 0 : Self.marks(name) + Self.marks(rest))
  }

  /// Stands for a quotation mark at which a quoted word is joined to another one, as in `"Ann"b@x`: in an address it is unknown
  /// whether the quoted word is a name.
  private static let glue = ASCII.null

  /// What may stand beside a quoted word in an address.
  private static let neighbours = [ASCII.dot, ASCII.lessThan, ASCII.greaterThan, ASCII.comma]

  private static func isGlued(_ octet: UInt8?, besides others: UInt8...) -> Bool {
    octet.map { !isSpace($0) && !neighbours.contains($0) && !others.contains($0) } ?? false
  }

  /// The text with a letter in the place of what is quoted, and of colons in a literal; `nil` where a quote does not end.
  private static func withoutQuotes(_ text: [UInt8]) -> [UInt8]? {
    let letter = UInt8(ascii: "x")
    var (isQuoted, isLiteral) = (false, false)
    var result: [UInt8] = []
    var last: UInt8?
    var cursor = Cursor(text)
    while let octet = cursor.next() {
      switch octet {
      case ASCII.backslash:
        _ = cursor.next()
        result.append(letter)
      case ASCII.quote:
        let isJoined = isQuoted ? isGlued(cursor.peek, besides: ASCII.at) : isGlued(last)
        isQuoted.toggle()
        result.append(isJoined ? glue : letter)
      case _ where isQuoted: continue
      case ASCII.colon where isLiteral: result.append(letter)
      default:
        isLiteral = octet == ASCII.openBracket || isLiteral && octet != ASCII.closeBracket
        result.append(octet)
      }
      last = octet
    }
    return isQuoted ? nil : result
  }

  /// Whether there is more in a text than the name of a group.
  static func isBeyondName(_ text: [UInt8]) -> Bool {
    guard let bare = withoutQuotes(text) else { return true }
    return bare.contains { $0 == ASCII.at || $0 == ASCII.lessThan || $0 == ASCII.greaterThan }
  }

  /// Whether words without brackets are more than a name and an address behind it.
  private static func isDivided(_ text: ArraySlice<UInt8>) -> Bool {
    let words = text.split(whereSeparator: isSpace)
    let isFollowed = text.lastIndex(of: ASCII.at).map { hasGap(text[($0 + 1)...]) } ?? false
    return isFollowed || text.contains(ASCII.colon)
      || words.count > 1 && words.contains([ASCII.slash])
  }

  /// Whether a blank stands where an address has none: a reader of mail would join what is around it, or leave it out.
  private static func hasGap(_ text: ArraySlice<UInt8>) -> Bool {
    let words = text.split(whereSeparator: isSpace)
    return zip(words, words.dropFirst()).contains { left, right in
      ![left.last, right.first].contains { $0.map(joints.contains) ?? false }
    }
  }

  /// What may have blanks beside it within brackets.
  private static let joints = [
    ASCII.dot, ASCII.at, ASCII.comma, ASCII.lessThan, ASCII.greaterThan,
  ]

  /// What stands in a bracket, without `@host,@host:` before the address.
  private static func withoutRoute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.first(where: { !isSpace($0) }) == ASCII.at,
      let colon = text.lastIndex(of: ASCII.colon)
    else { return text }
    return text[(colon + 1)...]
  }

  /// Blanks, and the ends of lines that are folded.
  private static func isSpace(_ octet: UInt8) -> Bool { octet <= ASCII.space }

  private static func marks(_ text: ArraySlice<UInt8>) -> Int { text.count { $0 == ASCII.at } }
}
