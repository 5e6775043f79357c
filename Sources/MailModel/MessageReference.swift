/// A message on the server, named so that another one is never taken for it.
package struct MessageReference: Hashable, Sendable {
  /// The mailbox, decoded.
  package let mailbox: [UInt8]

  /// The UIDVALIDITY of the mailbox under which the UID holds.
  package let validity: UInt32

  /// The UID.
  package let uid: UInt32

  /// The base name of the local file; `nil` when there is none.
  package let baseName: [UInt8]?

  /// The Message-ID, with its brackets, by which it is found under another UIDVALIDITY; `nil` for none.
  package let messageID: [UInt8]?

  /// A reference of these parts.
  package init(
    mailbox: [UInt8],
    validity: UInt32,
    uid: UInt32,
    baseName: [UInt8]?,
    messageID: [UInt8]?
  ) {
    self.mailbox = mailbox
    self.validity = validity
    self.uid = uid
    self.baseName = baseName
    self.messageID = messageID
  }
}
