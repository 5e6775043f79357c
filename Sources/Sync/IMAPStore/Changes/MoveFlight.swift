internal import IMAP
internal import MailStore

/// Moves messages of several mailboxes with one flight of commands: each mailbox is opened, and its messages are found and moved,
/// before the answers of those before it have come.
///
/// As in `FlagFlight`, another mailbox may have got the name meanwhile. So messages are moved only where the server finds them by UID
/// and size, and what it names counts only where the mailbox turns out to be the one that is meant.
struct MoveFlight {
  /// The commands of an order.
  private struct Sent {
    let order: MoveOrder
    let opening: CommandTag
    let search: CommandTag
    let move: CommandTag
  }

  private let session: MailboxSession
  private var sent: [Sent] = []

  /// Whether the server can be asked like that.
  ///
  /// One that does not name what it moved would have to be asked again, mailbox by mailbox.
  static func canMove(_ session: MailboxSession) -> Bool {
    let capabilities = session.connection.capabilities
    return session.isQuickResync && capabilities.canMove && capabilities.hasUIDPlus
      && capabilities.canRememberFound
  }

  init(_ session: MailboxSession) { self.session = session }

  private var connection: Connection { session.connection }

  /// Sends all commands.
  ///
  /// A mailbox is opened anew for each order, also where it is open: then the server looks what others changed, and forgets what it
  /// remembered for the order before.
  mutating func send(_ orders: [MoveOrder]) {
    for order in orders {
      let opening = session.opening(order.mailbox.name, nil)
      let search = Command.uidSearchSizes(order.sizes, unflagged: order.unflagged)
      sent.append(
        Sent(
          order: order,
          opening: connection.send(opening),
          search: connection.send(search),
          move: connection.send(.uidMoveFound(to: order.target))
        )
      )
    }
  }

  /// Waits for the replies; gives what the server named of each order.
  mutating func finish() throws(SyncFailure) -> [TransferOutcome] {
    var outcomes: [TransferOutcome] = []
    for sent in sent { outcomes.append(try finish(sent)) }
    sent = []
    return outcomes
  }

  private func finish(_ sent: Sent) throws(SyncFailure) -> TransferOutcome {
    let isMeant = try session.finishOpening(of: sent.order.mailbox, sent.opening)
    _ = try connection.finish(sent.search)
    let uids = UIDSet(sortedUIDs: sent.order.sizes.keys.sorted())
    var outcome = TransferOutcome()
    let response = try connection.finish(sent.move) { event in
      if case .status(let status) = event { outcome.applyCode(status.code, uids) }
    }
    outcome.applyCode(response.code, uids)
    // Where replies to later commands came first, it is not certain which mailbox was spoken of.
    return isMeant && !connection.hasEarlyReplies ? outcome : TransferOutcome()
  }
}
