package import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files whose names say that they are messages of another mailbox of the group, which has no record of them.
///
/// They were moved, and the records that told so were lost or are older than the move. What the key in the name says
/// counts where that mailbox is still the same, has the message and no file of it, and Message-ID and size agree.
package struct MovedKeys {
  private struct Origin {
    let name: [UInt8]
    let file: OpenMailbox
    let key: MessageKey
  }

  private let store: any MailStore
  /// The files without a record, by the mailbox that their names tell.
  private let strangers: [UInt64: [Origin]]

  /// A search among mailboxes that are open on the store.
  package init(_ store: any MailStore, _ group: [OpenMailbox]) {
    self.store = store
    strangers = Dictionary(grouping: group.flatMap(Self.strangers), by: \.key.mailbox)
  }

  private static func strangers(in mailbox: OpenMailbox) -> [Origin] {
    let state = mailbox.state
    return mailbox.difference.unmatched.compactMap { position in
      let name = mailbox.local.files.base(at: position)
      guard !DetachedName.isOne(name),
        let key = MessageKey(baseName: name), key.mailbox != state.header.id
      else { return nil }
      return Origin(name: name, file: mailbox, key: key)
    }
  }

  /// Records such messages with the mailboxes that they come from; the plan then sees that their files went.
  package func settle(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let origins = origins(of: mailbox)
    guard !origins.isEmpty else { return }
    let headers = try store.headers(of: origins.map(\.key.uid), in: mailbox.reference)
    let listed = RemoteIndex(mailbox.remote.view)
    var records: [StateRecord] = []
    for origin in origins {
      guard let message = listed.message(origin.key.uid), let header = headers[origin.key.uid],
        let content = try origin.file.content(of: origin.name),
        header.messageID == content.identity.messageID, message.size == content.wireSize
      else { continue }
      records.append(.message(Self.record(message, origin, content)))
    }
    try mailbox.record(records)
  }

  private func origins(of mailbox: OpenMailbox) -> [Origin] {
    guard let strangers = strangers[mailbox.state.header.id] else { return [] }
    let state = mailbox.state
    let listed = RemoteIndex(mailbox.remote.view)
    return strangers.filter { origin in
      !origin.file.hasFailed && origin.key.validity == state.header.validity
        && state.messages[origin.key.uid] == nil && mailbox.local.files[origin.name] == nil
        && listed.message(origin.key.uid) != nil
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
      flags: Rematch.base(flags, message.flags),
      size: message.size ?? 0,
      date: message.date ?? 0,
      identity: content.identity,
      // As long as its message on the wire.
      completeness: .whole
    )
  }
}
