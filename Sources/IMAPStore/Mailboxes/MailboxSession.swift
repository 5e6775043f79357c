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

  /// The mailbox that is open; nil where none is.
  private(set) var selected: MailboxName?

  init(_ connection: Connection, isQuickResync: Bool, isWriting: Bool) {
    self.connection = connection
    self.isQuickResync = isQuickResync
    self.isWriting = isWriting
  }

  /// The command that opens a mailbox; `didOpen` is to follow where it succeeded.
  func opening(_ name: MailboxName, _ parameter: SelectParameter?) -> Command {
    selected = nil
    return isWriting ? .select(name, parameter) : .examine(name, parameter)
  }

  /// A mailbox is open now.
  func didOpen(_ name: MailboxName) {
    selected = name
  }

  /// Closes the mailbox that is open, where the server can do that without expunging.
  func leave() throws(SyncFailure) {
    guard connection.capabilities.contains("UNSELECT") else { return }
    selected = nil
    _ = try connection.perform(.unselect)
  }

  /// Opens a mailbox that was read before, where it is not open any more.
  ///
  /// - Throws: `identityChanged` where the server no longer speaks of the same mailbox, so that nothing is done in a wrong
  ///   one.
  func open(_ mailbox: MailboxReference) throws(SyncFailure) {
    guard selected != mailbox.name else { return }
    let found = try open(mailbox.name, forChanges: isWriting)
    guard found.identity.sharesUIDs(with: mailbox.identity) else {
      selected = nil
      throw .mailbox(.identityChanged(from: mailbox.identity, to: found.identity))
    }
  }

  /// Opens a mailbox, for changes or to look; tells what it is like.
  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    selected = nil
    var listing = RemoteListing()
    listing.beginOpening()
    let command: Command = forChanges ? .select(name, nil) : .examine(name, nil)
    let response = try connection.perform(command) { event in
      // Without QRESYNC such a line is of no question of ours.
      switch event {
      case .fetch, .vanished: break
      default: listing.takeOpening(event)
      }
    }
    guard response.kind == .ok else {
      throw .commandRefused(command: forChanges ? "SELECT" : "EXAMINE", response)
    }
    listing.endOpening(response.code)
    didOpen(name)
    return listing.mailbox
  }
}
