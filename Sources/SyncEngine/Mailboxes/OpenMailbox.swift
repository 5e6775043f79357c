internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// One mailbox while it is worked on: what is recorded, what is here, what the server has, what came of it.
///
/// Used by one thread at a time.
final class OpenMailbox {
  let mailbox: MirroredMailbox
  let directory: Path
  let journal: Journal
  private(set) var local: LocalMailbox
  let remote: RemoteMailbox

  /// What was read of files, by base name.
  var contents = OctetTable<MessageContents>()
  /// The headers of messages that the map does not know, by UID, where they were read.
  var headers: [UInt32: HeaderFacts] = [:]
  /// The content of those of them that headers alone do not tell from others, by UID.
  var identities: [UInt32: ContentIdentity] = [:]
  /// Files that were renamed in this run, by base name.
  var moved = OctetTable<ScannedFile>()
  /// Messages that were expunged and whose files are still here.
  var expunged: Set<UInt32> = []
  /// Messages that were expunged since the mailbox was read, and those that somebody else's open intent may
  /// have brought: neither is to be fetched.
  var withheld: Set<UInt32> = []
  /// Files that were moved here from where the server has them no more, and recorded, by base name.
  var followed: OctetSet = []
  /// Files that bear a UID of this mailbox and are another mailbox's by now: copies, or on their way home.
  var returned: OctetSet = []
  /// Those of them whose other mailbox is to be seen first, in the next run.
  var awaited: OctetSet = []
  /// Files whose messages are gone from the server, and which hold something else than was recorded.
  var edited: OctetSet = []
  /// What is known of files whose messages are no longer in the mailbox: by records of before that, or by an upload that
  /// was cut short, and whose message may have been moved since.
  var formerRecords: [BaseRecord] = []
  /// The numbers of uploads that did not arrive, by the base names of their files.
  ///
  /// Those are additions again; the intents stay until the run has done with the files, since a run that is stopped
  /// before that has to be followed by one that looks again.
  var missingUploads = OctetTable<UInt64>()
  /// Whether a file may have been moved while the Maildirs were read, so that none that is not seen counts as removed.
  var isUncertain = false
  /// Whether its records were found again in this run, so that no absence proves a removal.
  var isRematched = false
  /// Whether nothing is sent up again that went from the server: it may have gone to another mailbox.
  var holdsRescues = false
  /// What is to be done; nil before it is planned.
  var plan: MailboxPlan?
  /// What people did to tags, and the server is still to be told of, by the base names of files.
  var tags: [[UInt8]: KeywordChange] = [:]
  /// What the steps of the run came to so far.
  private(set) var outcome = StepOutcome.Part()
  /// Whether something failed after which nothing more is tried in this run.
  private(set) var hasFailed = false

  init(
    _ mailbox: MirroredMailbox,
    _ directory: Path,
    _ journal: Journal,
    _ local: LocalMailbox,
    _ remote: RemoteMailbox
  ) {
    self.mailbox = mailbox
    self.directory = directory
    self.journal = journal
    self.local = local
    self.remote = remote
  }

  var state: MailboxState { journal.state }

  /// What the server is told to do something in it.
  var reference: MailboxReference { MailboxReference(mailbox.name, state.header.identity) }

  /// What tells a message of it from all others, where it came from.
  func origin(of uid: UInt32) -> Intent.Origin {
    Intent.Origin(source: mailbox.id, validity: state.header.validity, uid: uid)
  }

  /// What is still to be done; nothing before it is planned, or where nothing more is tried.
  var remainingPlan: MailboxPlan {
    guard let plan, !hasFailed else { return MailboxPlan(mailbox: mailbox.id) }
    return plan
  }

  /// Whether a message of a plan did not follow its file, or a file its message.
  func hasOpenMoves(of plan: MailboxPlan) -> Bool {
    plan.moves.contains { state.messages[$0.step.uid] != nil }
      || plan.renames.contains { rename in
        switch rename.step {
        case .relocate(let name, _, _, _, _, _, _): !followed.contains(name)
        case .setFlags: false
        }
      }
  }

  /// Records facts; durable when it returns.
  func record(_ records: [StateRecord]) throws(SyncFailure) {
    let journal = journal
    try attempt { () throws(SystemError) in try journal.record(records) }
  }

  /// The path of the file as the scan found it or this run renamed it; nil when there is none of that base name.
  func path(of name: [UInt8]) -> Path? {
    (moved[name] ?? local.files[name])?.path(in: directory)
  }

