internal import Octets

// What stands behind the name of a field.
extension QueryParser {
  mutating func value(
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
    guard let open = takeToken(.open) else { return .nothing }
    var values: [Query] = []
    while let token = next, token.kind != .close {
      index += 1
      if token.kind == .or { continue }
      values.append(try exact(field, name, token))
    }
    guard takeToken(.close) != nil else { throw QueryError(.unclosedParenthesis, open.place) }
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
    case (.text(let text), .related), (.quoted(let text), .related):
      return .thread(.exact(.id, text))
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
      return try Self.parse(text, dates, inside, depth: depth + 1)
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
      return try Self.parse(text, dates, names, depth: depth + 1, fields)
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
      return .date(try DateRange(text, dates))
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

  /// What can be asked of senders: where no verdict is known there is none to ask for.
  private static let verdicts = ["pass", "fail"]

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
        throw QueryError(.unknownValue("has", Feature.allCases.map(\.rawValue)), token.place)
      }
    case .auth:
      guard Self.verdicts.contains(where: { text.equalsCaseless([UInt8]($0.utf8)) }) else {
        throw QueryError(.unknownValue("auth", Self.verdicts), token.place)
      }
    default: break
    }
    return .exact(field, text)
  }
}

/// A range of revisions: `10..20`, `10..`, `..20`, or `10` for that alone; `-10..` counts from the newest.
struct RevisionRange {
  let first: Int64?
  let last: Int64?

  /// The range a text means; nil where it means none.
  init?(_ text: [UInt8]) {
    let (low, high) = RangeText.bounds(of: text) ?? (text[...], text[...])
    guard let first = Self.bound(low), let last = Self.bound(high), first != nil || last != nil
    else { return nil }
    self.first = first
    self.last = last
  }

  /// A bound, or none where the text is empty; nil where it is no number.
  private static func bound(_ text: ArraySlice<UInt8>) -> Int64?? {
    guard !text.isEmpty else { return .some(nil) }
    let isNegative = text.first == ASCII.minus
    var cursor = Cursor([UInt8](isNegative ? text.dropFirst() : text))
    guard let number = cursor.decimal(), cursor.remaining.isEmpty else { return nil }
    let bound = Int64(clamping: number)
    return .some(isNegative ? -bound : bound)
  }
}

/// A range of sizes as people write it: `10k..2M`, `1M..`, `..500k`.
struct SizeRange {
  let first: UInt64?
  let last: UInt64?

  /// The range a text means; nil where it means none.
  init?(_ text: [UInt8]) {
    guard let (low, high) = RangeText.bounds(of: text) else { return nil }
    guard let first = Self.bound(low), let last = Self.bound(high) else { return nil }
    self.first = first
    self.last = last
  }

  /// A bound, or none where the text is empty; nil where it is no number.
  private static func bound(_ text: ArraySlice<UInt8>) -> UInt64?? {
    guard !text.isEmpty else { return .some(nil) }
    var cursor = Cursor([UInt8](text))
    guard let number = cursor.decimal() else { return nil }
    let unit = cursor.remaining.map { ASCII.lowercased($0) }
    let factors: [[UInt8]: UInt64] = [
      []: 1, [0x62]: 1, [0x6B]: 1024, [0x6D]: 1024 * 1024, [0x67]: 1024 * 1024 * 1024,
    ]
    let bare = unit.count > 1 && unit.last == 0x62 ? Array(unit.dropLast()) : unit
    guard let factor = factors[bare] else { return nil }
    let (size, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return .some(isTooLarge ? .max : size)
  }
}
