internal import IMAP
internal import MailModel
internal import MailStore

/// Takes the replies to the commands that open a mailbox and tell of its messages.
struct MailboxReplies {
  private let session: MailboxSession
  private let name: MailboxName
  /// What they told so far.
  var listing = RemoteListing()

  init(_ session: MailboxSession, _ name: MailboxName) {
    self.session = session
    self.name = name
  }

  /// Waits for the reply to SELECT or EXAMINE.
  mutating func finishOpening(_ tag: CommandTag) throws(SyncFailure) {
    // Where it is refused, none is open, not even the one of before.
    session.forget()
    listing.beginOpening()
    let isQuickResync = session.isQuickResync
    let response = try session.connection.finish(tag) { event in
      if isQuickResync { listing.takeOpening(event) } else { listing.takePlainOpening(event) }
    }
    guard response.kind == .ok else {
      throw .commandRefused(session.isWriting ? .select : .examine, ServerReply(response))
    }
    listing.sortMessages()
    listing.endOpening(response.code)
    try checkCount()
    session.didOpen(name, listing.mailbox.identity)
  }

  /// Waits for the reply to a FETCH; `handle` gets what comes before it too.
  mutating func finishFetch(
    _ tag: CommandTag,
    _ handle: (Event) -> Void = { _ in }
  ) throws(SyncFailure) {
    let response = try session.connection.finish(tag) { event in
      handle(event)
      listing.applyEvent(event)
    }
    listing.sortMessages()
    try checkCount()
    // Some servers call `1:*` a bad set where there is no message.
    guard response.kind == .ok || listing.mailbox.exists == 0 else {
      throw .commandRefused(.fetch, ServerReply(response))
    }
  }

  /// A server that names more messages than it has makes up their UIDs: none of them is asked for.
  private func checkCount() throws(SyncFailure) {
    guard listing.isOverfull else { return }
    let limit = Int(listing.mailbox.exists)
    throw .protocolViolation(ProtocolViolation(.listTooLong(limit: limit)))
  }
}
