/// A message for a mailbox.
package struct Appending: Hashable, Sendable {
  /// The mailbox, decoded.
  package let mailbox: [UInt8]

  /// The flags it gets, as IMAP writes them.
  package let flags: [[UInt8]]

  /// The date it gets, in seconds since 1970; `nil` leaves it to the server.
  package let date: Int64?

  /// The Message-ID in the message, with its brackets; `nil` for none.
  package let messageID: [UInt8]?

  package init(to mailbox: [UInt8], flags: [[UInt8]], date: Int64?, messageID: [UInt8]?) {
    self.mailbox = mailbox
    self.flags = flags
    self.date = date
    self.messageID = messageID
  }
}
