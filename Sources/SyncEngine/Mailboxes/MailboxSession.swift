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
    let validity = try open(mailbox.mailbox.name)
    let known = mailbox.state.header.validity
    guard validity == known else {
      selected = nil
      throw .mailbox(.validityChanged(mailbox.directory, from: known, to: validity))
    }
  }

  /// Opens a mailbox that may not be mirrored; gives its UIDVALIDITY, 0 when the server tells none.
  func open(_ name: MailboxName) throws(SyncFailure) -> UInt32 {
    var validity: UInt32 = 0
    let response = try connection.perform(opening(name, nil)) { event in
      switch event {
      case .status(let status) where status.code == .closed: validity = 0
      case .status(let status): if case .uidValidity(let value) = status.code { validity = value }
      default: break
      }
    }
    guard response.kind == .ok else {
      throw .commandRefused(command: isWriting ? "SELECT" : "EXAMINE", response)
    }
    didOpen(name)
    return validity
  }
}
