internal import IMAP
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Finds files whose names say that they are messages of another mailbox of the group, which has no record of them.
///
/// They were moved, and the records that told so were lost or are older than the move. What the key in the name says
/// counts where that mailbox is still the same, has the message and no file of it, and Message-ID and size agree.
struct MovedKeys {
  private struct Origin {
    let name: [UInt8]
    let file: OpenMailbox
    let uid: UInt32
  }

  private let session: MailboxSession
  private let group: [OpenMailbox]

  init(_ session: MailboxSession, _ group: [OpenMailbox]) {
    self.session = session
    self.group = group
  }

  /// Records such messages with the mailboxes that they come from; the plan then sees that their files went.
  func settle(_ mailbox: OpenMailbox) throws(SyncFailure) {
    var origins: [Origin] = []
    for other in group where other !== mailbox && !other.hasFailed {
      origins += self.origins(in: other, of: mailbox)
    }
    guard !origins.isEmpty else { return }
    try session.open(mailbox)
    let headers = try ContentQueries(session.connection).headers(origins.map(\.uid))
    let listed = RemoteIndex(mailbox.remote.view)
    var records: [StateRecord] = []
    for origin in origins {
      guard let message = listed.message(origin.uid), let header = headers[origin.uid],
        let content = try origin.file.content(of: origin.name),
        header.messageID == content.identity.messageID, message.size == content.wireSize
      else { continue }
      records.append(.message(Self.record(message, origin, content)))
    }
    try mailbox.record(records)
  }

  private func origins(in other: OpenMailbox, of mailbox: OpenMailbox) -> [Origin] {
    let header = mailbox.state.header
    let listed = RemoteIndex(mailbox.remote.view)
    return other.local.files.compactMap { name, _ in
      guard let key = MessageKey(baseName: name), key.mailbox == header.id,
        key.validity == header.validity, mailbox.state.messages[key.uid] == nil,
        mailbox.local.files[name] == nil, other.state.uid(of: name) == nil,
        listed.message(key.uid) != nil
      else { return nil }
      return Origin(name: name, file: other, uid: key.uid)
    }
  }

  private static func record(
    _ message: RemoteMessage,
    _ origin: Origin,
    _ content: MessageContents
  ) -> BaseRecord {
    let flags = origin.file.flags(of: origin.name) ?? []
    return BaseRecord(
      uid: message.uid,
      name: origin.name,
      flags: Rebinding.base(flags, message.flags),
      size: message.size ?? 0,
      date: message.date ?? 0,
      identity: content.identity
    )
  }
}
