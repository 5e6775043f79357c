internal import IMAP
internal import MailModel
internal import MessageContent
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
    _ message: MessageReference,
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
    _ message: MessageReference,
    _ target: MailboxName,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> RequestOutcome {
    let connection = try account.connected()
    _ = try SelectedMailbox(opening: target, on: connection)
    guard let identifier = message.messageID,
      let found = try MessageSearch(connection).messages(withID: identifier)
    else {
      // There is nothing to find it by, and nobody else knew of the move that was sent.
      return begun?.mailbox == target.wire ? .present : .impossible(.gone)
    }
    return found.isEmpty ? .impossible(.gone) : .present
  }

  /// What the mailbox is like that a message of the open one is to be copied to, and whether a copy came into it by an
  /// attempt that did not end; that mailbox is open then.
  ///
  /// - Returns: nil where the server gives no UIDVALIDITY, so that no copy could ever be told from other messages.
  func arrivals(
    of uid: UInt32,
    since begun: AppendNote?,
    in target: MailboxName
  ) throws(SyncFailure) -> (place: MailboxPlace, hasCopy: Bool)? {
    let connection = try account.connected()
    let begun = begun?.mailbox == target.wire ? begun : nil
    let identity = begun == nil ? nil : try ContentQueries(connection).contents([uid])[uid]
    let selected = try SelectedMailbox(opening: target, on: connection)
    guard selected.validity > 0 else { return nil }
    let place = MailboxPlace(validity: selected.validity, uidNext: selected.uidNext)
    guard let identity, let begun, begun.validity == selected.validity else {
      return (place, false)
    }
    var search = ArrivalSearch(connection, account.context.interruption, claimed: [])
    let wanted = ArrivalSearch.Wanted(identity: identity, size: 0, uidNext: begun.uidNext)
    return (place, try search.find([wanted]).contains { $0 != nil })
  }
}
