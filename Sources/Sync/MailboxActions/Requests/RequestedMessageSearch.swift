internal import MailModel
internal import MailStore
internal import MessageContent
internal import Octets
internal import SyncPlan

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

  /// Where the message is in the mailbox; one with another Message-ID is another message.
  func locate(
    _ message: MessageReference,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> Location {
    let store = try account.connected()
    let wanted = message.messageID.map { HeaderFacts.hash(ofMessageID: $0) }
    if message.uid > 0, mailbox.identity.validity == message.validity {
      let found = try store.messageIDs(of: [message.uid], in: mailbox)
      guard let hash = found[message.uid] else { return .gone }
      if wanted == nil || wanted == hash { return .found(message.uid) }
    }
    guard let identifier = message.messageID,
      let found = try store.messages(withID: identifier, in: mailbox)
    else { return .ambiguous }
    guard found.count < 2 else { return .ambiguous }
    return found.first.map { .found($0) } ?? .gone
  }

  /// What became of a message that is not where it is to be moved from.
  func departed(
    _ message: MessageReference,
    _ target: MailboxName,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> RequestResult {
    let store = try account.connected()
    let opened = try store.open(target, forChanges: true)
    let mailbox = MailboxReference(target, opened.identity)
    guard let identifier = message.messageID,
      let found = try store.messages(withID: identifier, in: mailbox)
    else {
      // There is nothing to find it by, and no other client knew of the move that was sent.
      return begun?.mailbox == target.wire ? .present : .impossible(.gone)
    }
    return found.isEmpty ? .impossible(.gone) : .present
  }

  /// What the mailbox is like that a message of another is to be copied to, and whether a copy came into it by an attempt
  /// that did not end.
  ///
  /// - Returns: nil where the server gives no UIDVALIDITY, so that no copy could ever be told from other messages.
  func arrivals(
    of uid: UInt32,
    of source: MailboxReference,
    since begun: AppendNote?,
    in target: MailboxName
  ) throws(SyncFailure) -> (place: MailboxPlace, hasCopy: Bool)? {
    let store = try account.connected()
    let begun = begun?.mailbox == target.wire ? begun : nil
    let identity = begun == nil ? nil : try store.contents(of: [uid], in: source)[uid]?.identity
    let opened = try store.open(target, forChanges: true)
    guard let validity = opened.validity else { return nil }
    let place = MailboxPlace(validity: validity, uidNext: opened.uidNext ?? 1)
    guard let identity, let begun, begun.validity == validity else {
      return (place, false)
    }
    let wanted = WantedArrival(identity: identity, size: nil, uidNext: begun.uidNext ?? 1)
    let found = try store.find(
      [wanted],
      besides: [],
      in: MailboxReference(target, opened.identity)
    )
    return (place, found.contains { $0 != nil })
  }
}
