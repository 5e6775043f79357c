internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Uploads new files of a mailbox.
///
/// An intent in the log comes first; the UID that APPENDUID names is recorded after. Where the server
/// names none, the open intents say what to look for.
struct UploadPush {
  /// Messages and octets that are sent together at most.
  static let batchMessages = 100
  static let batchOctets: UInt64 = 8 << 20

  /// A file that was written in so many seconds before may not be whole yet.
  private static let writingSeconds: Int64 = 2

  /// What they came to.
  private(set) var outcome = StepOutcome()

  let context: AccountContext
  let store: any MailStore
  let mailbox: OpenMailbox
  let group: [UInt64: OpenMailbox]
  /// Read for the first file, where mailboxes are labels.
  var labelled: LabelledContents?

  /// Carries out the uploads whose files are where the plan saw them.
  ///
  /// Those over which a connection broke come last, each alone.
  mutating func pushUploads(_ uploads: [Planned<FileUpload>]) throws(SyncFailure) {
    var check = CopyCheck(context, mailbox, group)
    let suspects = suspects(of: uploads)
    let names = OctetSet(suspects.map(\.step.name))
    let others = uploads.filter { !names.contains($0.step.name) }
    try pushUploads(others, isAll: suspects.isEmpty, &check)
    for suspect in suspects {
      let name = file(suspect.step.name)
      if context.uploads.attempts.isGivenUp(name) || context.uploads.isResting(name) {
        outcome[mailbox].fail(.file(suspect.step.name, .breaksConnection))
      } else {
        try pushUploads([suspect], isAll: false, &check)
      }
    }
  }

  /// Those over which a connection broke.
  private func suspects(of uploads: [Planned<FileUpload>]) -> [Planned<FileUpload>] {
    let attempts = context.uploads.attempts
    return uploads.filter { attempts.isSuspect(file($0.step.name)) }
  }

  private func file(_ name: [UInt8]) -> UploadedFile {
    UploadedFile(directory: mailbox.mailbox.directory, name: name)
  }

  /// `isAll` says that these are all that are for the mailbox.
  private mutating func pushUploads(
    _ uploads: [Planned<FileUpload>],
    isAll: Bool,
    _ check: inout CopyCheck
  ) throws(SyncFailure) {
    var batch = Batch()
    for planned in uploads {
      guard let upload = try due(planned, &check) else { continue }
      if !batch.hasRoom(for: upload) {
        try send(batch.uploads, isAll: false)
        batch = Batch()
      }
      batch.add(upload)
    }
    if !batch.uploads.isEmpty {
      try send(batch.uploads, isAll: isAll && batch.uploads.count == uploads.count)
    }
  }

  /// Files that are sent together.
  private struct Batch {
    private(set) var uploads: [Upload] = []
    private var octets: UInt64 = 0

    func hasRoom(for upload: Upload) -> Bool {
      uploads.isEmpty
        || uploads.count < UploadPush.batchMessages
          && octets + upload.content.wireSize <= UploadPush.batchOctets
    }

    mutating func add(_ upload: Upload) {
      uploads.append(upload)
      octets += upload.content.wireSize
    }
  }

  /// The upload of a file; nil where it is not to be sent now.
  private mutating func due(
    _ planned: Planned<FileUpload>,
    _ check: inout CopyCheck
  ) throws(SyncFailure) -> Upload? {
    guard try !check.isUnderWay(planned.step.name) else {
      outcome[mailbox].isComplete = false
      return nil
    }
    return try prepared(planned.step)
  }

  /// All uploads of a mailbox, to be sent together with those of others; nil where they are too many, or a connection broke over
  /// one of them.
  mutating func few(_ uploads: [Planned<FileUpload>]) throws(SyncFailure) -> [Upload]? {
    guard uploads.count <= Self.batchMessages, suspects(of: uploads).isEmpty else { return nil }
    let before = outcome
    var check = CopyCheck(context, mailbox, group)
    var batch = Batch()
    for planned in uploads {
      guard let upload = try due(planned, &check) else { continue }
      guard batch.hasRoom(for: upload) else {
        outcome = before
        return nil
      }
      batch.add(upload)
    }
    return batch.uploads
  }

  /// The base names of the files that a run would not send; why is reported.
  mutating func unsendable(_ uploads: [Planned<FileUpload>]) throws(SyncFailure) -> OctetSet {
    var names: OctetSet = []
    for planned in uploads where try prepared(planned.step) == nil {
      names.insert(planned.step.name)
    }
    return names
  }

  // MARK: Files

