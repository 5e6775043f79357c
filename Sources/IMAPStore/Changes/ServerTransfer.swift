internal import MailStore
internal import IMAP
internal import MailModel

/// Sends messages of the open mailbox to another: MOVE where the server has it, else COPY.
struct ServerTransfer {
  private let connection: Connection
  private let target: MailboxName

  init(_ connection: Connection, to target: MailboxName) {
    self.connection = connection
    self.target = target
  }

  /// Sends them; with MOVE they are gone from the open mailbox then, with COPY they are still there.
  func run(_ uids: UIDSet) throws(SyncFailure) -> TransferOutcome {
    let canMove = connection.capabilities.canMove
    let command: Command = canMove ? .uidMove(uids, to: target) : .uidCopy(uids, to: target)
    var outcome = TransferOutcome()
    // MOVE tells the new UIDs before its tagged reply (RFC 6851 §4.3), COPY in it.
    let response = try connection.perform(command) { event in
      if case .status(let status) = event { take(status.code, uids, &outcome) }
    }
    take(response.code, uids, &outcome)
    if response.kind != .ok { outcome.refusal = ServerReply(response) }
    return outcome
  }

  private func take(_ code: ResponseCode?, _ uids: UIDSet, _ outcome: inout TransferOutcome) {
    guard let (validity, pairs) = code?.copied else { return }
    outcome.validity = validity
    for range in uids.ranges {
      for uid in range { if let new = pairs[uid] { outcome.pairs[uid] = new } }
    }
  }
}
