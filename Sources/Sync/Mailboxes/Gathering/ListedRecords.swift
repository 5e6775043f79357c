internal import MailStore
internal import Maildir
internal import SyncPlan
internal import SyncState

/// What is on record of the messages that a server listed.
///
/// The record of a message that was sent from here has the size and date that it was sent with. A server may change what it takes,
/// and give it a date of its own; where both are other ones the Message-ID tells whether its UID means another message by now. It
/// also decides where the size or the date of a message that was fetched is another one, and not both.
struct ListedRecords {
  /// The records, by UID; also of messages that are to go for good: their UIDs would be expunged.
  private(set) var records: [UInt32: BaseRecord] = [:]
  /// Those of them that are to be recorded anew: they have the size and date of the server now.
  private(set) var corrected: [BaseRecord] = []
  /// Whether the UID of a message that was fetched means one with another Message-ID by now.
  private(set) var hasOtherMessage = false

  private let state: MailboxState?
  private let listed: RemoteMessages

  /// Those of a mailbox; none where nothing is recorded of it.
  init(of listed: RemoteMessages, _ state: MailboxState?) {
    self.state = state
    self.listed = listed
    guard let state else { return }
    for uid in listed.uids {
      records[uid] = state.messages[uid] ?? state.pendingExpunges[uid]?.former
    }
  }

  /// Asks for the Message-IDs of those that are in doubt, as long as UIDs mean what they meant, and corrects them.
  mutating func correct(
    over store: any MailStore,
    in mailbox: MailboxReference
  ) throws(SyncFailure) {
    guard let state else { return }
    let doubted = listed.filter { isDoubted($0, state) }
    guard SyncRule.contents.isOn, !doubted.isEmpty else { return }
    let identifiers = try store.messageIDs(of: doubted.map(\.uid), in: mailbox)
    for message in doubted {
      guard let record = records[message.uid] else { continue }
      let now = Trace(messageID: identifiers[message.uid])
      let same = Sameness.compare(Trace(record), now, .inPlace)
      if same.level == .no {
        hasOtherMessage = hasOtherMessage || !hasOwnName(record, state)
      } else if same.agreeing.contains(.named) {
        correct(record, message, state)
      }
    }
  }

  private func isDoubted(_ message: RemoteMessage, _ state: MailboxState) -> Bool {
    guard let record = records[message.uid] else { return false }
    let other = record.otherLook(of: message)
    return !other.isEmpty && (other == .look) == hasOwnName(record, state)
  }

  private mutating func correct(
    _ record: BaseRecord,
    _ message: RemoteMessage,
    _ state: MailboxState
  ) {
    var record = record
    (record.size, record.date) = (message.size ?? record.size, message.date ?? record.date)
    records[message.uid] = record
    if state.messages.contains(message.uid), state.underWay[message.uid] == nil {
      corrected.append(record)
    }
  }

  /// Whether the file was not fetched as the message that it is: else size and date on record are those that the server told.
  private func hasOwnName(_ record: BaseRecord, _ state: MailboxState) -> Bool {
    let header = state.header
    let key = MessageKey(validity: header.validity, uid: record.uid, mailbox: header.id)
    return MessageKey(baseName: record.name) != key
  }
}
