internal import IMAP
internal import Octets

/// Finds on the server the messages that requests are about, and what became of them.
struct RequestedMessageSearch {
  /// Where a message is in a mailbox.
  enum Location {
    case found(UInt32)
    case gone
    case ambiguous
  }

  private let account: AccountConnection

  init(_ account: AccountConnection) {
    self.account = account
  }

  /// Where the message is in the open mailbox; one with another Message-ID is another message.
  func locate(
    _ message: RequestedMessage,
    _ selected: SelectedMailbox
  ) throws(SyncFailure) -> Location {
    let connection = try account.connected()
    let wanted = message.messageID.map { HeaderFacts.hash(ofMessageID: $0) }
    if selected.validity == message.validity {
      let found = try ContentQueries(connection).messageIDs([message.uid])
      guard let hash = found[message.uid] else { return .gone }
      if wanted == nil || wanted == hash { return .found(message.uid) }
    }
    guard let identifier = message.messageID,
      let found = try MessageSearch(connection).messages(withID: identifier)
    else { return .ambiguous }
    guard found.count < 2 else { return .ambiguous }
    return found.first.map { .found($0) } ?? .gone
  }

  /// What became of a message that is not where it is to be moved from.
  func departed(
    _ message: RequestedMessage,
    _ target: MailboxName,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> RequestOutcome {
    guard let identifier = message.messageID else {
      // There is nothing to find it by, and nobody else knew of the move that was sent.
      return begun?.mailbox == target.wire ? .present : .impossible(.gone)
    }
    let connection = try account.connected()
    _ = try SelectedMailbox(opening: target, on: connection)
    let found = try MessageSearch(connection).messages(withID: identifier) ?? []
    return found.isEmpty ? .impossible(.gone) : .present
  }

  /// Whether a copy of the message came into the other mailbox by an attempt that did not end.
  func hasCopy(
    of uid: UInt32,
    since begun: AppendNote,
    in target: MailboxName
  ) throws(SyncFailure) -> Bool {
    let connection = try account.connected()
    guard let identity = try ContentQueries(connection).contents([uid])[uid] else { return false }
    let selected = try SelectedMailbox(opening: target, on: connection)
    guard selected.validity == begun.validity else { return false }
    var search = ArrivalSearch(connection, account.context.interruption, claimed: [])
    let wanted = ArrivalSearch.Wanted(identity: identity, size: 0, uidNext: begun.uidNext)
    return try search.find([wanted]).contains { $0 != nil }
  }
}