  /// The upload of a file; nil where it cannot be sent, which is said, or where it is gone.
  private mutating func prepared(
    _ planned: FileUpload
  ) throws(SyncFailure) -> Upload? {
    let (name, replaced) = (planned.name, planned.replacing)
    // Read anew: only what is there right now may be sent.
    guard let path = try mailbox.currentPath(of: name), let content = try content(name, path) else {
      outcome[mailbox].isComplete = false
      return nil
    }
    let isWhole = isKnownWhole(planned, content)
    let problem: FileProblem? =
      try isOfPartial(planned) ? .partial : objection(to: content, name, isWhole: isWhole)
    if let problem {
      outcome[mailbox].fail(.file(name, problem))
      return nil
    }
    let flags = FileName(path.lastComponent).flags
    let kept = mailbox.remote.keptFlags
      .kept(of: MessageFlags(flags, keywords: planned.flags.keywords))
    return Upload(
      name: name,
      directory: mailbox.directory,
      path: path,
      content: content,
      flags: kept.system,
      sent: mailbox.remote.keptFlags
        .kept(of: MessageFlags(flags.symmetricDifference(planned.unshown))).system,
      keywords: mailbox.remote.keptFlags.setsKeywordsApart ? [] : kept.keywords,
      replaced: replaced,
      isReplacedGone: replaced.map(RemoteIndex(mailbox.remote.view).isGone) ?? false,
      isVersioned: mailbox.mailbox.role == .drafts || flags.contains(.draft) || isYoung(content),
      origin: planned.former.flatMap { group[$0.mailbox]?.state.origin(of: $0.uid) }
    )
  }

  /// Whether the file may still be written to: what comes after is a new version of it.
  private mutating func isYoung(_ content: MessageContents) -> Bool {
    let isYoung = Clock.now() - content.date < Self.writingSeconds
    if isYoung { outcome[mailbox].mayGrow = true }
    return isYoung
  }

  private mutating func content(_ name: [UInt8], _ path: Path) throws(SyncFailure)
    -> MessageContents?
  {
    do throws(SystemError) {
      return try MessageContents(of: path)
    } catch {
      outcome[mailbox].fail(.file(name, .unreadable(error)))
      return nil
    }
  }

  /// Whether the file is on record as one that has parts of a message only, or takes the place of such a message.
  private func isOfPartial(_ planned: FileUpload) -> Bool {
    let state = mailbox.state
    let uids = [state.uid(of: planned.name), planned.replacing].compactMap { $0 }
    return uids.contains { state.messages[$0]?.completeness.isPartial == true }
  }

  /// Whether the file holds what a message on record holds, all of which was here.
  private func isKnownWhole(_ planned: FileUpload, _ content: MessageContents) -> Bool {
    let state = mailbox.state
    let own = [state.uid(of: planned.name), planned.replacing].compactMap { $0 }
    let former = planned.former.flatMap { group[$0.mailbox]?.state.messages[$0.uid] }
    return (own.compactMap { state.messages[$0] } + [former].compactMap { $0 }).contains {
      !$0.completeness.isPartial && $0.identity.map(content.holds) ?? false
    }
  }

  private mutating func objection(
    to content: MessageContents,
    _ name: [UInt8],
    isWhole: Bool
  ) throws(SyncFailure) -> FileProblem? {
    let partial = context.mailboxes.partialFiles
    let isPartial = try attempt(partial.isPartial(content.marks, named: name))
    if isPartial, !isWhole { return .partial }
    if content.containsNUL { return .containsNUL }
    if content.wireSize == 0 { return .empty }
    if let limit = store.traits.sizeLimit, content.wireSize > limit {
      return .tooBig(limit: limit)
    }
    guard store.traits.holdsOnce else { return nil }
    let labelled = labelled ?? LabelledContents(mailbox)
    self.labelled = labelled
    return labelled.holds(content, besides: name) ? .heldOnce : nil
  }

  // MARK: Sending

  /// `isAll` says that these are all that are for the mailbox.
  private mutating func send(_ uploads: [Upload], isAll: Bool) throws(SyncFailure) {
    let flight = UploadFlight(context, store)
    let lot = UploadFlight.Lot(mailbox, uploads, isAll: isAll)
    let (sent, failures) = try flight.send([lot])
    if let failure = failures.first { throw failure.failure }
    for (lot, outcome) in sent { try recordAnswers(to: lot.uploads, outcome) }
  }

