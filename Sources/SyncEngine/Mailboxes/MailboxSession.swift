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

  private var selected: MailboxName?

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

  /// Opens a mailbox that was read before, where it is not open any more.
  ///
  /// - Throws: where the server no longer speaks of the same mailbox, so that nothing is done in a wrong one.
  func open(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard selected != mailbox.mailbox.name else { return }
    let found = try open(mailbox.mailbox.name)
    let known = mailbox.state.header.identity
    guard found.sharesUIDs(with: known) else {
      selected = nil
      throw .mailbox(.identityChanged(from: known, to: found))
    }
  }

  /// Opens a mailbox that may not be mirrored; tells which it is.
  func open(_ name: MailboxName) throws(SyncFailure) -> MailboxIdentity {
    let unknown = MailboxIdentity(validity: 0, serverID: [])
    var identity = unknown
    let response = try connection.perform(opening(name, nil)) { event in
      guard case .status(let status) = event else { return }
      switch status.code {
      case .closed: identity = unknown
      case .uidValidity(let validity): identity.validity = validity
      case .mailboxID(let id): identity.serverID = id
      default: break
      }
    }
    guard response.kind == .ok else {
      throw .commandRefused(command: isWriting ? "SELECT" : "EXAMINE", response)
    }
    didOpen(name)
    return identity
  }
}