  /// Takes in what a step came to in it: the one place that changes what is known of that.
  func merge(_ part: StepOutcome.Part) {
    outcome.merge(part)
  }

  /// Nothing more is tried in it in this run.
  func giveUp() {
    hasFailed = true
  }

  /// What the run did in it so far.
  var report: MailboxReport {
    var report = MailboxReport(mailbox: mailbox.path.display)
    report.add(outcome.counts)
    return report
  }

  /// What the file holds, read once, also where its flags changed since the scan; nil when it is gone.
  func content(of name: [UInt8]) throws(SyncFailure) -> MessageContents? {
    if let known = contents[name] { return known }
    guard let path = path(of: name) else { return nil }
    let directory = directory
    let read = try attempt { () throws(SystemError) -> MessageContents? in
      if let read = try MessageContents(of: path) { return read }
      let now = try CurrentPath.find(name, in: directory, seenAt: path)
      return try now.flatMap { path throws(SystemError) in try MessageContents(of: path) }
    }
    contents[name] = read
    return read
  }

  /// Whether its Maildir is no longer as it was read.
  var hasChangedHere: Bool {
    !local.isMissing && MaildirFingerprints(of: directory) != local.fingerprints
  }

  /// Reads the names of its Maildir again.
  func readAgain() throws(SyncFailure) {
    let (directory, header) = (directory, state.header)
    local = try attempt { () throws(SystemError) in try LocalMailbox(directory, header: header) }
  }

  /// UIDNEXT as the server told it, or above all messages that are known: nothing could come at the greatest UID.
  var uidNext: UInt32 {
    if remote.uidNext > 0, remote.uidNext < .max { return remote.uidNext }
    let known = max(state.messages.keys.max() ?? 0, remote.view.listed.map(\.uid).max() ?? 0)
    return known == .max ? known : known + 1
  }

  /// Whether a UID that the server names for what it just took can be true.
  func couldBeNew(_ uid: UInt32) -> Bool {
    uid >= remote.uidNext && state.messages[uid] == nil
  }

  /// The flags of the file as the scan found it or this run renamed it; nil when there is none.
  func flags(of name: [UInt8]) -> SystemFlags? {
    (moved[name] ?? local.files[name])?.name.flags
  }

  /// Whether the file is one that its user may write anew in its place.
  func holdsDraft(_ name: [UInt8]) -> Bool {
    mailbox.role == .drafts || flags(of: name)?.contains(.draft) == true
  }

  /// The record of what the file of a message looks like that may be written anew in its place; none where it may not.
  ///
  /// One that holds something else than both sides agreed on is a new version, whatever it looks like; so is one that
  /// was written anew before it left Drafts (`wasDraft`), though it may be no draft here.
  func version(of record: BaseRecord, wasDraft: Bool = false) throws(SyncFailure) -> [StateRecord] {
    let mayBeDraft = holdsDraft(record.name) || record.flags.system.contains(.draft)
    guard mayBeDraft || wasDraft, let content = try content(of: record.name) else { return [] }
    let isAgreed = record.identity.map { $0 == content.identity } ?? true
    guard mayBeDraft || !isAgreed else { return [] }
    return [.version(uid: record.uid, isAgreed ? content.version : .other)]
  }

  /// The UIDs of the map by the base names of their files.
  var uids: [[UInt8]: UInt32] {
    Dictionary(
      state.messages.values.map { ($0.name, $0.uid) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The messages of the server that the map does not know.
  var unknown: [RemoteMessage] {
    let state = state
    return remote.view.listed.filter { state.messages[$0.uid] == nil }
  }

  /// The files that neither map nor any open intent knows.
  var additions: [[UInt8]] {
    let (state, pending) = (state, pendingNames)
    return local.files.compactMap { name, _ in
      state.isRecorded(name) || pending.contains(name) ? nil : name
    }
  }

  /// The files whose upload or move was begun, and of which it is not known what came of it.
  var pendingNames: OctetSet {
    OctetSet(state.pendingNames.filter { missingUploads[$0] == nil })
  }

  /// The messages that are gone from the server.
  var gone: [BaseRecord] {
    if case .changes(_, let vanished) = remote.view, vanished.isEmpty { return [] }
    let index = RemoteIndex(remote.view)
    return state.messages.values.filter { index.isGone($0.uid) }
  }

  /// The messages whose file is not here.
  var fileless: [BaseRecord] {
    state.messages.values.filter { local.files[$0.name] == nil }
  }
}
