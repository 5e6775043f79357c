package import MailModel

/// A mailbox of the server that something is to be done in.
package struct MailboxReference: Hashable, Sendable {
  /// Its name.
  package let name: MailboxName
  /// Which mailbox is meant: where another one has the name by now, nothing is done.
  package let identity: MailboxIdentity

  /// A reference to the mailbox that was seen under that name.
  package init(_ name: MailboxName, _ identity: MailboxIdentity) {
    self.name = name
    self.identity = identity
  }
}
