internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan
internal import SyncPlan

/// Looks which files of a restore a mailbox has.
///
/// Nothing is changed on the server. What is found is recorded, so that nothing is fetched twice.
final class MailboxLook {
  /// The server's side, and which file is which message.
  struct Finding {
    let reference: MailboxReference
    let keptFlags: KeptFlags
    /// UIDNEXT, or more where the list says so.
    let uidNext: UInt32
    let listed: [UInt32: RemoteMessage]
    /// The UID of each file's message.
    let uids: [UInt32?]
  }

  private let store: any MailStore
  private let target: RestoreTarget
  private let journal: RestoreJournal
  private let interruption: Interruption
  private let tell: (String) -> Void

  private var identifiers: [UInt32: UInt64] = [:]
  private var contents: [UInt32: PresentMessage.Content] = [:]
  /// Messages of which the server does not give what is asked for.
  private var unavailable: Set<UInt32> = []

  init(
    _ store: any MailStore,
    _ target: RestoreTarget,
    _ journal: RestoreJournal,
    _ interruption: Interruption,
    tell: @escaping (String) -> Void
  ) {
    self.store = store
    self.target = target
    self.journal = journal
    self.interruption = interruption
    self.tell = tell
  }

  /// Lists the mailbox, and matches.
  func find() throws(SyncFailure) -> Finding {
    var remote = try read()
    if try settle(remote) { remote = try read() }
    let reference = MailboxReference(target.mailbox, remote.identity)
    let listed = Dictionary(
      remote.view.listed.map { ($0.uid, $0) },
      uniquingKeysWith: { _, last in last }
    )
    let uids = listed.keys.sorted()
    let partners = try match(uids, listed, reference)
    try record(partners)
    for case let partner? in partners { contents[partner.uid] = nil }
    return Finding(
      reference: reference,
      keptFlags: remote.keptFlags,
      uidNext: max(remote.uidNext, (uids.last ?? 0) + 1),
      listed: listed,
      uids: partners.map { $0?.uid }
    )
  }

  /// Fetches those of the messages of which no octets were seen since they were uploaded, and records what they are.
  func prove(_ finding: Finding) throws(SyncFailure) {
    let unseen = finding.uids.enumerated().compactMap { index, uid -> (Int, RemoteMessage)? in
      guard let uid, journal.mailbox.proof(of: uid) == .unseen else { return nil }
      return finding.listed[uid].map { (index, $0) }
    }
    var rest = unseen[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1000)
      rest = rest.dropFirst(piece.count)
      let found = try fetch(piece.map(\.1), finding.reference)
      try journal.note(
        piece.compactMap { index, message in
          let digest = target.files[index].file.digest
          return found[message.uid].map {
            .there(digest, uid: message.uid, $0.digest == digest ? .same : .other)
          }
        }
      )
    }
  }

  private func match(
    _ uids: [UInt32],
    _ listed: [UInt32: RemoteMessage],
    _ reference: MailboxReference
  ) throws(SyncFailure) -> [RestoreMatcher.Partner?] {
    let files = target.files.map(\.file)
    while true {
      if interruption.isRequested { throw .interrupted }
      let messages = uids.map {
        PresentMessage(uid: $0, messageID: identifiers[$0], content: contents[$0])
      }
      let matcher = RestoreMatcher(
        files,
        messages,
        journal.mailbox,
        holdsDrafts: target.holdsDrafts
      )
      let unknown = matcher.identifiersWanted.filter { !unavailable.contains($0) }
      let unread = matcher.contentsWanted.filter { !unavailable.contains($0) }
      if !unknown.isEmpty {
        let found = try store.messageIDs(of: unknown, in: reference)
        identifiers.merge(found) { $1 }
        unavailable.formUnion(unknown.filter { found[$0] == nil })
      } else if !unread.isEmpty {
        tell("\(target.display): fetching \(unread.count) messages to compare them")
        let found = try fetch(unread.compactMap { listed[$0] }, reference)
        contents.merge(found) { $1 }
        unavailable.formUnion(unread.filter { found[$0] == nil })
      } else {
        return matcher.partners
      }
    }
  }

  private func read() throws(SyncFailure) -> RemoteMailbox {
    let remote = try store.read(MailboxQuestion(target.mailbox))
    guard remote.missing == 0 else {
      throw .mailbox(.listIncomplete(missing: remote.missing, of: Int(remote.exists)))
    }
    guard remote.validity > 0 else { throw .mailbox(.noValidity) }
    try journal.turn(to: target.mailbox, remote.validity)
    return remote
  }

  private func fetch(
    _ messages: [RemoteMessage],
    _ reference: MailboxReference
  ) throws(SyncFailure) -> [UInt32: PresentMessage.Content] {
    let interruption = interruption
    return try MessageContentsReader(store, reference).read(messages) { interruption.isRequested }
  }

  /// What was found by content is known from now on.
  private func record(_ partners: [RestoreMatcher.Partner?]) throws(SyncFailure) {
    var lines: [RestoreRecords.Line] = []
    for (index, partner) in partners.enumerated() {
      guard let partner else { continue }
      let digest = target.files[index].file.digest
      switch partner.evidence {
      case .recorded: continue
      case .octets: lines.append(.there(digest, uid: partner.uid, .same))
      case .content: lines.append(.there(digest, uid: partner.uid, .other))
      }
    }
    try journal.note(lines)
  }

  /// Finds out what came of messages that were sent and not answered for; gives whether any is there.
  private func settle(_ remote: RemoteMailbox) throws(SyncFailure) -> Bool {
    let open = journal.mailbox.open
    guard !open.isEmpty else { return false }
    let digests = Set(open.map(\.digest))
    var known: [WireDigest: RestoredFile] = [:]
    for file in target.files where digests.contains(file.file.digest) {
      known[file.file.digest] = file.file
    }
    let wanted = open.compactMap { entry in
      known[entry.digest].map { target.wanted($0, from: entry.uidNext, .begun) }
    }
    guard !wanted.isEmpty else { return false }
    tell("\(target.display): looking for what was under way")
    let found = try store.find(
      wanted,
      besides: journal.mailbox.known,
      in: MailboxReference(target.mailbox, remote.identity)
    )
    let sought = open.map(\.digest).filter { known[$0] != nil }
    try journal.note(
      zip(sought, found).map { digest, message in
        message.map { .there(digest, uid: $0.uid, .unseen) } ?? .none(digest)
      }
    )
    return found.contains { $0 != nil }
  }
}
