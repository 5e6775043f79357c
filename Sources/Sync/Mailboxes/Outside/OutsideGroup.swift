internal import Folders
internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// What lies outside the mailboxes that are planned together: files that may be those of messages of the group, and
/// messages whose files may be new ones of the group.
///
/// A run may name only some mailboxes, leave some out by configuration, or fail to open one; and files may be moved to
/// another account.
final class OutsideGroup {
  let context: MailboxContext
  let records: any AccountRecords
  let opened: [OpenMailbox]
  let recorded: RecordedFiles
  /// Messages that the server moved before this run.
  private let movedBefore: MovedBeforeSearch
  private var misplaced: [BaseRecord]?
  private var arrivals: PendingArrivals?
  private var states: [UInt64: MailboxState?] = [:]
  /// The mailboxes outside; few groups need them, and there may be thousands.
  lazy var entries = outsideEntries()
  private var owners: Set<UInt64>?

  init(_ context: MailboxContext, _ records: any AccountRecords, _ group: [OpenMailbox]) {
    self.context = context
    self.records = records
    opened = group
    recorded = RecordedFiles(context.trees, group)
    movedBefore = MovedBeforeSearch(context, records)
  }

  /// The files of messages that the server moved, of records of a mailbox of the group whose messages are gone.
  func survivors(_ lost: [BaseRecord], of source: OpenMailbox) throws(SyncFailure)
    -> OctetTable<Survival>
  {
    // Of thousands of mailboxes few lost anything.
    guard !lost.isEmpty else { return OctetTable() }
    let others = group.filter { $0 !== source }
    return try movedBefore.find(lost, of: source, in: others, outside: entries, recorded)
  }

  /// The mailboxes that are planned together: one that failed since it was opened lies outside.
  var group: [OpenMailbox] { opened.filter { !$0.hasFailed } }

  private func outsideEntries() -> [Summary.Entry] {
    let ids = Set(group.map(\.mailbox.id))
    // Of a mailbox that the server no longer has nothing can be moved.
    return records.entries.filter {
      !ids.contains($0.header.id) && !FilesOfDeletedMailboxes.isDeleted($0, context)
    }
  }

  /// Those of them that some run looks at.
  ///
  /// What comes out of one that the configuration leaves out is new wherever it is put: no run would have its message follow.
  private lazy var mirroredEntries = entries.filter { [context] in
    context.mirrors($0.header.directory)
  }

  // MARK: Messages without a file

  /// Whether a mailbox outside the group lacks the file of a message.
  var hasFileless: Bool {
    !((try? fileless()) ?? []).isEmpty || !((try? pendingArrivals().fileless) ?? []).isEmpty
  }

  /// Which new files of a mailbox of the group may be those that mailboxes outside lack, with what their messages look like.
  func originals(
    ofAdditionsTo mailbox: OpenMailbox
  ) throws(SyncFailure) -> OctetTable<Set<Sameness.Key>> {
    var found = OctetTable<Set<Sameness.Key>>()
    let names = mailbox.additions
    guard SyncRule.outside.isOn, !names.isEmpty else { return found }
    let records = try fileless() + pendingArrivals().fileless
    let named = Dictionary(grouping: records, by: \.name)
    let alike = Dictionary(grouping: records.filter { $0.identity != nil }) { $0.identity?.text }
    for name in names {
      let text = mailbox.contents[name]?.identity.text
      var lacking = (named[name] ?? []) + (text.flatMap { alike[$0] } ?? [])
      if lacking.isEmpty {
        guard let key = MessageKey(baseName: name), try isUnseen(key) else { continue }
        let content = try mailbox.content(of: name)
        let record = try UnrecordedFetches.record(of: key, name, content, context.partialFiles)
        lacking += [record].compactMap { $0 }
      }
      found[name] = Set(lacking.compactMap { Trace($0).key(.look) })
    }
    return found
  }

  /// Whether it is the key of a message that a mailbox outside never had on record, or of which no record can be read.
  private func isUnseen(_ key: MessageKey) throws(SyncFailure) -> Bool {
    guard let entry = mirroredEntries.first(where: { $0.header.id == key.mailbox }) else {
      return try isUnrecorded(key.mailbox)
    }
    guard let state = try state(of: entry) else { return true }
    return state.isUnseen(key)
  }

  /// Whether a folder outside bears the mark of the mailbox, of which there is no record.
  private func isUnrecorded(_ mailbox: UInt64) throws(SyncFailure) -> Bool {
    guard !records.entries.contains(where: { $0.header.id == mailbox }) else { return false }
    return try markedOutside().contains(mailbox)
  }

