package import MailModel

/// Messages of one mailbox that are to be moved to another one where the server finds them as they are on record.
package struct MoveOrder: Sendable {
  /// The mailbox that they are in.
  package let mailbox: MailboxReference
  /// The mailbox that they go to.
  package let target: MailboxName
  /// Octets on the wire of each message, by UID: a message of another size stays.
  package let sizes: [UInt32: UInt64]
  /// Those of the messages that stay where they are flagged on the server.
  package let unflagged: Set<UInt32>

  package init(
    from mailbox: MailboxReference,
    to target: MailboxName,
    sizes: [UInt32: UInt64],
    unflagged: Set<UInt32> = []
  ) {
    self.mailbox = mailbox
    self.target = target
    self.sizes = sizes
    self.unflagged = unflagged
  }
}
