internal import JSON
internal import Query
internal import SearchIndex
internal import Threads

extension SearchRequest {
  /// The members of a request to another machine.
  var wire: [(name: String, value: JSONValue)] {
    switch self {
    case .count(let query): [Self.ask("count"), ("query", query.wire)]
    case .identities(let query): [Self.ask("identities"), ("query", query.wire)]
    case .messages(let query, let order, let limit):
      [Self.ask("messages"), ("query", query.wire)] + Self.bounds(order, limit)
    case .ids(let query, let order, let limit):
      [Self.ask("ids"), ("query", query.wire)] + Self.bounds(order, limit)
    case .threads(let query, let order, let limit, let detail):
      [Self.ask("threads"), ("query", query.wire), Self.detail(detail)]
        + Self.bounds(order, limit)
    case .linked(let keys, let query, let detail):
      [
        Self.ask("linked"), ("keys", .array(keys.map { .bits($0.rawValue) })),
        ("query", query.wire), Self.detail(detail),
      ]
    }
  }

  private static func ask(_ what: String) -> (name: String, value: JSONValue) {
    ("ask", .string(what))
  }

  private static func bounds(
    _ order: SearchOrder,
    _ limit: Int
  ) -> [(name: String, value: JSONValue)] {
    [("order", .string(order.rawValue)), ("limit", limit == .max ? .null : .integer(limit))]
  }

  private static func detail(_ detail: ResultDetail) -> (name: String, value: JSONValue) {
    ("receivers", .boolean(detail == .all))
  }

  /// The request that a value holds.
  ///
  /// - Throws: where it holds none.
  init(wire value: JSONValue) throws(WireMistake) {
    let query = try Query(wire: try value.wire("query"))
    switch try value.wire("ask").wireText() {
    case "count": self = .count(query)
    case "identities": self = .identities(query)
    case "messages":
      self = .messages(query, try Self.order(value), limit: try Self.limit(value))
    case "ids": self = .ids(query, try Self.order(value), limit: try Self.limit(value))
    case "threads":
      self = .threads(
        query,
        try Self.order(value),
        limit: try Self.limit(value),
        try Self.detail(value)
      )
    case "linked":
      var keys: [LinkKey] = []
      for key in try value.wire("keys").wireElements() {
        keys.append(LinkKey(rawValue: try key.wireBits()))
      }
      self = .linked(keys, query, try Self.detail(value))
    default: throw WireMistake("a question that is known")
    }
  }

  private static func order(_ value: JSONValue) throws(WireMistake) -> SearchOrder {
    guard let order = SearchOrder(rawValue: try value.wire("order").wireText()) else {
      throw WireMistake("an order")
    }
    return order
  }

  private static func limit(_ value: JSONValue) throws(WireMistake) -> Int {
    guard let limit = value.wire(ifPresent: "limit") else { return .max }
    let number: Int = try limit.wireInteger()
    guard number >= 0 else { throw WireMistake("a limit") }
    return number
  }

  private static func detail(_ value: JSONValue) throws(WireMistake) -> ResultDetail {
    try value.wire("receivers").wireFlag() ? .all : .list
  }
}
