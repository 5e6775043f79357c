package import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files whose names say that they are messages of another mailbox of the group, which has no record of them.
///
/// They were moved, and the records that told so were lost or are older than the move. The key in the name counts where that
/// mailbox has the message and no file of it, and Message-ID and size agree. If its UIDVALIDITY has changed, the header has to
/// agree too.
package struct MovedFilesByKey {
  private let store: any MailStore
  /// The files without a record, by the mailbox that their names tell.
  private let strangers: [UInt64: [KeyedFile]]

  /// A search among mailboxes that are open on the store.
  package init(_ store: any MailStore, _ group: [OpenMailbox]) {
    self.store = store
    strangers = Dictionary(grouping: group.flatMap(Self.strangers), by: \.key.mailbox)
  }

  private static func strangers(in mailbox: OpenMailbox) -> [KeyedFile] {
    mailbox.difference.unmatched
      .compactMap { KeyedFile(mailbox.local.files.base(at: $0), in: mailbox) }
      .filter { $0.key.mailbox != mailbox.state.header.id }
  }

  /// Records such messages with the mailboxes that they come from; the plan then sees that their files went.
  package func recordMoves(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard SyncRule.keys.isOn else { return }
    let found = try claims(on: mailbox)
    guard !found.isEmpty else { return }
    let asked = Set(found.flatMap { $0.claim.messages.map(\.uid) })
    let headers = try store.headers(of: asked.sorted(), in: mailbox.reference)
    let met = KeyClaim.resolveClaims(found.map(\.claim)) { headers[$0.uid]?.trace(of: $0) }
    try mailbox.record(
      zip(found, met).compactMap { file, message in
        message.map { .message(Self.record($0, file.origin, file.content)) }
      }
    )
  }

  /// A file, what it holds, and the messages that it may be.
  private typealias Found = (origin: KeyedFile, content: MessageContents, claim: KeyClaim)

  private func claims(on mailbox: OpenMailbox) throws(SyncFailure) -> [Found] {
    guard let strangers = strangers[mailbox.state.header.id] else { return [] }
    let origins = strangers.filter {
      !$0.holder.hasFailed && mailbox.local.files[$0.name] == nil
    }
    guard !origins.isEmpty else { return [] }
    let unknown = Self.unknownMessages(of: mailbox)
    let alike = Dictionary(grouping: unknown) { $0.size }
    let uids = Set(unknown.map(\.uid))
    var found: [Found] = []
    for origin in origins {
      let key = origin.key
      let uid = key.validity == mailbox.state.header.validity ? key.uid : nil
      guard uid.map(uids.contains) ?? !unknown.isEmpty,
        let content = try origin.holder.content(of: origin.name),
        let claim = KeyClaim(content.trace, as: uid, among: alike[content.wireSize] ?? [])
      else { continue }
      found.append((origin, content, claim))
    }
    return found
  }

  /// The messages without a record.
  private static func unknownMessages(of mailbox: OpenMailbox) -> [RemoteMessage] {
    let state = mailbox.state
    let remote = RemoteIndex(mailbox.remote.view)
    return mailbox.remote.view.listed.filter { message in
      !remote.isGone(message.uid) && state.messages[message.uid] == nil
        && state.pendingExpunges[message.uid] == nil
    }
  }

  private static func record(
    _ message: RemoteMessage,
    _ origin: KeyedFile,
    _ content: MessageContents
  ) -> BaseRecord {
    let flags = origin.holder.flags(of: origin.name) ?? []
    return BaseRecord(
      uid: message.uid,
      name: origin.name,
      flags: Rematch.base(flags, message.flags),
      size: message.size,
      date: message.date,
      identity: content.identity,
      // As long as its message on the wire.
      completeness: .whole
    )
  }
}
