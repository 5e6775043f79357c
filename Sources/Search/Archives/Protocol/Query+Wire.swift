package import JSON
internal import Octets
package import Query

// Queries as trees: names, dates and tags in them mean what they mean where the query was written.
extension Query {
  /// How deep queries may lie in each other; what was written by a person is far from it.
  private static let depthLimit = 60

  /// The query as a value: an array of a word and what belongs to it.
  package var wire: JSONValue {
    switch self {
    case .everything: Self.value("everything")
    case .nothing: Self.value("nothing")
    case .word(let word, let field, let isExact):
      Self.value("word", .octets(word), Self.value(field?.rawValue), .boolean(isExact))
    case .phrase(let words, let field):
      Self.value("phrase", Self.value(words), Self.value(field?.rawValue))
    case .near(let words, let field, let distance, let isOrdered):
      Self.value(
        "near",
        Self.value(words),
        Self.value(field?.rawValue),
        .integer(distance),
        .boolean(isOrdered)
      )
    case .beginning(let word, let field):
      Self.value("beginning", .octets(word), Self.value(field?.rawValue))
    case .wordless(let field): Self.value("wordless", .string(field.rawValue))
    case .pattern(let text, let field):
      Self.value("pattern", .octets(text), .string(field.rawValue))
    case .exact(let field, let text):
      Self.value("exact", .string(field.rawValue), .octets(text))
    case .date(let range): Self.value("date", Self.value(range.first), Self.value(range.last))
    case .size(let from, let to): Self.value("size", Self.value(from), Self.value(to))
    case .revision(let from, let to): Self.value("revision", Self.value(from), Self.value(to))
    case .thread(let query): Self.value("thread", query.wire)
    case .and(let parts): Self.value("and", .array(parts.map(\.wire)))
    case .or(let parts): Self.value("or", .array(parts.map(\.wire)))
    case .xor(let parts): Self.value("xor", .array(parts.map(\.wire)))
    case .not(let query): Self.value("not", query.wire)
    }
  }

  private static func value(_ name: String, _ rest: JSONValue...) -> JSONValue {
    .array([.string(name)] + rest)
  }

  private static func value(_ name: String?) -> JSONValue { name.map { .string($0) } ?? .null }

  private static func value(_ number: (some BinaryInteger)?) -> JSONValue {
    number.map { .integer($0) } ?? .null
  }

  private static func value(_ words: [[UInt8]]) -> JSONValue {
    .array(words.map { .octets($0) })
  }

  /// The query that a value was made of.
  ///
  /// - Throws: where it is none.
  package init(wire value: JSONValue) throws(WireMistake) {
    try self.init(value, depth: 0)
  }

  private init(_ value: JSONValue, depth: Int) throws(WireMistake) {
    let elements = try value.wireElements()
    guard depth < Self.depthLimit, let name = elements.first else {
      throw WireMistake("a query")
    }
    let rest = Operands(elements.dropFirst(), depth: depth)
    switch try name.wireText() {
    case "everything": self = .everything
    case "nothing": self = .nothing
    case "word":
      self = .word(try rest.octets(0), try rest.field(1), isExact: try rest.at(2).wireFlag())
    case "phrase": self = .phrase(try rest.words(0), try rest.field(1))
    case "near":
      let distance: Int = try rest.at(2).wireInteger()
      guard (0...10_000).contains(distance) else { throw WireMistake("a distance") }
      self = .near(
        try rest.words(0),
        try rest.field(1),
        distance: distance,
        isOrdered: try rest.at(3).wireFlag()
      )
    case "beginning": self = .beginning(try rest.octets(0), try rest.field(1))
    case "wordless": self = .wordless(try rest.choice(0))
    case "pattern": self = .pattern(try rest.octets(0), try rest.choice(1))
    case "exact": self = .exact(try rest.choice(0), try rest.octets(1))
    case "date": self = .date(DateRange(first: try rest.number(0), last: try rest.number(1)))
    case "size": self = .size(from: try rest.number(0), to: try rest.number(1))
    case "revision": self = .revision(from: try rest.number(0), to: try rest.number(1))
    case "thread": self = .thread(try rest.query(0))
    case "and": self = .and(try rest.queries(0))
    case "or": self = .or(try rest.queries(0))
    case "xor": self = .xor(try rest.queries(0))
    case "not": self = .not(try rest.query(0))
    case let other: throw WireMistake("a query, not \(Printable.text(other.utf8, limit: 40))")
    }
  }

  /// What follows the word of a query.
  private struct Operands {
    private let values: [JSONValue]
    private let depth: Int

    init(_ values: ArraySlice<JSONValue>, depth: Int) {
      self.values = Array(values)
      self.depth = depth
    }

    func at(_ index: Int) throws(WireMistake) -> JSONValue {
      guard values.indices.contains(index) else { throw WireMistake("more operands") }
      return values[index]
    }

    func octets(_ index: Int) throws(WireMistake) -> [UInt8] { try at(index).wireOctets() }

    func words(_ index: Int) throws(WireMistake) -> [[UInt8]] {
      var words: [[UInt8]] = []
      for element in try at(index).wireElements() { words.append(try element.wireOctets()) }
      return words
    }

    func choice<Choice: RawRepresentable<String>>(_ index: Int) throws(WireMistake) -> Choice {
      guard let choice = Choice(rawValue: try at(index).wireText()) else {
        throw WireMistake("a field")
      }
      return choice
    }

    func field(_ index: Int) throws(WireMistake) -> TextField? {
      try at(index) == .null ? nil : try choice(index)
    }

    func number<Number: FixedWidthInteger>(_ index: Int) throws(WireMistake) -> Number? {
      let value = try at(index)
      return value == .null ? nil : try value.wireInteger()
    }

    func query(_ index: Int) throws(WireMistake) -> Query {
      try Query(try at(index), depth: depth + 1)
    }

    func queries(_ index: Int) throws(WireMistake) -> [Query] {
      var queries: [Query] = []
      for element in try at(index).wireElements() {
        queries.append(try Query(element, depth: depth + 1))
      }
      return queries
    }
  }

  /// The query as an archive of that name is asked it, all of whose messages are in the account of that name.
  package func replacingAccount(_ name: [UInt8]) -> Query {
    switch self {
    case .exact(.account, name): .everything
    case .thread(let query): .thread(query.replacingAccount(name))
    case .and(let parts): .and(parts.map { $0.replacingAccount(name) })
    case .or(let parts): .or(parts.map { $0.replacingAccount(name) })
    case .xor(let parts): .xor(parts.map { $0.replacingAccount(name) })
    case .not(let query): .not(query.replacingAccount(name))
    default: self
    }
  }

  /// Whether it is about revisions, which mean nothing beyond one index.
  package var isAboutRevisions: Bool {
    switch self {
    case .revision: true
    case .thread(let query), .not(let query): query.isAboutRevisions
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.isAboutRevisions }
    default: false
    }
  }
}
