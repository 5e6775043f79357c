/// The copy of a message that was sent, in a mailbox of the sender.
package struct SentCopy: Hashable, Sendable {
  /// The mailbox, decoded; `nil` is the one with the role \Sent.
  package let mailbox: [UInt8]?

  /// The flags it gets, as IMAP writes them.
  package let flags: [[UInt8]]

  /// A copy into a mailbox; seen, if nothing else is said.
  package init(to mailbox: [UInt8]? = nil, flags: [[UInt8]] = [[UInt8]("\\Seen".utf8)]) {
    self.mailbox = mailbox
    self.flags = flags
  }
}
