package import MailStore
package import Mailboxes
package import SyncState

/// The mailboxes of an account as a command finds them that only looks at them.
package struct AccountReading {
  /// What is needed to read them.
  package let context: MailboxContext
  /// The connection, on which mailboxes are opened for reading (EXAMINE).
  package let store: any MailStore
  /// Those that are mirrored, or would be, in the order of work.
  package let mailboxes: [MirroredMailbox]
  /// How many mailboxes of the server the configuration or the caller leaves out.
  package let others: Int
  /// What is recorded of mailboxes that the server has no more.
  package let gone: [MailboxHeader]
}