  /// Records what came of uploads.
  mutating func recordAnswers(to uploads: [Upload], _ answer: AppendAnswer) throws(SyncFailure) {
    let late = answer.late
    late.recordAnswers(in: [mailbox])
    var named: [(Upload, UInt32)] = []
    var unnamed: [Upload] = []
    var misplaced: [UInt32: [UInt32: Upload]] = [:]
    for (upload, result) in zip(uploads, answer.results) {
      switch result {
      case .appended(mailbox.state.header.validity, let uid):
        switch meaning(of: uid, upload, besides: named.map(\.1)) {
        case .new: named.append((upload, uid))
        case .replaced: named.append((upload.inPlace, uid))
        case .held: try fail(upload, .heldOnce)
        case .impossible: unnamed.append(upload)
        }
      case .appended(let validity, let uid):
        misplaced[validity, default: [:]][uid] = upload
        unnamed.append(upload)
      case .taken: unnamed.append(upload)
      case .refused(let reply):
        outcome[mailbox].refusals.append(
          PushRefusal(mailbox, upload.name, .refused(.append, reply))
        )
        try fail(upload, .refused(reply))
      }
    }
    if !named.isEmpty { try finishUploads(named, late.arrived) }
    guard !unnamed.isEmpty else { return }
    try takeBack(misplaced)
    var resolver = IntentResolver(context, store)
    defer { outcome.merge(resolver.outcome) }
    try resolver.resolveIntents(mailbox, in: [mailbox], taken: .uploads(unnamed))
  }

  /// What a UID is that the server names for what it took.
  private enum NamedUID {
    case new
    /// That of the message that the file is a new version of: to a server with labels both are one.
    case replaced
    /// That of another message, which to a server with labels is this one.
    case held
    case impossible
  }

  private func meaning(of uid: UInt32, _ upload: Upload, besides given: [UInt32]) -> NamedUID {
    if mailbox.couldBeNew(uid), !given.contains(uid) { return .new }
    guard store.traits.holdsOnce else { return .impossible }
    return uid == upload.replaced ? .replaced : .held
  }

  /// Takes back what went to a mailbox that was given the name meanwhile, by UIDVALIDITY and UID; the next run sends it again.
  private func takeBack(_ misplaced: [UInt32: [UInt32: Upload]]) throws(SyncFailure) {
    // Where one message has all labels it may have been there before.
    guard !store.traits.holdsOnce else { return }
    for (validity, uploads) in misplaced {
      let copies = MisplacedCopies(of: uploads, validity: validity)
      try copies.takeBack(from: mailbox.mailbox.name, over: store)
    }
  }

  /// Nothing came of an upload.
  private mutating func fail(_ upload: Upload, _ problem: FileProblem) throws(SyncFailure) {
    try mailbox.record([.resolved(number: upload.number)])
    outcome[mailbox].fail(.file(upload.name, problem))
  }

  /// `arrived` is what the server made of them, by UID, as far as it told.
  private mutating func finishUploads(
    _ uploads: [(Upload, UInt32)],
    _ arrived: [UInt32: RemoteMessage]
  ) throws(SyncFailure) {
    var records: [StateRecord] = []
    for (upload, uid) in uploads {
      var upload = upload
      // One that was written meanwhile is sent again as a new version.
      let isNew = try attempt(upload.wasWritten())
      if isNew { (upload.isVersioned, outcome[mailbox].isComplete) = (true, false) }
      records += upload.records(uid: uid, as: arrived[uid])
    }
    try mailbox.record(records)
    outcome[mailbox].counts.uploaded += uploads.count
    let changed = uploads.filter { upload, uid in
      arrived[uid]?.size.differs(from: upload.wireSize) ?? false
    }
    try noteHeaders(of: changed.map(\.1))
  }

  /// Records what the headers are of messages that the server changed when it took them: by these they are known elsewhere.
  private func noteHeaders(of uids: [UInt32]) throws(SyncFailure) {
    guard !uids.isEmpty else { return }
    let headers: [UInt32: HeaderFacts]
    do throws(SyncFailure) {
      headers = try store.headers(of: uids, in: mailbox.reference)
    } catch {
      guard !error.endsConnection else { throw error }
      return
    }
    let records = uids.compactMap { uid -> StateRecord? in
      guard var record = mailbox.state.messages[uid], let header = headers[uid] else { return nil }
      let found = Trace(messageID: header.messageID, header: header.fields)
      let same = Sameness.compare(Trace(fileOf: record), found, .inPlace)
      guard same.agreeing.contains(.messageID), same.differing.contains(.header) else { return nil }
      record.serverHeader = header.fields
      return .message(record)
    }
    try mailbox.record(records)
  }
}
