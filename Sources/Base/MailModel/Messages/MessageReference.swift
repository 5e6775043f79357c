/// A message on the server, named so that another one is never taken for it.
package struct MessageReference: Hashable, Sendable {
  /// The mailbox, decoded.
  package let mailbox: [UInt8]

  /// The UIDVALIDITY of the mailbox under which the UID holds; 0 where it is not known.
  package let validity: UInt32

  /// The UID; 0 where it is not known, as of a file that is still to be uploaded.
  package let uid: UInt32

  /// The base name of the local file; `nil` when there is none.
  package var baseName: [UInt8]?

  /// The Message-ID, with its brackets, by which it is found under another UIDVALIDITY; `nil` for none.
  package var messageID: [UInt8]?

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
