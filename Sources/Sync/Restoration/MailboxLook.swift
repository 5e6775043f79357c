internal import MailModel
internal import MailStore
internal import MessageContent
internal import Platform
internal import RestorePlan
internal import SyncPlan
internal import SyncState

/// Looks which files of a restore a mailbox has.
///
/// Nothing is changed on the server. What is found is recorded, so that nothing is fetched twice.
final class MailboxLook {
  /// A mailbox as it was listed.
  struct Listing {
    /// What is kept of a message.
    struct Message {
      let uid: UInt32
      let size: UInt64
      let date: Int64?
    }

    let reference: MailboxReference
    let keptFlags: KeptFlags
    /// UIDNEXT, or more where the list says so.
    let uidNext: UInt32
    /// All messages, by UID.
    let messages: [Message]

    /// The message of that UID; nil where it was not listed.
    func message(_ uid: UInt32) -> Message? {
      var range = 0..<messages.count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        if messages[middle].uid == uid { return messages[middle] }
        range =
          messages[middle].uid < uid
          ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
  }

  /// Messages that are fetched before what they are is recorded.
  private static let piece = 2000

  private let store: any MailStore
  private let mailbox: MailboxName
  private let display: String
  private let journal: RestoreJournal
  private let meter: FetchMeter?
  private let interruption: Interruption
  private let tell: (String) -> Void

  private var messages = PresentMessages([])
  /// Messages of which the server does not give what is asked for.
  private var unavailable: Set<UInt32> = []

  init(
    _ store: any MailStore,
    _ mailbox: MailboxName,
    display: String,
    _ journal: RestoreJournal,
    _ meter: FetchMeter?,
    _ interruption: Interruption,
    tell: @escaping (String) -> Void
  ) {
    self.store = store
    self.mailbox = mailbox
    self.display = display
    self.journal = journal
    self.meter = meter
    self.interruption = interruption
    self.tell = tell
  }

  /// Lists the mailbox; what was begun in it and not answered for stays open.
  func list() throws(SyncFailure) -> Listing {
    var remote = try store.read(MailboxQuestion(mailbox))
    guard remote.missing == 0 else {
      throw .mailbox(.listIncomplete(missing: remote.missing, of: Int(remote.exists)))
    }
    let validity = try remote.knownValidity
    let listed = remote.view.listed
      .map { Listing.Message(uid: $0.uid, size: $0.size ?? 0, date: $0.date) }
      .sorted { $0.uid < $1.uid }
    // Of a large mailbox that takes much more.
    remote.view = .unchanged
    Memory.release()
    try journal.turn(to: mailbox, validity)
    return Listing(
      reference: MailboxReference(mailbox, remote.identity),
      keptFlags: remote.keptFlags,
      uidNext: max(remote.uidNext ?? 1, UInt32(clamping: UInt64(listed.last?.uid ?? 0) + 1)),
      messages: listed
    )
  }

  /// Finds out what came of messages that were sent and not answered for.
  ///
  /// - Returns: whether any is there, so that the list is to be made anew.
  func resolveUnanswered(_ target: RestoreTarget, _ listing: Listing) throws(SyncFailure) -> Bool {
    let digests = Set(journal.mailbox.open.map(\.digest))
    guard !digests.isEmpty else { return false }
    var known: [WireDigest: RestoredFile] = [:]
    for file in target.files where digests.contains(file.digest) { known[file.digest] = file }
    let open = journal.mailbox.open.filter { known[$0.digest] != nil }
    let wanted = open.compactMap { entry in
      known[entry.digest].map { target.wanted($0, from: entry.uidNext, .begun) }
    }
    guard !wanted.isEmpty else { return false }
    tell("\(display): looking for what was under way")
    let found = try store.find(wanted, besides: journal.mailbox.known, in: listing.reference)
    try journal.recordLines(
      zip(open, found).map { entry, message in
        message.map { .there(entry.digest, uid: $0.uid, .unseen) } ?? .none(entry.digest)
      }
    )
    return found.contains { $0 != nil }
  }

