package import MailModel

/// Messages of a mailbox that are to go to another one.
package struct TransferOrder: Sendable {
  /// The messages.
  package let uids: [UInt32]
  /// The mailbox that they go to.
  package let target: MailboxName
  /// Whether they also stay where they are.
  package let isCopy: Bool

  package init(_ uids: [UInt32], to target: MailboxName, isCopy: Bool = false) {
    self.uids = uids
    self.target = target
    self.isCopy = isCopy
  }
}
