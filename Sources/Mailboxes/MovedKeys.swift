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
/// counts where that mailbox has the message and no file of it, and Message-ID and size agree; where its UIDVALIDITY is
/// another one by now, the header has to agree too.
package struct MovedKeys {
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
  package func settle(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard SyncRule.keys.isOn else { return }
    let claims = try claims(on: mailbox)
    guard !claims.isEmpty else { return }
    let asked = Set(claims.flatMap { $0.messages.map(\.uid) })
    let headers = try store.headers(of: asked.sorted(), in: mailbox.reference)
    var taken: Set<UInt32> = []
    var records: [StateRecord] = []
    for claim in claims {
      let own = claim.messages.first { message in
        headers[message.uid].map { claim.isMet(message, $0) } ?? false
          && !taken.contains(message.uid)
      }
      guard let message = own else { continue }
      taken.insert(message.uid)
      records.append(.message(Self.record(message, claim.origin, claim.content)))
    }
    try mailbox.record(records)
  }

  /// A file, and the messages whose file it may be: they have no record, and are as long as it is.
  private struct Claim {
    let origin: KeyedFile
    let content: MessageContents
    let messages: [RemoteMessage]
    /// Whether the UID of the name means something.
    let isCurrent: Bool

    /// Whether the header of a message says that it is the file's.
    ///
    /// Where UIDVALIDITY has changed since the file got its name, the UID says nothing, and the content has to.
    func isMet(_ message: RemoteMessage, _ header: HeaderFacts) -> Bool {
      let same = Sameness.compare(content.trace, header.trace(of: message), .movedHere)
      return same.level >= (isCurrent ? .possible : .likely)
    }
  }

  private func claims(on mailbox: OpenMailbox) throws(SyncFailure) -> [Claim] {
    guard let strangers = strangers[mailbox.state.header.id] else { return [] }
    let origins = strangers.filter {
      !$0.holder.hasFailed && mailbox.local.files[$0.name] == nil
    }
    guard !origins.isEmpty else { return [] }
    let unknown = Self.unknownMessages(of: mailbox)
    let alike = Dictionary(grouping: unknown) { Trace($0).key(.size) }
    let numbered = Dictionary(grouping: unknown, by: \.uid)
    var claims: [Claim] = []
    for origin in origins {
      let isCurrent = origin.key.validity == mailbox.state.header.validity
      let own = numbered[origin.key.uid] ?? []
      guard !isCurrent || !own.isEmpty, !unknown.isEmpty,
        let content = try origin.holder.content(of: origin.name)
      else { continue }
      let messages = (alike[content.trace.key(.size)] ?? [])
        .filter { !isCurrent || $0.uid == origin.key.uid }
      guard !messages.isEmpty else { continue }
      claims.append(
        Claim(origin: origin, content: content, messages: messages, isCurrent: isCurrent)
      )
    }
    return claims
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
