package import MailModel
package import Configuration
internal import JSON
internal import Octets
internal import Query
package import SearchIndex
internal import Synchronization

/// An archive on another machine, as searches see it: it is connected to by the first question, and left out from its first
/// mistake on.
package final class Archive: SearchSource {
  /// The name in the configuration.
  package let name: String

  private let settings: ArchiveSettings
  private let report: @Sendable (Explanation) -> Void
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var connection: ArchiveConnection?
    var isOut = false
    /// The number of the last question.
    var number = 0
  }

  /// An archive that is not connected to yet; `report` is told once why it is left out.
  package init(
    _ settings: ArchiveSettings,
    report: @escaping @Sendable (Explanation) -> Void
  ) {
    name = settings.name
    self.settings = settings
    self.report = report
  }

  /// Whether it is left out by now.
  package var isOut: Bool { state.withLock { $0.isOut } }

  /// Sends the question, so that it is worked on while others are.
  package func begin(_ request: SearchRequest) -> () throws(IndexError) -> SearchAnswer? {
    let wanted = limited(request)
    let number = ask(wanted.wire, answerLimit: Self.answerLimit(wanted))
    return { () throws(IndexError) in
      guard let number else { return nil }
      return self.attempt { (state) throws(ArchiveTrouble) in
        try Self.answer(to: number, wanted, self.name, &state)
      }
    }
  }

  /// The octets of a message; nil where it has none of that id, or is out.
  package func message(_ id: [UInt8]) -> [UInt8]? {
    let question: [(name: String, value: JSONValue)] = [
      ("ask", .string("raw")), ("id", .octets(id)),
    ]
    guard let number = ask(question, answerLimit: Self.messageOctets) else { return nil }
    return attempt { (state) throws(ArchiveTrouble) in
      var octets: [UInt8] = []
      var isThere = false
      try Self.receive(number, &state) { (item) throws(WireMistake) in
        isThere = true
        guard let piece = Base64.decode(Array(try item.wireText().utf8)) else {
          throw WireMistake("base64")
        }
        octets += piece
      }
      return isThere ? octets : nil
    } ?? nil
  }

  /// A query about the account of that name is about all of the archive.
  private func limited(_ request: SearchRequest) -> SearchRequest {
    let change = { (query: Query) in query.replacingAccount(Array(self.name.utf8)) }
    return switch request {
    case .count(let query): .count(change(query))
    case .identities(let query): .identities(change(query))
    case .messages(let query, let order, let limit):
      .messages(change(query), order, limit: limit)
    case .ids(let query, let order, let limit): .ids(change(query), order, limit: limit)
    case .threads(let query, let order, let limit, let detail):
      .threads(change(query), order, limit: limit, detail)
    case .linked(let keys, let query, let detail): .linked(keys, change(query), detail)
    }
  }

  /// Asks; the number of the question, or nil where the archive is out.
  private func ask(
    _ members: [(name: String, value: JSONValue)],
    answerLimit: Int
  ) -> Int? {
    attempt { (state) throws(ArchiveTrouble) in
      if state.connection == nil {
        state.connection = try ArchiveConnection(settings.command, timeout: settings.timeout)
      }
      state.number += 1
      try state.connection?.send(
        .object([("number", .integer(state.number))] + members),
        answerLimit: answerLimit
      )
      return state.number
    }
  }

  /// Does something with the connection; where that fails, the archive is out, and that is said.
  private func attempt<Result: Sendable>(
    _ body: (inout State) throws(ArchiveTrouble) -> Result
  ) -> Result? {
    let (result, trouble) = state.withLock { state -> (Result?, ArchiveTrouble?) in
      guard !state.isOut else { return (nil, nil) }
      do throws(ArchiveTrouble) {
        return (try body(&state), nil)
      } catch {
        state.isOut = true
        state.connection = nil
        return (nil, error)
      }
    }
    if let trouble { report(Explanation(trouble, of: name)) }
    return result
  }

  // MARK: Answers

  /// Octets of a list at most, where all is asked for that there is.
  private static let listOctets = 512 << 20
  /// Octets of the answer that is one message, or a few octets of each message.
  private static let messageOctets = 192 << 20
  /// Octets of the answer to a question about one thread, and more for each further item that is asked for.
  private static let (fewOctets, octetsOfItem) = (20 << 20, 64 << 10)

  /// How many octets the answer to a question may have: all of them are in memory at once.
  private static func answerLimit(_ request: SearchRequest) -> Int {
    switch request {
    case .count: 1 << 20
    case .identities: messageOctets
    case .messages(_, _, let limit), .ids(_, _, let limit), .threads(_, _, let limit, _):
      limited(items: limit)
    case .linked(let keys, _, _): limited(items: keys.count)
    }
  }

  private static func limited(items: Int) -> Int {
    min(listOctets, fewOctets + min(items, listOctets / octetsOfItem) * octetsOfItem)
  }

  private static func answer(
    to number: Int,
    _ request: SearchRequest,
    _ name: String,
    _ state: inout State
  ) throws(ArchiveTrouble) -> SearchAnswer {
    switch request {
    case .count:
      var count = 0
      try receive(number, &state, limit: 1) { (item) throws(WireMistake) in
        count = max(0, try item.wireInteger())
      }
      return .count(count)
    case .identities:
      var numbers: [UInt64] = []
      try receive(number, &state) { (item) throws(WireMistake) in
        numbers += try IdentityList.numbers(item)
      }
      return .identities(numbers)
    case .messages(_, _, let limit):
      return .messages(
        try items(number, &state, limit) { (item) throws(WireMistake) in
          try FoundMessage(wire: item, of: name)
        }
      )
    case .ids(_, _, let limit):
      return .ids(
        try items(number, &state, limit) { (item) throws(WireMistake) in
          try FoundID(wire: item)
        }
      )
    case .threads(_, _, let limit, _):
      return .threads(
        try items(number, &state, limit) { (item) throws(WireMistake) in
          try FoundThread(wire: item, of: name)
        }
      )
    case .linked(let keys, _, _):
      return .threads(
        try items(number, &state, keys.count) { (item) throws(WireMistake) in
          try FoundThread(wire: item, of: name)
        }
      )
    }
  }

  private static func items<Item>(
    _ number: Int,
    _ state: inout State,
    _ limit: Int,
    _ make: (JSONValue) throws(WireMistake) -> Item
  ) throws(ArchiveTrouble) -> [Item] {
    var items: [Item] = []
    try receive(number, &state, limit: limit) { (item) throws(WireMistake) in
      items.append(try make(item))
    }
    return items
  }

  /// Takes the items of the answer to a question, which are no more than that many.
  private static func receive(
    _ number: Int,
    _ state: inout State,
    limit: Int = .max,
    _ take: (JSONValue) throws(WireMistake) -> Void
  ) throws(ArchiveTrouble) {
    var count = 0
    while true {
      guard let value = try state.connection?.receive() else { throw .ended(words: nil) }
      let line = try checked { () throws(WireMistake) in try ArchiveLine(wire: value) }
      switch line {
      case .item(number, let item):
        count += 1
        guard count <= limit else { throw .garbled(expected: "end after \(limit) items") }
        try checked { () throws(WireMistake) in try take(item) }
      case .end(number):
        if number == state.number { state.connection?.closeQuestion() }
        return
      case .refusal(number, let words): throw .refused(words)
      // What is left of an answer that was not waited for.
      case .item, .end, .refusal: continue
      }
    }
  }

  private static func checked<Result>(
    _ body: () throws(WireMistake) -> Result
  ) throws(ArchiveTrouble) -> Result {
    do throws(WireMistake) { return try body() } catch {
      throw .garbled(expected: error.expected)
    }
  }
}