  /// The mailboxes whose marks folders of the account bear, except for those of the group.
  private func markedOutside() throws(SyncFailure) -> Set<UInt64> {
    if let owners { return owners }
    let folders = try attempt(
      FolderScan(context.tree, among: context.trees, known: []).folders(lookingInside: false)
    )
    let mirrored = folders.filter { context.mirrors($0.directory) }
    let found = Set(mirrored.compactMap(\.owner))
      .subtracting(group.flatMap { [$0.mailbox.id, $0.owner].compactMap { $0 } })
    owners = found
    return found
  }

  private func fileless() throws(SyncFailure) -> [BaseRecord] {
    if let misplaced { return misplaced }
    var found: [BaseRecord] = []
    for entry in mirroredEntries { found += try fileless(entry) }
    misplaced = found
    return found
  }

  /// What is under way to mailboxes outside, since a run was cut short.
  private func pendingArrivals() throws(SyncFailure) -> PendingArrivals {
    if let arrivals { return arrivals }
    var found = PendingArrivals()
    for entry in mirroredEntries {
      guard !isAsRecorded(entry), let state = try state(of: entry) else { continue }
      try found.add(state, context.tree.path(of: entry.header.directory))
    }
    arrivals = found
    return found
  }

  /// Whether a mailbox outside has nothing left to do, and no name in its Maildir changed since.
  ///
  /// A run that left something open left its entry as it was before, or recorded that.
  private func isAsRecorded(_ entry: Summary.Entry) -> Bool {
    let directory = context.tree.path(of: entry.header.directory)
    return entry.isComplete && MaildirFingerprints(of: directory) == entry.fingerprints
  }

  /// The messages that are gone from a mailbox of the group without being removed, as far as their files, which are there, tell.
  ///
  /// They are under way to a mailbox outside, or their files may be those of messages there: all of them where one outside cannot
  /// be read.
  func underWay(from mailbox: OpenMailbox) -> Set<UInt32> {
    let gone = mailbox.gone.filter { mailbox.flags(of: $0.name) != nil }
    guard SyncRule.outside.isOn, !gone.isEmpty, !mirroredEntries.isEmpty else { return [] }
    guard let arrivals = try? pendingArrivals(), let fileless = try? fileless() else {
      return Set(gone.map(\.uid))
    }
    let lacking = OctetSet((fileless + arrivals.fileless).map(\.name))
    let found = gone.filter { record in
      arrivals.origins.contains(mailbox.state.origin(of: record.uid))
        || lacking.contains(record.name)
    }
    return Set(found.map(\.uid))
  }

  /// The records of mailboxes that the server no longer has whose files are no longer in their folders.
  func deleted() throws(SyncFailure) -> [BaseRecord] {
    var found: [BaseRecord] = []
    for entry in deletedEntries { found += try fileless(entry) }
    return found
  }

  /// The key of a base name, where that is of a mailbox which the server no longer has, and which never had it on record.
  func unseenInDeleted(_ name: [UInt8]) throws(SyncFailure) -> MessageKey? {
    guard let key = MessageKey(baseName: name),
      let entry = deletedEntries.first(where: { $0.header.mayBeUnseen(key) })
    else { return nil }
    return try state(of: entry)?.isUnseen(key) == true ? key : nil
  }

  /// Whether there are mailboxes on record that the server no longer has.
  var hasDeleted: Bool { !deletedEntries.isEmpty }

  /// Those mailboxes.
  private lazy var deletedEntries = records.entries.filter {
    [context] in FilesOfDeletedMailboxes.isDeleted($0, context)
  }

  private func fileless(_ entry: Summary.Entry) throws(SyncFailure) -> [BaseRecord] {
    let directory = context.tree.path(of: entry.header.directory)
    let isWithheld = context.facts.withheld.contains(entry.header.id)
    guard !isWithheld, let fingerprints = MaildirFingerprints(of: directory) else {
      return try allRecords(entry)
    }
    // Where nothing changed since the map was written, nothing is missing.
    guard fingerprints != entry.fingerprints else { return [] }
    guard let state = try recorded.state(of: directory) else { return try allRecords(entry) }
    let scan = try attempt(MaildirScan.scan(directory))
    let names = OctetSet(scan.files.map(\.name.base))
    return state.messages.values.filter { !names.contains($0.name) }
  }

  /// All records of a mailbox whose folder is gone as a whole, cannot be read, or is another one's by now.
  private func allRecords(_ entry: Summary.Entry) throws(SyncFailure) -> [BaseRecord] {
    guard let state = try state(of: entry) else { return [] }
    return Array(state.messages.values)
  }

  /// What is recorded of a mailbox, wherever its folder is; nil where it cannot be read.
  func state(of entry: Summary.Entry) throws(SyncFailure) -> MailboxState? {
    let id = entry.header.id
    if let known = states[id] { return known }
    let state = try attempt(context.store.state(of: id))
    states[id] = .some(state)
    return state
  }
}
