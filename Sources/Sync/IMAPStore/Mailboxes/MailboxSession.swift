internal import MailStore
internal import IMAP
internal import MailModel

/// A connection, and which mailbox is open on it.
///
/// Used by one thread at a time.
final class MailboxSession {
  let connection: Connection
  /// Whether QRESYNC is on.
  let isQuickResync: Bool
  /// Whether mailboxes are opened for changing them.
  let isWriting: Bool

  /// The mailbox whose answer was looked at last, since when no other one was opened here.
  private var opened: MailboxReference?

  /// The mailbox that is open on the server, and whose answer was looked at; nil where there is none.
  ///
  /// The replies count, also those that no code looks at: no command goes to a mailbox that is not meant.
  private var selected: MailboxReference? {
    opened?.name == connection.openMailbox ? opened : nil
  }

  init(_ connection: Connection, isQuickResync: Bool, isWriting: Bool) {
    self.connection = connection
    self.isQuickResync = isQuickResync
    self.isWriting = isWriting
  }

  /// Whether a mailbox is open.
  func isOpen(_ mailbox: MailboxReference) -> Bool {
    guard let selected else { return false }
    return selected.name == mailbox.name && selected.identity.sharesUIDs(with: mailbox.identity)
  }

  /// The command that opens a mailbox; `didOpen` is to follow where it succeeded.
  func opening(_ name: MailboxName, _ parameter: SelectParameter?) -> Command {
    opened = nil
    return isWriting ? .select(name, parameter) : .examine(name, parameter)
  }

  /// Opens a mailbox and asks what changed in it, and for all messages from a UID on (RFC 7162 §3.2.5).
  func sendQuickResync(
    _ name: MailboxName,
    _ validity: UInt32,
    since modSequence: UInt64,
    from first: UInt32
  ) -> (opening: CommandTag, fetch: CommandTag) {
    let parameter = SelectParameter.qresync(
      validity: validity,
      modSequence: modSequence,
      knownUIDs: nil
    )
    let opening = connection.send(opening(name, parameter))
    let fetch = connection.send(.uidFetch(.from(first), FetchItem.metadata, changedSince: nil))
    return (opening, fetch)
  }

  /// Opens a mailbox and asks for all of its messages.
  func sendOpening(_ name: MailboxName) -> (opening: CommandTag, fetch: CommandTag) {
    let opening = connection.send(opening(name, nil))
    let fetch = connection.send(.uidFetch(.from(1), FetchItem.metadata, changedSince: nil))
    return (opening, fetch)
  }

  /// A mailbox is open now, and this is what its answer said of which one it is.
  func didOpen(_ name: MailboxName, _ identity: MailboxIdentity) {
    opened = MailboxReference(name, identity)
  }

  /// Closes the mailbox that is open, where the server can do that without expunging.
  func leave() throws(SyncFailure) {
    opened = nil
    guard connection.capabilities.contains("UNSELECT") else { return }
    _ = try connection.perform(.unselect)
  }

  /// Has the server close the mailbox that is open, where it can do that without expunging; gives which one it was, and the
  /// tag to wait for where it can.
  func beginLeaving() -> (opened: MailboxName?, tag: CommandTag?) {
    let open = connection.openMailbox
    opened = nil
    guard connection.capabilities.contains("UNSELECT") else { return (open, nil) }
    return (open, open.map { _ in connection.send(.unselect) })
  }

  /// Opens a mailbox that was read before, where it is no longer open, or another one of its name is.
  ///
  /// - Throws: `identityChanged` where the server no longer speaks of the same mailbox, so that nothing is done in a wrong
  ///   one.
  func open(_ mailbox: MailboxReference) throws(SyncFailure) {
    if isOpen(mailbox) { return }
    let found = try open(mailbox.name, forChanges: isWriting)
    do throws(SyncFailure) {
      try mailbox.check(found.identity)
    } catch {
      opened = nil
      throw error
    }
  }

  /// Opens a mailbox, for changes or to look; tells what it is like.
  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    opened = nil
    let command: Command = forChanges ? .select(name, nil) : .examine(name, nil)
    var listing = RemoteListing()
    listing.beginOpening()
    let response = try connection.perform(command) { listing.takePlainOpening($0) }
    return try finishSelect(name, &listing, response, forChanges)
  }

  /// Takes the answer to `opening`; tells which mailbox is open then.
  func finishOpening(
    _ name: MailboxName,
    _ tag: CommandTag
  ) throws(SyncFailure) -> MailboxIdentity {
    var listing = RemoteListing()
    listing.beginOpening()
    let response = try connection.finish(tag) { listing.takePlainOpening($0) }
    return try finishSelect(name, &listing, response, isWriting).identity
  }

  /// Takes the answer to `opening`; gives whether the mailbox that is meant is open then.
  func finishOpening(
    of mailbox: MailboxReference,
    _ tag: CommandTag
  ) throws(SyncFailure) -> Bool {
    do throws(SyncFailure) {
      try mailbox.check(finishOpening(mailbox.name, tag))
      return true
    } catch {
      guard !error.endsConnection else { throw error }
      forget()
      return false
    }
  }

  private func finishSelect(
    _ name: MailboxName,
    _ listing: inout RemoteListing,
    _ response: StatusResponse,
    _ forChanges: Bool
  ) throws(SyncFailure) -> RemoteMailbox {
    guard response.kind == .ok else {
      throw .commandRefused(forChanges ? .select : .examine, ServerReply(response))
    }
    listing.endOpening(response.code)
    didOpen(name, listing.mailbox.identity)
    return listing.mailbox
  }

  /// It is no longer known which mailbox is open.
  func forget() {
    opened = nil
  }
}

extension MailboxReference {
  /// Looks whether the mailbox that is open is the one that is meant.
  ///
  /// - Throws: `identityChanged`.
  func check(_ found: MailboxIdentity) throws(SyncFailure) {
    guard found.sharesUIDs(with: identity) else {
      throw .mailbox(.identityChanged(from: identity, to: found))
    }
  }
}

extension FetchItem {
  /// What is told of a message without its content.
  static let metadata: [FetchItem] = [.uid, .flags, .internalDate, .size]
}
