/// A message of one of the mailboxes that are planned together.
struct MessageReference: Hashable {
  let mailbox: UInt64
  let uid: UInt32
}
