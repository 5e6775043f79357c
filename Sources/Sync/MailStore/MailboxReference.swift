package import MailModel

/// A mailbox of the server that something is to be done in.
package struct MailboxReference: Hashable, Sendable {
  package let name: MailboxName
  /// Which mailbox is meant: where another one has the name by now, nothing is done.
  package let identity: MailboxIdentity

  package init(_ name: MailboxName, _ identity: MailboxIdentity) {
    self.name = name
    self.identity = identity
  }
}
