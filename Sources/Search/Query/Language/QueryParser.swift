internal import Octets

/// Makes a tree of a query.
///
/// `or` binds least, then `xor`, then `and` and `not`, then terms side by side. Of those, terms of the same field that
/// only can be there or not are alternatives (`tag:a tag:b`), as in notmuch; all else must be found.
package struct QueryParser {
  /// How deep parentheses may go.
  package static let depthLimit = 100

  private let tokens: [QueryToken]
  private let end: Int
  let dates: DateContext
  let names: NamedQueries
  var index = 0
  var depth: Int
  private var words = WordQueries()

  /// The tree of a query (UTF-8), which may call others by their names.
  ///
  /// - Throws: what is wrong with it, and where.
  package static func parse(
    _ text: [UInt8],
    _ dates: DateContext,
    names: NamedQueries = .none
  ) throws(QueryError) -> Query {
    try parse(text, dates, names, depth: 0)
  }

  static func parse(
    _ text: [UInt8],
    _ dates: DateContext,
    _ names: NamedQueries,
    depth: Int,
    _ fields: [TextField] = []
  ) throws(QueryError) -> Query {
    let isBlank = text.allSatisfy { $0 <= ASCII.space }
    if isBlank || text.filter({ $0 > ASCII.space }) == [ASCII.asterisk] { return .everything }
    var parser = QueryParser(
      tokens: try QueryLexer.tokens(of: text),
      end: text.count,
      dates: dates,
      names: names,
      depth: depth
    )
    let query = try parser.alternatives(fields)
    if let rest = parser.next {
      throw QueryError(
        rest.kind.operatorName.map { .missingOperand($0) } ?? .strayParenthesis,
        rest.place
      )
    }
    return query ?? .nothing
  }

  private init(
    tokens: [QueryToken],
    end: Int,
    dates: DateContext,
    names: NamedQueries,
    depth: Int
  ) {
    self.names = names
    self.tokens = tokens
    self.end = end
    self.dates = dates
    self.depth = depth
  }

  var next: QueryToken? { index < tokens.count ? tokens[index] : nil }

  mutating func takeToken(_ kind: QueryToken.Kind) -> QueryToken? {
    guard let token = next, token.kind == kind else { return nil }
    index += 1
    return token
  }

  /// `a or b or c`.
  private mutating func alternatives(_ fields: [TextField]) throws(QueryError) -> Query? {
    try chain(.or, "or", Query.or) { (parser: inout QueryParser) throws(QueryError) in
      try parser.chain(.xor, "xor", Query.xor) {
        (parser: inout QueryParser) throws(QueryError) in try parser.conjunction(fields)
      }
    }
  }

  private mutating func chain(
    _ kind: QueryToken.Kind,
    _ name: String,
    _ join: ([Query]) -> Query,
    _ part: (inout QueryParser) throws(QueryError) -> Query?
  ) throws(QueryError) -> Query? {
    guard var last = try part(&self) else {
      if let token = next, token.kind == kind {
        throw QueryError(.missingOperand(name), token.place)
      }
      return nil
    }
    var parts = [last]
    while let token = takeToken(kind) {
      guard let query = try part(&self) else {
        throw QueryError(.missingOperand(name), token.place)
      }
      last = query
      parts.append(last)
    }
    return parts.count == 1 ? last : join(parts)
  }

  /// `a and b not c`.
  private mutating func conjunction(_ fields: [TextField]) throws(QueryError) -> Query? {
    var parts: [Query] = []
    var isExpected: QueryToken?
    while let token = next {
      if let found = try neighbours(fields) {
        parts.append(found)
        isExpected = nil
      } else if token.kind == .and {
        if parts.isEmpty || isExpected != nil {
          throw QueryError(.missingOperand("and"), token.place)
        }
        index += 1
        isExpected = token
      } else if token.kind == .not {
        parts.append(try negation(fields))
        isExpected = nil
      } else {
        break
      }
    }
    if let isExpected { throw QueryError(.missingOperand("and"), isExpected.place) }
    return Self.conjunction(parts)
  }

  private static func conjunction(_ parts: [Query]) -> Query? {
    guard let first = parts.first else { return nil }
    return parts.count == 1 ? first : .and(parts)
  }

  private mutating func negation(_ fields: [TextField]) throws(QueryError) -> Query {
    guard let token = takeToken(.not) else { return .nothing }
    if next?.kind == .not {
      depth += 1
      guard depth <= Self.depthLimit else { throw QueryError(.tooDeep, token.place) }
      let inner = try negation(fields)
      depth -= 1
      return .not(inner)
    }
    guard let query = try neighbours(fields) else {
      throw QueryError(.missingOperand("not"), token.place)
    }
    return .not(query)
  }

  /// Terms side by side.
  private mutating func neighbours(_ fields: [TextField]) throws(QueryError) -> Query? {
    var all: [Query] = []
    var groups: [String: [Query]] = [:]
    var order: [String] = []
    var isEmpty = true
    while let token = next {
      let isNegative = token.kind == .minus
      if isNegative || token.kind == .plus { index += 1 }
      let name = groupName
      guard let query = try term(fields) else {
        if isNegative || token.kind == .plus { throw QueryError(.missingOperand("-"), token.place) }
        break
      }
      isEmpty = false
      guard let query = query.found else { continue }
      if isNegative {
        all.append(.not(query))
      } else if let name, token.kind != .plus {
        if groups[name] == nil { order.append(name) }
        groups[name, default: []].append(query)
      } else {
        all.append(query)
      }
    }
    if isEmpty { return nil }
    for name in order {
      guard let group = groups[name] else { continue }
      all.append(group.count == 1 ? group[0] : .or(group))
    }
    return Self.conjunction(all) ?? .nothing
  }

  /// The name of the field at hand, where its values are alternatives.
  private var groupName: String? {
    guard case .field(let name, let field)? = next?.kind else { return nil }
    return field.alternatives(name)
  }

  /// A term that was read; nothing is found where it held no word at all, such as a lone dash.
  struct Term {
    let found: Query?
  }

  mutating func term(_ fields: [TextField]) throws(QueryError) -> Term? {
    guard let token = next else { return nil }
    switch token.kind {
    case .open: return Term(found: try group(fields))
    case .text(let text):
      if text.allSatisfy({ $0 == ASCII.asterisk }) { return Term(found: try star(token, fields)) }
      if fields.isEmpty, let range = TimestampRange.of(text) {
        index += 1
        return Term(found: .date(range))
      }
      return try nearby(text, token, fields)
    case .quoted(let text):
      index += 1
      if text.isEmpty, fields.isEmpty { return Term(found: .everything) }
      return Term(found: words.phrase(text, fields))
    case .field(let name, let field): return try value(of: field, name, token)
    default: return nil
    }
  }

  private mutating func group(_ fields: [TextField]) throws(QueryError) -> Query? {
    guard let open = takeToken(.open) else { return nil }
    depth += 1
    guard depth <= Self.depthLimit else { throw QueryError(.tooDeep, open.place) }
    let query = try alternatives(fields)
    depth -= 1
    guard takeToken(.close) != nil else {
      if let token = next {
        throw QueryError(.missingOperand(token.kind.operatorName ?? "and"), token.place)
      }
      throw QueryError(.unclosedParenthesis, open.place)
    }
    return query ?? .everything
  }

  /// Where an asterisk stands before or within a word; `*@example.org` means no more than what follows it.
  private static func misplacedStar(_ text: [UInt8]) -> Int? {
    let isOfWord = { (octet: UInt8) in
      octet >= 0x80 || ASCII.isLetter(octet) || ASCII.isDigit(octet)
    }
    return text.indices.dropLast().first { index in
      text[index] == ASCII.asterisk
        && (isOfWord(text[index + 1]) || index > 0 && isOfWord(text[index - 1]))
    }
  }

  /// `*`: all messages, or all with a word in a field.
  private mutating func star(
    _ token: QueryToken,
    _ fields: [TextField]
  ) throws(QueryError) -> Query {
    index += 1
    if fields.isEmpty { return .everything }
    guard fields.allSatisfy({ $0 == .from || $0 == .subject }) else {
      throw QueryError(.star, token.place)
    }
    return fields.count == 1 ? .not(.wordless(fields[0])) : .or(fields.map { .not(.wordless($0)) })
  }

  /// A word, or words with NEAR or ADJ between them.
  private mutating func nearby(
    _ text: [UInt8],
    _ token: QueryToken,
    _ fields: [TextField]
  ) throws(QueryError) -> Term {
    if let star = Self.misplacedStar(text) {
      let place = token.place.lowerBound + star
      throw QueryError(.star, place..<place + 1)
    }
    index += 1
    var near = words.words(of: text)
    var distance = 0
    var isOrdered = true
    while let sign = next, let link = sign.kind.link {
      distance = max(distance, link.distance)
      if !link.isOrdered { isOrdered = false }
      index += 1
      guard case .text(let other)? = next?.kind else {
        throw QueryError(.missingOperand(isOrdered ? "adj" : "near"), sign.place)
      }
      index += 1
      near += words.words(of: other)
    }
    guard distance > 0 else { return Term(found: words.query(text, fields)) }
    return Term(found: words.near(near, fields, distance: distance, isOrdered: isOrdered))
  }
}
