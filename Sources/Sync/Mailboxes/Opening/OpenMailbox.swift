package import MailModel
package import MailStore
package import Maildir
package import MessageContent
package import Octets
package import Platform
package import SyncPlan
package import SyncState

/// What failed in a mailbox that is worked on together with others.
package typealias MailboxFailure = (mailbox: OpenMailbox, failure: SyncFailure)

/// One mailbox while it is worked on: what is recorded, what is here, what the server has, what is to be done.
///
/// Used by one thread at a time.
package final class OpenMailbox {
  package let mailbox: MirroredMailbox
  /// The path of its Maildir.
  package let directory: Path
  /// What is recorded of it.
  package let journal: Journal
  /// Its files, as the last scan found them.
  package private(set) var local: LocalMailbox
  /// Its messages, as the server told them when it was opened, or listed more of them.
  package private(set) var remote: RemoteMailbox

  /// What was read of files, by base name.
  private(set) var contents = OctetTable<MessageContents>()
  /// Files that were renamed in this run, by base name.
  private(set) var moved = OctetTable<ScannedFile>()
  /// What it was like behind own changes, with what changed since it was read; nil where that was not asked, or not answered.
  private(set) var late: RemoteMailbox?
  /// Messages that were expunged since the mailbox was read, and those that an intent still open may
  /// have brought: neither is to be fetched.
  private(set) var withheld: Set<UInt32> = []
  /// What is known of files whose messages are no longer in the mailbox, and may have been moved since.
  ///
  /// It comes from former records, from an upload or a fetch that was interrupted, or from records of a mailbox that the server
  /// no longer has.
  private(set) var formerRecords: [BaseRecord]
  /// New files that were moved here out of mailboxes which the server no longer has.
  private(set) var fromDeleted: OctetSet = []
  /// Messages of which the server accepted in this run that they are expunged, and which it has still.
  package private(set) var unexpunged: Set<UInt32> = []
  /// The numbers of uploads that did not arrive, by the base names of their files.
  ///
  /// Those are additions again. The intents stay until the run has dealt with the files: if it is stopped before that, the next
  /// one has to look again.
  package private(set) var missingUploads = OctetTable<UInt64>()
  /// Those of them that were to be copies of messages that are gone.
  private(set) var uncopied: OctetSet = []
  /// Whether a file may have been moved while the Maildirs were read, so that none that is not seen counts as removed.
  private(set) var isUncertain = false
  /// Messages that are gone from the server, and may be in a mailbox that was not looked at since it got them.
  private(set) var lost: Set<UInt32> = []
  /// Whether messages from before the window that it got may be those which another mailbox had when that was looked at.
  private(set) var hasEarlyArrivals = false
  /// What was on record before that was found again in this run; nil where it was not, or there was nothing.
  let formerState: MailboxState?
  /// Whether its records were found again in this run, so that no absence proves a removal.
  package let isRematched: Bool
  /// The UIDs that messages have by then; nil where they mean what they meant.
  private let renumbering: Renumbering?
  /// What names differed, at that revision of the journal; nil where it was not looked at since the last scan.
  private var knownDifference: (NameDifference, revision: Int)?
  /// What is to be done; nil before it is planned.
  package private(set) var plan: MailboxPlan?
  /// Whether something failed after which nothing more is tried in this run.
  package private(set) var hasFailed = false

  /// A mailbox as it was opened; `difference` is that of its names, where it is known; `formerRecords` are those of files that
  /// are detached or elsewhere by now, nil where its records were not found again.
  init(
    _ mailbox: MirroredMailbox,
    _ directory: Path,
    _ journal: Journal,
    _ local: LocalMailbox,
    _ difference: NameDifference?,
    _ remote: RemoteMailbox,
    rematched formerRecords: [BaseRecord]? = nil,
    formerState: MailboxState? = nil,
    renumbered renumbering: Renumbering? = nil
  ) {
    self.mailbox = mailbox
    self.directory = directory
    self.journal = journal
    self.local = local
    self.remote = remote
    self.formerRecords = formerRecords ?? []
    isRematched = formerRecords != nil
    self.formerState = formerState
    self.renumbering = renumbering
    knownDifference = difference.map { ($0, journal.nameRevision) }
  }

  /// What is recorded of it at this moment.
  package var state: MailboxState { journal.state }

  /// One of its messages by the UID that it has now, where its UIDVALIDITY changed in this run.
  package func current(_ origin: Intent.Origin) -> Intent.Origin {
    renumbering?.current(origin, in: state.header.validity) ?? origin
  }

  /// What the server is told to do something in it.
  package var reference: MailboxReference { MailboxReference(mailbox.name, state.header.identity) }

  /// Records facts; durable when it returns.
  package func record(_ records: [StateRecord]) throws(SyncFailure) {
    let journal = journal
    try attempt(journal.record(records))
  }

  /// Records facts of several mailboxes, each of which is named once, and makes them durable together; gives those of which it
  /// could not.
  package static func record(
    _ changes: [(mailbox: OpenMailbox, records: [StateRecord])]
  ) -> [MailboxFailure] {
    let errors = Journal.record(changes.map { ($0.mailbox.journal, $0.records) })
    return zip(changes, errors).compactMap { change, error in
      error.map { (change.mailbox, .system($0)) }
    }
  }

  /// The file as the scan found it or this run renamed it; nil when there is none of that base name.
  package func file(of name: [UInt8]) -> ScannedFile? {
    moved[name] ?? local.files[name]
  }

  /// The path of the file as the scan found it or this run renamed it; nil when there is none of that base name.
  package func path(of name: [UInt8]) -> Path? {
    (moved[name] ?? local.files[name])?.path(in: directory)
  }

  // MARK: What became known

  /// Sets what is to be done in it.
  package func adoptPlan(_ plan: MailboxPlan) {
    self.plan = plan
  }

  /// The server listed its messages once more.
  func adoptListing(_ remote: RemoteMailbox) { self.remote = remote }

  /// The server told what changed since the mailbox was read.
  func noteLate(_ answer: RemoteMailbox) { late = answer }

  /// Nothing more is tried in it in this run.
  package func giveUp() {
    hasFailed = true
  }

  /// These messages are gone from the server, and may be in a mailbox that was not looked at since.
  func noteLost(_ uids: Set<UInt32>) {
    lost = uids
  }

  /// Messages from before the window that it got may be those which another mailbox had when that was looked at.
  func noteEarlyArrivals() {
    hasEarlyArrivals = true
  }

  /// A file may have been moved while the Maildirs were read.
  func doubt() {
    isUncertain = true
  }

  /// A file stands here now, under that name.
  package func noteRename(to file: ScannedFile) {
    moved[file.name.base] = file
  }

  /// These messages are not to be fetched: they were expunged, or it is open whose they are.
  package func withhold(_ uids: some Sequence<UInt32>) {
    withheld.formUnion(uids)
  }

  /// The server accepted that these messages are expunged, and has them still; they are not tried again in this run.
  package func noteUnexpunged(_ uids: some Sequence<UInt32>) {
    unexpunged.formUnion(uids)
  }

  /// A new file is one that a mailbox which the server no longer has had a record of.
  func adopt(_ record: BaseRecord, as name: [UInt8]) {
    var record = record
    record.name = name
    formerRecords.append(record)
    fromDeleted.insert(name)
  }

  /// The file of a message that was fetched, and went before it was on record.
  func noteFormer(_ record: BaseRecord) {
    formerRecords.append(record)
  }

  /// An upload did not arrive; `former` is what the server may have of it elsewhere.
  package func reopenUpload(_ number: UInt64, _ former: BaseRecord) {
    formerRecords.append(former)
    missingUploads[former.name] = number
  }

  /// The same of a copy whose original the server had no more: it copied nothing, and what is like it is that message.
  package func reopenCopy(_ number: UInt64, of name: [UInt8]) {
    missingUploads[name] = number
    uncopied.insert(name)
  }

  /// These files are sent once more; gives the numbers of their uploads that did not arrive.
  package func takeMissingUploads(of names: [[UInt8]]) -> [UInt64] {
    let numbers = names.compactMap { missingUploads[$0] }
    for name in names { missingUploads[name] = nil }
    return numbers
  }

  // MARK: Files

  /// Where the file of a base name is right now, also where its flags changed since the scan; nil when it is gone.
  package func currentPath(of name: [UInt8]) throws(SyncFailure) -> Path? {
    guard let path = path(of: name) else { return nil }
    return try attempt(CurrentPath.find(name, in: directory, seenAt: path))
  }

  /// What the file holds, read once, also where its flags changed since the scan; nil when it is gone.
  package func content(of name: [UInt8]) throws(SyncFailure) -> MessageContents? {
    if let known = contents[name] { return known }
    guard let path = path(of: name) else { return nil }
    let directory = directory
    let read = try attempt(MessageContents.current(of: name, in: directory, seenAt: path))
    contents[name] = read
    return read
  }

  /// The files that were read and may be on record by what older versions made of their content, with that.
  var formerContents: [(name: [UInt8], content: ReadContent)] {
    contents.compactMap { name, content in
      content.former.map { (name, ReadContent(identity: content.identity, former: $0)) }
    }
  }

  /// The content of a file is on record as older versions made it.
  func takeFormerContent(of name: [UInt8]) {
    guard var content = contents[name], let former = content.former else { return }
    (content.identity, content.former) = (former, content.identity)
    contents[name] = content
  }

  /// Whether its Maildir is no longer as it was read.
  var hasChangedHere: Bool {
    !local.isMissing && MaildirFingerprints(of: directory) != local.fingerprints
  }

  /// Reads the names of its Maildir again.
  func readAgain() throws(SyncFailure) {
    let (directory, state) = (directory, state)
    local = try attempt(LocalMailbox(directory, beside: state))
    knownDifference = nil
  }

  /// The flags of the file as the scan found it or this run renamed it; nil when there is none.
  package func flags(of name: [UInt8]) -> SystemFlags? {
    (moved[name] ?? local.files[name])?.name.flags
  }

  /// The base names of the files that were shown as drafts at any time since the scan.
  package var draftNames: [[UInt8]] {
    let files = local.files
    let found = files.positions(of: .draft)
    let renamed = moved.values.filter { $0.name.flags.contains(.draft) }
    return found.map { files.base(at: $0) } + renamed.map(\.name.base)
  }

  // MARK: Both sides

  /// What names here and on record do not have in common.
  var difference: NameDifference {
    if let (difference, revision) = knownDifference, revision == journal.nameRevision {
      return difference
    }
    let difference = NameDifference(local.files, state)
    knownDifference = (difference, journal.nameRevision)
    return difference
  }

  /// The messages of the server that the map does not know, except for those on their way out.
  var unknown: LazyFilterSequence<RemoteMessages> {
    let (messages, expunges, withheld) = (state.messages, state.pendingExpunges, withheld)
    return remote.view.listed.lazy.filter {
      !messages.contains($0.uid) && expunges[$0.uid] == nil && !withheld.contains($0.uid)
    }
  }

  /// The files that neither map nor any open intent knows.
  package var additions: [[UInt8]] {
    let (state, pending) = (state, pendingNames)
    return local.unrecorded(difference, state).filter { !pending.contains($0) }
  }

  /// The files whose upload or move was begun, and of which it is not known what came of it.
  var pendingNames: OctetSet {
    OctetSet(state.pendingNames.filter { missingUploads[$0] == nil })
  }

  /// The messages that are gone from the server.
  var gone: [BaseRecord] {
    let messages = state.messages
    switch remote.view {
    case .complete(let listed): return messages.filter { !listed.contains(uid: $0.uid) }
    case .changes(_, let vanished):
      return messages.uids(in: vanished).compactMap { messages[$0] }
    }
  }

  /// The messages that are gone from the server, and whose file is not here.
  var missing: [BaseRecord] {
    let remote = RemoteIndex(remote.view)
    return fileless.filter { remote.isGone($0.uid) }
  }

  /// Whether it may be planned without the messages that make no difference.
  var conditionsToLeaveOut: UnchangedMessages.Conditions {
    UnchangedMessages.Conditions(
      remote: remote.view,
      hasFormerRecords: isRematched || !formerRecords.isEmpty,
      sharesNames: state.messages.sharesNames,
      hasUnmatchedFiles: !difference.unmatched.isEmpty,
      role: mailbox.role
    )
  }

  /// The messages whose file is not here.
  var fileless: [BaseRecord] {
    let state = state
    return difference.fileless.compactMap { state.messages[$0] }
  }

  /// A moment at which all its files were in place, in nanoseconds since 1970, less the two seconds to which a file system may
  /// round times; nil where none is known.
  var lastWhole: Int64? { state.wholeAt.map { $0 - 2_000_000_000 } }

  /// Has the next record say when all files were in place, where the scan found them so.
  ///
  /// Not while something is open by which a message may be on record again, whose file need not be in place.
  func noteWhole() {
    guard state.intents.isEmpty, state.pendingExpunges.isEmpty else { return }
    if let fingerprints = local.fingerprints { journal.noteWhole(changed: fingerprints.changed) }
  }

  /// Notes the fingerprints of its Maildir as it is now, and its drafts, where they stand for what is recorded.
  ///
  /// A directory that was changed just now need not be scanned to know that there are none; nor need one that is known not to
  /// have changed since it was scanned.
  package func noteFiles(in entry: inout Summary.Entry) {
    guard let now = MaildirFingerprints(of: directory), now.areReliable else { return }
    let isKnown = self.local.isReliable && now == self.local.fingerprints
    let local = isKnown ? self.local : try? LocalMailbox(directory, beside: state)
    local?.recordScan(in: &entry, beside: state)
  }
}

extension MessageContents {
  /// What the file of that base name holds, also where its flags changed since it was seen; nil when it is gone.
  static func current(
    of name: [UInt8],
    in directory: Path,
    seenAt path: Path
  ) throws(SystemError) -> MessageContents? {
    if let read = try MessageContents(of: path) { return read }
    let now = try CurrentPath.find(name, in: directory, seenAt: path)
    return try now.flatMap { path throws(SystemError) in try MessageContents(of: path) }
  }
}