  /// The UID of each file's message; nil where the mailbox has none.
  func match(_ target: RestoreTarget, _ listing: Listing) throws(SyncFailure) -> [UInt32?] {
    messages.uids = listing.messages.map(\.uid)
    while true {
      if interruption.isRequested { throw .interrupted }
      let matcher = RestoreMatcher(
        target.files,
        messages,
        journal.mailbox,
        holdsDrafts: target.holdsDrafts
      )
      let unknown = matcher.identifiersWanted.filter { !unavailable.contains($0) }
      let unread = matcher.contentsWanted.filter { !unavailable.contains($0) }
      let isFinal = unknown.isEmpty && unread.isEmpty
      // As long as not all is known, only equal octets say for certain which is which.
      try record(matcher.partners, target) { isFinal || $0 == .octets }
      if isFinal { return try adopt(matcher.partners.map { $0?.uid }, target, listing) }
      if unknown.isEmpty {
        tell("\(display): fetching \(unread.count) messages to compare them")
        try fetch(Array(unread.prefix(Self.piece)), listing)
      } else {
        let found = try store.messageIDs(of: unknown, in: listing.reference)
        messages.identifiers.merge(found) { $1 }
        unavailable.formUnion(unknown.filter { found[$0] == nil })
      }
    }
  }

  /// The messages of the files with those that older versions recorded of the files without one.
  ///
  /// Such a record does not say of whose mailbox it speaks: it counts if From, Date and Subject of that message are the file's.
  private func adopt(
    _ known: [UInt32?],
    _ target: RestoreTarget,
    _ listing: Listing
  ) throws(SyncFailure) -> [UInt32?] {
    guard !journal.unnamed.isEmpty else { return known }
    var uids = known
    var taken = Set(known.compactMap { $0 })
    for (index, file) in target.files.enumerated() where known[index] == nil {
      uids[index] = journal.unnamed.messages(of: file.digest).first {
        listing.message($0) != nil && taken.insert($0).inserted
      }
    }
    let adopted = uids.indices.filter { known[$0] == nil && uids[$0] != nil }
    guard !adopted.isEmpty else { return known }
    let headers = try store.headers(of: adopted.compactMap { uids[$0] }, in: listing.reference)
    var lines: [RestoreRecords.Line] = []
    for index in adopted {
      guard let uid = uids[index] else { continue }
      let file = target.files[index]
      if headers[uid]?.headerKey == file.headerKey {
        lines.append(.there(file.digest, uid: uid, .unseen))
      } else {
        uids[index] = nil
      }
    }
    try journal.recordLines(lines)
    return uids
  }

  private func fetch(_ uids: [UInt32], _ listing: Listing) throws(SyncFailure) {
    let interruption = interruption
    let reader = MessageContentsReader(store, listing.reference, meter)
    let found = try reader.read(uids.compactMap { listing.message($0)?.remote }) {
      interruption.isRequested
    }
    for (uid, message) in found { messages.contents[uid] = message.content }
    unavailable.formUnion(uids.filter { found[$0] == nil })
  }

  /// What was found by content is known from now on.
  private func record(
    _ partners: [RestoreMatcher.Partner?],
    _ target: RestoreTarget,
    where isCertain: (RestoreMatcher.Evidence) -> Bool
  ) throws(SyncFailure) {
    var lines: [RestoreRecords.Line] = []
    for (index, partner) in partners.enumerated() {
      guard let partner, partner.evidence != .recorded, isCertain(partner.evidence) else {
        continue
      }
      let proof: RestoreRecords.Proof = partner.evidence == .octets ? .same : .other
      lines.append(.there(target.files[index].digest, uid: partner.uid, proof))
      messages.contents[partner.uid] = nil
    }
    try journal.recordLines(lines)
  }
}

extension MailboxLook.Listing.Message {
  /// The message as an order to fetch it needs it.
  var remote: RemoteMessage {
    RemoteMessage(uid: uid, flags: MessageFlags(), size: size, date: date)
  }
}
