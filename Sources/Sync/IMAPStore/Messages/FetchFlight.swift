internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan

/// Fetches from several mailboxes with one flight of commands: each is opened and asked before the answers of those before it
/// have come.
struct FetchFlight {
  /// Orders and octets that are on their way at once.
  private static let orderLimit = 100
  private static let octetLimit: UInt64 = 4 << 20

  /// An order that was sent.
  private struct Sent {
    let place: Int
    let opening: CommandTag
    let fetch: CommandTag
  }

  private let session: MailboxSession
  private let orders: [FetchOrder]
  /// The orders that were not begun, or have to be begun anew.
  private var waiting: [Int]
  private var results: [Int: FetchResult] = [:]

  /// An order of no messages that takes no more is done as it is.
  init(_ session: MailboxSession, _ orders: [FetchOrder]) {
    self.session = session
    self.orders = orders
    waiting = orders.indices.filter { !orders[$0].messages.isEmpty || orders[$0].more != nil }
  }

  /// Carries out the orders; gives what came of each.
  mutating func fetchOrders() throws(SyncFailure) -> [FetchResult] {
    for place in Set(orders.indices).subtracting(waiting) {
      try orders[place].sink.finishOrder()
      results[place] = .done(isComplete: true)
    }
    while !waiting.isEmpty {
      let flight = nextFlight()
      if flight.count == 1 {
        let fetching = MessageFetch(session.connection, orders[flight[0]])
        try perform(flight[0], fetching) { fetching throws(SyncFailure) in
          try fetching.fetchMessages()
        }
      } else {
        try ask(flight)
      }
    }
    return orders.indices.map { results[$0] ?? .done(isComplete: false) }
  }

  /// The next orders that fit into one flight; one alone may be of any size, and one that has no end yet is alone.
  private mutating func nextFlight() -> [Int] {
    var octets: UInt64 = 0
    let count = waiting.prefix(Self.orderLimit).prefix { place in
      octets += orders[place].messages.reduce(0) { $0 + ($1.size ?? 0) }
      return octets <= Self.octetLimit && orders[place].more == nil
    }.count
    let flight = Array(waiting.prefix(max(1, count)))
    waiting.removeFirst(flight.count)
    return flight
  }

  private mutating func ask(_ flight: [Int]) throws(SyncFailure) {
    let connection = session.connection
    let sent = flight.map { place in
      let name = orders[place].mailbox.name
      let opening = connection.send(session.opening(name, nil))
      let fetch = connection.send(MessageFetch(connection, orders[place]).command)
      return Sent(place: place, opening: opening, fetch: fetch)
    }
    var leftovers: [(place: Int, fetching: MessageFetch)] = []
    for (number, one) in sent.enumerated() {
      var fetching = MessageFetch(connection, orders[one.place])
      do throws(SyncFailure) {
        let identity = try session.finishOpening(orders[one.place].mailbox.name, one.opening)
        try orders[one.place].mailbox.check(identity)
        if try fetching.readAnswer(one.fetch) {
          leftovers.append((one.place, fetching))
        } else {
          try orders[one.place].sink.finishOrder()
          results[one.place] = .done(isComplete: fetching.isComplete)
        }
      } catch {
        if error.isBreak { fetching.noteBreak() }
        try giveUp(one.place, error)
        // What is still to come is no longer usable: the others are asked for again.
        waiting.insert(contentsOf: sent[(number + 1)...].map(\.place), at: 0)
        break
      }
    }
    for (place, fetching) in leftovers {
      try perform(place, fetching) { fetching throws(SyncFailure) in try fetching.mend() }
    }
  }

  /// Does something about an order in its mailbox, and notes what came of it.
  private mutating func perform(
    _ place: Int,
    _ fetching: MessageFetch,
    _ body: (inout MessageFetch) throws(SyncFailure) -> Bool
  ) throws(SyncFailure) {
    let order = orders[place]
    var fetching = fetching
    do throws(SyncFailure) {
      try session.open(order.mailbox)
      let isComplete = try body(&fetching)
      try order.sink.finishOrder()
      results[place] = .done(isComplete: isComplete)
    } catch {
      if error.isBreak { fetching.noteBreak() }
      try giveUp(place, error)
    }
  }

  private mutating func giveUp(_ place: Int, _ failure: SyncFailure) throws(SyncFailure) {
    guard !failure.endsConnection else { throw failure }
    results[place] = .failed(failure)
    try session.connection.drainReplies()
    session.forget()
  }
}

extension IMAPStore {
  /// What came early is not asked for; an order that is fulfilled by it costs no round trip.
  func fetch(_ orders: [FetchOrder]) throws(SyncFailure) -> [FetchResult] {
    var left: [FetchOrder] = []
    for order in orders {
      left.append(try questions.serve(order))
    }
    var flight = FetchFlight(try session(), left)
    return try flight.fetchOrders()
  }
}
