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
  private static let patience = 20

  private let store: any MailStore
  private let target: RestoreTarget
  private let journal: RestoreJournal
  private let progress: RestoreProgress
  private let finding: MailboxLook.Finding
  private let interruption: Interruption
  private let observer: (RestorationEvent) -> Void
  private var uidNext: UInt32
  private var refusals = 0

  init(
    _ store: any MailStore,
    _ target: RestoreTarget,
    _ journal: RestoreJournal,
    _ progress: RestoreProgress,
    _ finding: MailboxLook.Finding,
    _ interruption: Interruption,
    observer: @escaping (RestorationEvent) -> Void
  ) {
    self.store = store
    self.target = target
    self.journal = journal
    self.progress = progress
    self.finding = finding
    self.interruption = interruption
    self.observer = observer
    uidNext = finding.uidNext
  }

  /// Uploads the files with these places among those of the mailbox.
  mutating func run(_ indices: [Int]) throws(SyncFailure) {
    var done = 0
    var batch: [SourceUpload] = []
    var octets: UInt64 = 0
    for (position, index) in indices.enumerated() {
      batch.append(upload(index))
      octets += target.files[index].file.wireSize
      let isFull = batch.count >= Self.batch.messages || octets >= Self.batch.octets
      guard isFull || position == indices.count - 1 else { continue }
      if interruption.isRequested { throw .interrupted }
      if let reply = try send(batch) {
        observer(.problem(mailbox: target.display, .commandRefused(command: "APPEND", reply)))
        return
      }
      done += batch.count
      observer(.uploaded(mailbox: target.display, messages: done, of: indices.count))
      (batch, octets) = ([], 0)
    }
  }

  private func upload(_ index: Int) -> SourceUpload {
    let source = target.files[index]
    return SourceUpload(
      index: index,
      source: source,
      directory: target.folders[source.folder].path,
      marks: finding.keptFlags.kept(of: source.file.flags),
      progress: progress
    )
  }

  /// Sends messages; gives the words of the server where it takes no more.
  private mutating func send(_ uploads: [SourceUpload]) throws(SyncFailure) -> ServerReply? {
    try journal.note(
      uploads.map { .begun($0.source.file.digest, uidNext: uidNext) },
      isDurable: true
    )
    progress.sent.formUnion(uploads.map(\.index))
    var lines: [RestoreRecords.Line] = []
    var unnamed: [SourceUpload] = []
    var last: ServerReply?
    for (upload, result) in zip(uploads, try store.append(uploads, to: target.mailbox)) {
      switch result {
      case .appended(finding.reference.identity.validity, let uid) where isNew(uid):
        lines.append(.there(upload.source.file.digest, uid: uid, .unseen))
        refusals = 0
      case .appended, .taken:
        unnamed.append(upload)
        refusals = 0
      case .refused(let reply):
        lines.append(.none(upload.source.file.digest))
        note(reply, of: upload)
        last = reply
      }
    }
    try journal.note(lines)
    try find(unnamed)
    uidNext = max(uidNext, (journal.mailbox.last ?? 0) + 1)
    return refusals >= Self.patience ? last : nil
  }

  private func isNew(_ uid: UInt32) -> Bool {
    uid >= finding.uidNext && journal.mailbox.proof(of: uid) == nil
  }

  private mutating func note(_ reply: ServerReply, of upload: SourceUpload) {
    progress.sent.remove(upload.index)
    progress.refused.insert(upload.index)
    refusals = reply.cause == .passing ? refusals + 1 : 0
    observer(
      .file(mailbox: target.display, target.path(upload.index), .refused(reply))
    )
  }

  /// Finds messages that the server took without telling their UIDs; what is not found stays open.
  private func find(_ uploads: [SourceUpload]) throws(SyncFailure) {
    guard !uploads.isEmpty else { return }
    let found = try store.find(
      uploads.map { target.wanted($0.source.file, from: uidNext, .taken) },
      besides: journal.mailbox.known,
      in: finding.reference
    )
    try journal.note(
      zip(uploads, found).compactMap { upload, message in
        message.map { .there(upload.source.file.digest, uid: $0.uid, .unseen) }
      }
    )
  }
}

extension KeptFlags {
  /// Those of the flags that the mailbox keeps.
  func kept(of flags: MessageFlags) -> MessageFlags {
    MessageFlags(
      flags.system.intersection(system),
      keywords: flags.keywords.filter { keeps($0) }
    )
  }
}
