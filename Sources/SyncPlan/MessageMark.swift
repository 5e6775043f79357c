internal import Octets

/// What a message is recognised by when it turns up in another mailbox of the server: Message-ID or body, header, size and
/// internal date.
struct MessageMark: Hashable {
  /// The body's hash is 0 where there is a Message-ID.
  private let content: ContentText
  private let header: UInt64
  private let look: MessageLook

  /// The mark of a record; nil where not enough of it is known.
  init?(_ record: BaseRecord) {
    guard let identity = record.identity, let look = MessageLook(record) else { return nil }
    content = identity.messageID == 0 ? identity.text : Self.alone(identity.messageID)
    header = record.serverHeader ?? identity.header
    self.look = look
  }

  /// The mark of a message; nil where the server did not tell enough of it.
  init?(_ message: RemoteMessage) {
    guard let look = MessageLook(message) else { return nil }
    self.look = look
    if let key = message.key, key.messageID != 0 {
      content = Self.alone(key.messageID)
      header = key.header
    } else if let identity = message.identity {
      content = identity.text
      header = identity.header
    } else {
      return nil
    }
  }

  /// The mailboxes in which the server has messages that their records do not know, by the marks of these.
  static func new(
    in mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex]
  ) -> [MessageMark: Set<UInt64>] {
    var found: [MessageMark: Set<UInt64>] = [:]
    for (mailbox, remote) in zip(mailboxes, remotes) {
      for message in remote.newestFirst(but: mailbox.knownUIDs) {
        guard let mark = MessageMark(message) else { continue }
        found[mark, default: []].insert(mailbox.mailbox)
      }
    }
    return found
  }

  private static func alone(_ messageID: UInt64) -> ContentText {
    ContentText(messageID: messageID, bodyHigh: 0, bodyLow: 0)
  }
}
