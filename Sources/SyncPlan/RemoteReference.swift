/// A message of one of the mailboxes that are planned together.
struct RemoteReference: Hashable, Comparable {
  let mailbox: UInt64
  let uid: UInt32

  static func < (first: Self, second: Self) -> Bool {
    (first.mailbox, first.uid) < (second.mailbox, second.uid)
  }
}
