/// A message of one of the mailboxes that are planned together.
package struct RemoteReference: Hashable, Comparable, Sendable {
  /// The mailbox's own id.
  package let mailbox: UInt64
  package let uid: UInt32

  package init(mailbox: UInt64, uid: UInt32) {
    (self.mailbox, self.uid) = (mailbox, uid)
  }

  package static func < (first: Self, second: Self) -> Bool {
    (first.mailbox, first.uid) < (second.mailbox, second.uid)
  }
}
