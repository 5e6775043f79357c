internal import IMAP
internal import MailStore
internal import SyncPlan

/// Changes flags in several mailboxes with one flight of commands: each is opened, changed and asked about before the answers of
/// those before it have come.
///
/// So its answer does not show that the mailbox is still the one that is meant until it is changed: another client may have put
/// another one in its place since it was read. So messages are changed only where the server finds them by UID and size (RFC 5182),
/// and what is not answered as expected is found out mailbox by mailbox.
struct FlagFlight {
  /// Mailboxes, and octets of commands, that are on their way at once.
  private static let mailboxLimit = 16
  private static let octetLimit = 64 << 10
  /// Messages of one mailbox, each of which the server is told how to find.
  private static let messageLimit = 100

  private let session: MailboxSession
  private let orders: [FlagOrder]
  private let allowsFlights: Bool
  private var results: [Int: FlagResult] = [:]
  /// Whether answers to a flight are awaited.
  private(set) var isUnderWay = false

  /// The changes that are ordered; where no flights are allowed, they are made mailbox by mailbox.
  init(_ session: MailboxSession, _ orders: [FlagOrder], allowsFlights: Bool) {
    self.session = session
    self.orders = orders
    self.allowsFlights =
      allowsFlights && session.isQuickResync && session.connection.capabilities.canRememberFound
  }

  /// Makes the changes; gives what came of each order.
  mutating func change() throws(SyncFailure) -> [FlagResult] {
    var waiting: [Int] = []
    var alone: [Int] = []
    for (place, order) in orders.enumerated() where !order.stores.isEmpty {
      if mayFly(order) { waiting.append(place) } else { alone.append(place) }
    }
    while !waiting.isEmpty {
      let flight = nextFlight(&waiting)
      alone += flight.count > 1 ? try change(flight) : flight.map(\.place)
    }
    for place in alone.sorted() { try changeAlone(place) }
    return orders.indices.map { results[$0] ?? .done(FlagOutcome(), orders[$0].late) }
  }

  private func mayFly(_ order: FlagOrder) -> Bool {
    allowsFlights && order.stores.count <= Self.messageLimit
      && order.stores.allSatisfy { order.sizes[$0.uid] != nil }
  }

  private func nextFlight(_ waiting: inout [Int]) -> [(place: Int, changes: FlagChanges)] {
    var flight: [(place: Int, changes: FlagChanges)] = []
    var octets = 0
    for place in waiting.prefix(Self.mailboxLimit) {
      let changes = FlagChanges(session, orders[place])
      octets += changes.octetCount
      guard flight.isEmpty || octets <= Self.octetLimit else { break }
      flight.append((place, changes))
    }
    waiting.removeFirst(flight.count)
    return flight
  }

  /// Gives the orders that are to be carried out by themselves.
  private mutating func change(
    _ flight: [(place: Int, changes: FlagChanges)]
  ) throws(SyncFailure) -> [Int] {
    isUnderWay = true
    var flight = flight
    for index in flight.indices { flight[index].changes.send() }
    var open: [Int] = []
    for index in flight.indices {
      let place = flight[index].place
      if let outcome = try flight[index].changes.finish() {
        results[place] = .done(outcome, flight[index].changes.late)
      } else {
        open.append(place)
      }
    }
    isUnderWay = false
    return open
  }

  private mutating func changeAlone(_ place: Int) throws(SyncFailure) {
    var changes = FlagChanges(session, orders[place])
    do throws(SyncFailure) {
      results[place] = .done(try changes.storeFlags(), changes.late)
    } catch {
      guard !error.endsConnection else { throw error }
      results[place] = .failed(error)
      try session.connection.drainReplies()
      session.forget()
    }
  }
}
