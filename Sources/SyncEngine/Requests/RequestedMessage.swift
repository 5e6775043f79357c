internal import SyncPlan

/// A message that somebody wants changed on the server, named so that another one is never taken for it.
package struct RequestedMessage: Hashable, Sendable {
  /// Its mailbox, decoded, with slashes between the levels.
  package var mailbox: [UInt8]
  /// The UIDVALIDITY of the mailbox under which the UID holds.
  package var validity: UInt32
  /// Its UID.
  package var uid: UInt32
  /// The base name of its file; nil where it has none here.
  package var baseName: [UInt8]?
  /// Its Message-ID with the brackets; nil for none.
  package var messageID: [UInt8]?

  /// A message by these names.
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

extension RequestedMessage {
  /// Whether a record of the mailbox with that header and decoded name may be of this message.
  ///
  /// Under a new UIDVALIDITY the name of the file tells, else the Message-ID.
  func isOne(_ record: BaseRecord, _ header: MailboxHeader, in mailbox: [UInt8]) -> Bool {
    if let baseName, baseName == record.name { return true }
    guard mailbox == self.mailbox else { return false }
    if validity == header.validity { return uid == record.uid }
    guard let messageID, let identity = record.identity else { return false }
    return identity.messageID == HeaderFacts.hash(ofMessageID: messageID)
  }
}
