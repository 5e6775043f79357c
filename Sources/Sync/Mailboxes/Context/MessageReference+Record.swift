internal import MailModel
internal import MessageContent
internal import SyncPlan
internal import SyncState

extension MessageReference {
  /// Whether a record of the mailbox with that header and decoded name may be of this message.
  ///
  /// Under a new UIDVALIDITY the name of the file tells, else the Message-ID.
  func isOne(_ record: BaseRecord, _ header: MailboxHeader, in mailbox: [UInt8]) -> Bool {
    if let baseName, baseName == record.name { return true }
    guard mailbox == self.mailbox else { return false }
    if validity == header.validity { return uid == record.uid }
    let wanted = Trace(messageID: messageID.map { HeaderFacts.hash(ofMessageID: $0) })
    return Sameness.compare(wanted, Trace(record), .inPlace).agreeing.contains(.messageID)
  }
}
