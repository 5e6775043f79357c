/// How much is moved in several mailboxes at once.
enum FlightLimit {
  /// Messages of one mailbox, each of which the server is told how to find.
  static let messagesOfMailbox = 100

  private static let mailboxes = 16
  private static let messages = 500

  /// Cuts what is to be done in mailboxes into flights; `count` gives the messages of each.
  static func flights<Lot>(of lots: [Lot], count: (Lot) -> Int) -> [[Lot]] {
    var flights: [[Lot]] = []
    var messages = 0
    for lot in lots {
      messages += count(lot)
      if let last = flights.last, last.count < mailboxes, messages <= Self.messages {
        flights[flights.count - 1].append(lot)
      } else {
        flights.append([lot])
        messages = count(lot)
      }
    }
    return flights
  }
}
