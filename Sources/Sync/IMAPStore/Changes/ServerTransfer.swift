internal import IMAP
internal import MailStore
internal import Octets

/// Sends messages of the open mailbox to others: MOVE where the server has it, else COPY, as for those that are to stay.
struct ServerTransfer {
  /// What a server refuses.
  enum Refusal: Hashable {
    /// The command, as far as it does not say otherwise.
    case ofCommand
    /// What the command is to do.
    case ofMessages

    /// What an answer refuses; nil where it refuses nothing.
    init?(_ response: StatusResponse) {
      switch response.kind {
      case .ok: return nil
      case .bad: self = .ofCommand
      case .no, .preauth, .bye:
        let isOfCommand = response.code == nil && !Self.speaksOfMessages(response.text)
        self = isOfCommand ? .ofCommand : .ofMessages
      }
    }

    /// Whether the words say why these messages cannot go there, which holds for a copy as well.
    private static func speaksOfMessages(_ text: [UInt8]) -> Bool {
      let marks: [StaticString] = [
        "quota", "mailbox is full", "mailbox full", "no space", "too large", "permission",
        "access denied", "read-only", "no such mailbox", "mailbox does not exist",
        "mailbox doesn't exist",
      ]
      return text.indices.contains { place in
        marks.contains { text[place...].startsCaseless(with: $0) }
      }
    }
  }

  /// What it refused of each order but those of copies.
  private(set) var refusals: [Refusal?] = []

  private let connection: Connection
  private let isMove: Bool

  /// By MOVE, or else by COPY.
  init(_ connection: Connection, isMove: Bool) {
    self.connection = connection
    self.isMove = isMove
  }

  /// Sends them, all orders in one round trip; with MOVE they are gone from the open mailbox then, with COPY they are still
  /// there.
  ///
  /// `behind` may send more in the same round trip.
  mutating func sendOrders(
    _ orders: [TransferOrder],
    behind: () -> Void
  ) throws(SyncFailure) -> [TransferOutcome] {
    let sets = orders.map { UIDSet(sortedUIDs: $0.uids.sorted()) }
    var outcomes = orders.map { _ in TransferOutcome() }
    let tags = zip(orders, sets).map { order, uids in
      connection.send(
        isMove && !order.isCopy
          ? .uidMove(uids, to: order.target) : .uidCopy(uids, to: order.target)
      )
    }
    behind()
    for (index, tag) in tags.enumerated() {
      // MOVE tells the new UIDs before its tagged reply (RFC 6851 §4.3), COPY in it; whose they are the old ones tell.
      let response = try connection.finish(tag) { event in
        guard case .status(let status) = event else { return }
        for other in sets.indices { outcomes[other].applyCode(status.code, sets[other]) }
      }
      outcomes[index].applyCode(response.code, sets[index])
      if !orders[index].isCopy { refusals.append(Refusal(response)) }
      if response.kind != .ok { outcomes[index].refusal = ServerReply(response) }
    }
    return outcomes
  }
}

extension TransferOutcome {
  /// Adds what a response code names of these messages.
  mutating func applyCode(_ code: ResponseCode?, _ uids: UIDSet) {
    guard let (validity, pairs) = code?.copied else { return }
    for range in uids.ranges {
      for uid in range {
        guard let new = pairs[uid] else { continue }
        self.pairs[uid] = new
        self.validity = validity
      }
    }
  }
}
