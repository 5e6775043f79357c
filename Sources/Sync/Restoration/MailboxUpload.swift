internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan
internal import SyncPlan

/// Uploads files to a mailbox.
///
/// That a file is about to be sent is durable before it is; which message it became is recorded after.
struct MailboxUpload {
  /// Messages and octets that are sent together at most.
  private static let batch = (messages: 100, octets: UInt64(8 << 20))
  /// After so many refusals in a row that a limit of the server explains, no more are sent.
  private static let refusalLimit = 20
  /// New UIDs that are asked about at most; where there are more the mailbox is listed.
  private static let newLimit: UInt32 = 10_000

  private let restoration: MailboxRestoration
  private let listing: MailboxLook.Listing
  private var uidNext: UInt32
  /// Messages below this UID were looked at, except for those that were sent here.
  private var looked: UInt32
  private var refusals = 0

  init(_ restoration: MailboxRestoration, _ listing: MailboxLook.Listing) {
    self.restoration = restoration
    self.listing = listing
    uidNext = listing.uidNext
    looked = listing.uidNext
  }

  private var store: any MailStore { restoration.store }
  private var target: RestoreTarget { restoration.target }
  private var journal: RestoreJournal { restoration.journal }
  private var progress: RestoreProgress { restoration.progress }
  private var interruption: Interruption { restoration.interruption }

  /// Uploads the files with these places among those of the mailbox, and notes what messages they became.
  ///
  /// False where others have put messages into the mailbox that may be some of these: then it is to be looked at anew.
  mutating func uploadFiles(_ indices: [Int], _ uids: inout [UInt32?]) throws(SyncFailure) -> Bool {
    var done = 0
    var batch: [SourceUpload] = []
    var octets: UInt64 = 0
    for (position, index) in indices.enumerated() {
      batch.append(upload(index))
      octets += target.files[index].wireSize
      let next = position + 1 < indices.count ? indices[position + 1] : nil
      let isFull = batch.count >= Self.batch.messages || octets >= Self.batch.octets
      guard isFull || isLast(index, before: next) else { continue }
      if interruption.isRequested { throw .interrupted }
      if try isOvertaken(indices[(position + 1 - batch.count)...]) { return false }
      if let reply = try send(batch, &uids) {
        restoration.observer(
          .problem(mailbox: target.display, .commandRefused(.append, reply))
        )
        return true
      }
      done += batch.count
      restoration.observer(.uploaded(mailbox: target.display, messages: done, of: indices.count))
      (batch, octets) = ([], 0)
    }
    return true
  }

  /// Whether messages that came since the mailbox was looked at last, and were not sent here, may be some of these files.
  ///
  /// A restore on another machine may be under way, or another client may put back the same messages.
  private mutating func isOvertaken(_ indices: ArraySlice<Int>) throws(SyncFailure) -> Bool {
    let opened = try store.open(target.mailbox, forChanges: true)
    try MailboxRestoration.check(opened.identity, against: listing.reference)
    guard let next = opened.uidNext, next > looked else { return false }
    guard next - looked <= Self.newLimit else { return true }
    let new = (looked..<next).filter { journal.mailbox.proof(of: $0) == nil }
    looked = next
    guard !new.isEmpty else { return false }
    let found = try store.messageIDs(of: new, in: listing.reference)
    let wanted = Set(indices.map { target.files[$0].identity.messageID })
    return found.values.contains(where: wanted.contains)
  }

  /// Whether a batch ends with a file.
  private func isLast(_ index: Int, before next: Int?) -> Bool {
    guard let next else { return true }
    return progress.attempts.isSuspect(index) || progress.attempts.isSuspect(next)
  }

  private func upload(_ index: Int) -> SourceUpload {
    let (file, source) = (target.files[index], target.places[index])
    return SourceUpload(
      index: index,
      file: file,
      source: source,
      directory: target.folders[source.folder].path,
      marks: listing.keptFlags.kept(of: file.flags),
      progress: progress
    )
  }

  /// Sends messages; gives the words of the server where it takes no more.
  private mutating func send(
    _ uploads: [SourceUpload],
    _ uids: inout [UInt32?]
  ) throws(SyncFailure) -> ServerReply? {
    try journal.recordLines(
      uploads.map { .begun($0.file.digest, uidNext: uidNext) },
      isDurable: true
    )
    progress.sent.formUnion(uploads.map(\.index))
    var lines: [RestoreRecords.Line] = []
    var unnamed: [SourceUpload] = []
    var last: ServerReply?
    let results = try append(uploads)
    progress.noteAnswers(to: uploads.map(\.index))
    for (upload, result) in zip(uploads, results) {
      switch result {
      case .appended(listing.reference.identity.validity, let uid) where isNew(uid):
        lines.append(.there(upload.file.digest, uid: uid, .unseen))
        uids[upload.index] = uid
        refusals = 0
      case .appended, .taken:
        unnamed.append(upload)
        refusals = 0
      case .refused(let reply):
        lines.append(.none(upload.file.digest))
        recordRefusal(reply, of: upload)
        last = reply
      }
    }
    try journal.recordLines(lines)
    try find(unnamed, &uids)
    uidNext = max(uidNext, UInt32(clamping: UInt64(journal.mailbox.last ?? 0) + 1))
    return refusals >= Self.refusalLimit ? last : nil
  }

  private func append(_ uploads: [SourceUpload]) throws(SyncFailure) -> [AppendResult] {
    do throws(SyncFailure) {
      return try store.append(uploads, to: target.mailbox)
    } catch {
      if error.isBreak {
        let isFinal = error.isProtocolViolation
        let index = progress.noteBreak(over: uploads.map(\.index), isFinal: isFinal)
        if let index { giveUp(index) }
      }
      throw error
    }
  }

  /// If it cannot be recorded, the next restore only repeats some attempts.
  private func giveUp(_ index: Int) {
    let digest = target.files[index].digest
    if !journal.mailbox.breaking.contains(digest) {
      try? journal.recordLines([.breaks(digest)], isDurable: true)
    }
    restoration.observer(.file(mailbox: target.display, target.path(index), .breaksConnection))
  }

  private func isNew(_ uid: UInt32) -> Bool {
    uid >= listing.uidNext && journal.mailbox.proof(of: uid) == nil
  }

  private mutating func recordRefusal(_ reply: ServerReply, of upload: SourceUpload) {
    progress.sent.remove(upload.index)
    progress.refused.insert(upload.index)
    refusals = reply.cause == .passing ? refusals + 1 : 0
    restoration.observer(
      .file(mailbox: target.display, target.path(upload.index), .refused(reply))
    )
  }

  /// Finds messages that the server took without telling their UIDs; what is not found stays open.
  private func find(_ uploads: [SourceUpload], _ uids: inout [UInt32?]) throws(SyncFailure) {
    guard !uploads.isEmpty else { return }
    let found = try store.find(
      uploads.map { target.wanted($0.file, from: uidNext, .taken) },
      besides: journal.mailbox.known,
      in: listing.reference
    )
    for (upload, message) in zip(uploads, found) { uids[upload.index] = message?.uid }
    try journal.recordLines(
      zip(uploads, found).compactMap { upload, message in
        message.map { .there(upload.file.digest, uid: $0.uid, .unseen) }
      }
    )
  }
}
