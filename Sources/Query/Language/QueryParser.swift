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
  private let almanac: Almanac
  private let names: NamedQueries
  private var index = 0
  private var depth: Int
  private var scanner = WordScanner()

  /// The tree of a query (UTF-8), which may call others by their names.
  ///
  /// - Throws: what is wrong with it, and where.
  package static func parse(
    _ text: [UInt8],
    _ almanac: Almanac,
    names: NamedQueries = .none
  ) throws(QueryError) -> Query {
    try parse(text, almanac, names, depth: 0)
  }

  private static func parse(
    _ text: [UInt8],
    _ almanac: Almanac,
    _ names: NamedQueries,
    depth: Int,
    _ fields: [TextField] = []
  ) throws(QueryError) -> Query {
    let isBlank = text.allSatisfy { $0 <= ASCII.space }
    if isBlank || text.filter({ $0 > ASCII.space }) == [ASCII.asterisk] { return .everything }
    var parser = QueryParser(
      tokens: try QueryLexer.tokens(of: text),
      end: text.count,
      almanac: almanac,
      names: names,
      depth: depth
    )
    let query = try parser.alternatives(fields)
    if let rest = parser.next { throw QueryError(.strayParenthesis, rest.place) }
    return query ?? .nothing
  }

  private init(
    tokens: [QueryToken],
    end: Int,
    almanac: Almanac,
    names: NamedQueries,
    depth: Int
  ) {
    self.names = names
    self.tokens = tokens
    self.end = end
    self.almanac = almanac
    self.depth = depth
  }

  private var next: QueryToken? { index < tokens.count ? tokens[index] : nil }

  private mutating func take(_ kind: QueryToken.Kind) -> QueryToken? {
    guard let token = next, token.kind == kind else { return nil }
    index += 1
    return token
  }

  /// `a or b or c`.
  private mutating func alternatives(_ fields: [TextField]) throws(QueryError) -> Query? {
    try chain(.or, "or", fields, Query.or) { (parser: inout QueryParser) throws(QueryError) in
      try parser.chain(.xor, "xor", fields, Query.xor) {
        (parser: inout QueryParser) throws(QueryError) in try parser.conjunction(fields)
      }
    }
  }

  private mutating func chain(
    _ kind: QueryToken.Kind,
    _ name: String,
    _ fields: [TextField],
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
    while let token = take(kind) {
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
    guard let token = take(.not) else { return .nothing }
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
  private struct Term {
    let found: Query?
  }

  private mutating func term(_ fields: [TextField]) throws(QueryError) -> Term? {
    guard let token = next else { return nil }
    switch token.kind {
    case .open: return Term(found: try group(fields))
    case .text(let text): return try nearby(text, token, fields)
    case .quoted(let text):
      index += 1
      return Term(found: phrase(text, fields))
    case .field(let name, let field): return try value(of: field, name, token)
    default: return nil
    }
  }

  private mutating func group(_ fields: [TextField]) throws(QueryError) -> Query? {
    guard let open = take(.open) else { return nil }
    depth += 1
    guard depth <= Self.depthLimit else { throw QueryError(.tooDeep, open.place) }
    let query = try alternatives(fields)
    depth -= 1
    guard take(.close) != nil else {
      if let token = next { throw QueryError(.missingOperand("and"), token.place) }
      throw QueryError(.unclosedParenthesis, open.place)
    }
    return query ?? .nothing
  }

  /// A word, or words with NEAR or ADJ between them.
  private mutating func nearby(
    _ text: [UInt8],
    _ token: QueryToken,
    _ fields: [TextField]
  ) throws(QueryError) -> Term {
    index += 1
    var words = scanner.words(text)
    var distance = 0
    var isOrdered = true
    while let sign = next {
      switch sign.kind {
      case .near(let number):
        distance = max(distance, number)
        isOrdered = false
      case .adjacent(let number): distance = max(distance, number)
      default:
        return Term(
          found: distance == 0 ? self.words(text, fields) : near(words, fields, distance, isOrdered)
        )
      }
      index += 1
      guard case .text(let other)? = next?.kind else {
        throw QueryError(.missingOperand(isOrdered ? "adj" : "near"), sign.place)
      }
      index += 1
      words += scanner.words(other)
    }
    return Term(
      found: distance == 0 ? self.words(text, fields) : near(words, fields, distance, isOrdered)
    )
  }

  private func near(
    _ words: [[UInt8]],
    _ fields: [TextField],
    _ distance: Int,
    _ isOrdered: Bool
  ) -> Query? {
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

  /// A word as it stands in the query: `word`, `Exact`, `two-words`, `begin*`.
  private mutating func words(_ text: [UInt8], _ fields: [TextField]) -> Query? {
    let isBeginning = text.count > 1 && text.last == ASCII.asterisk
    let words = scanner.words(isBeginning ? text.dropLast() : text[...])
    guard let last = words.last else { return nil }
    if isBeginning, words.count == 1 { return each(fields) { .beginning(last, $0) } }
    if words.count > 1 { return each(fields) { self.phrase(of: words, $0) } }
    return each(fields) { self.word(last, $0, isExact: Self.isCapitalised(text)) }
  }

  private mutating func phrase(_ text: [UInt8], _ fields: [TextField]) -> Query? {
    let words = scanner.words(text)
    guard let first = words.first else { return nil }
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

  private mutating func value(
    of field: QueryField,
    _ name: String,
    _ token: QueryToken
  ) throws(QueryError) -> Term? {
    index += 1
    guard let value = next else { throw QueryError(.missingValue(name), token.place) }
    if case .text(let fields) = field {
      switch value.kind {
      case .pattern: break
      case .quoted([]) where field.pattern != nil && fields.count == 1:
        index += 1
        return Term(found: .wordless(fields[0]))
      case .group(let text):
        index += 1
        return Term(found: try nested(text, value, fields))
      case .open, .quoted, .text: return try term(fields)
      default: throw QueryError(.missingValue(name), token.place)
      }
    }
    if value.kind == .open { return Term(found: try exactGroup(field, name)) }
    index += 1
    return Term(found: try exact(field, name, value))
  }

  /// `tag:(a or b)`: a group whose words are values.
  private mutating func exactGroup(
    _ field: QueryField,
    _ name: String
  ) throws(QueryError) -> Query {
    guard let open = take(.open) else { return .nothing }
    var values: [Query] = []
    while let token = next, token.kind != .close {
      index += 1
      if token.kind == .or { continue }
      values.append(try exact(field, name, token))
    }
    guard take(.close) != nil else { throw QueryError(.unclosedParenthesis, open.place) }
    guard !values.isEmpty else { throw QueryError(.missingValue(name), open.place) }
    return values.count == 1 ? values[0] : .or(values)
  }

  private func exact(
    _ field: QueryField,
    _ name: String,
    _ token: QueryToken
  ) throws(QueryError) -> Query {
    switch (token.kind, field) {
    case (.pattern(let pattern), _):
      guard let field = field.pattern else { throw QueryError(.noPattern(name), token.place) }
      return .pattern(pattern, field)
    case (.braces(let text), _): return .thread(try nested(text, token, []))
    case (.text(let text), .date), (.quoted(let text), .date): return try date(text, token)
    case (.text(let text), .size), (.quoted(let text), .size): return try size(text, token)
    case (.text(let text), .revision), (.quoted(let text), .revision):
      return try revision(text, token)
    case (.text(let text), .named), (.quoted(let text), .named):
      return try named(text, token)
    case (.text(let text), .exact(let field)), (.quoted(let text), .exact(let field)):
      return try exact(field, text, token)
    default: throw QueryError(.missingValue(name), token.place)
    }
  }

  /// A query by its name; its mistakes are shown where it is called.
  private func named(_ name: [UInt8], _ token: QueryToken) throws(QueryError) -> Query {
    guard depth < Self.depthLimit else { throw QueryError(.tooDeep, token.place) }
    let (text, inside) = try names.text(name, token.place)
    do throws(QueryError) {
      return try Self.parse(text, almanac, inside, depth: depth + 1)
    } catch {
      let shown = String(decoding: name, as: UTF8.self)
      throw QueryError(.inName(shown, error.description), token.place)
    }
  }

  /// A query within the query; its mistakes are shown where they stand.
  private func nested(
    _ text: [UInt8],
    _ token: QueryToken,
    _ fields: [TextField]
  ) throws(QueryError) -> Query {
    guard depth < Self.depthLimit else { throw QueryError(.tooDeep, token.place) }
    do {
      return try Self.parse(text, almanac, names, depth: depth + 1, fields)
    } catch {
      let start = token.place.upperBound - text.count - 1
      throw QueryError(
        error.problem,
        start + error.place.lowerBound..<start + error.place.upperBound
      )
    }
  }

  private func date(_ text: [UInt8], _ token: QueryToken) throws(QueryError) -> Query {
    do {
      return .date(try DateRange(text, almanac))
    } catch {
      let start = token.place.upperBound - text.count
      throw QueryError(.date, start + error.place.lowerBound..<start + error.place.upperBound)
    }
  }

  private func size(_ text: [UInt8], _ token: QueryToken) throws(QueryError) -> Query {
    guard let range = SizeRange(text) else { throw QueryError(.size, token.place) }
    return .size(from: range.first, to: range.last)
  }

  private func revision(_ text: [UInt8], _ token: QueryToken) throws(QueryError) -> Query {
    guard let range = RevisionRange(text) else { throw QueryError(.revision, token.place) }
    return .revision(from: range.first, to: range.last)
  }

  private func exact(
    _ field: ExactField,
    _ text: [UInt8],
    _ token: QueryToken
  ) throws(QueryError) -> Query {
    switch field {
    case .thread:
      guard text.count == 16, Hex.value(text) != nil else { throw QueryError(.thread, token.place) }
    case .has:
      guard Feature(name: text) != nil else {
        throw QueryError(.unknownFeature(Feature.allCases.map(\.rawValue)), token.place)
      }
    default: break
    }
    return .exact(field, text)
  }
}
