internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Renames and removals in one Maildir, which become durable and are recorded together, also with those in others.
struct NameChanges {
  /// What they came to.
  private(set) var outcome = StepOutcome.Part()
  private let mailbox: OpenMailbox
  private var records: [StateRecord] = []
  private var touched: Set<Path> = []
  private var changes: [MaildirChange] = []
  /// Files that were moved here and are not recorded yet, by base name.
  private var relocated: [[UInt8]] = []
  private lazy var nextIntent = mailbox.state.nextIntent
  /// Files that are about to follow their messages, by the UIDs of these here, with the numbers of their intents.
  private var follows: [UInt32: (number: UInt64, following: Intent.Following)] = [:]
  /// Where files came from whose messages were not on record there.
  private var unrecorded: [Intent.Origin] = []

  init(_ mailbox: OpenMailbox) {
    self.mailbox = mailbox
  }

  /// Files of one mailbox that get other names or places.
  typealias Renames = (mailbox: OpenMailbox, renames: [LocalRename])

  /// Gives files of mailboxes the flags and the places that the server wants; durable when it returns.
  ///
  /// What a file is about to show, and where it is about to go, is on record before: an ended run must not leave a flag or a
  /// place that looks like a local change.
  ///
  /// - Parameters:
  ///   - planned: what files get, each mailbox once.
  ///   - group: the mailboxes that are worked on together, by their ids.
  ///   - interruption: where it is requested, no further file is renamed.
  ///   - outcome: what they come to.
  /// - Returns: the mailboxes in which nothing more can be done.
  /// - Throws: `SyncFailure.interrupted` where it was, once what was done is durable and recorded.
  static func renameFiles(
    _ planned: [Renames],
    in group: [UInt64: OpenMailbox],
    _ interruption: Interruption,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    let planned = planned.filter { !$0.renames.isEmpty }
    guard !planned.isEmpty else { return [] }
    var steps = planned.map { NameChanges($0.mailbox) }
    defer { for step in steps { outcome[step.mailbox].merge(step.outcome) } }
    var announced: [(mailbox: OpenMailbox, records: [StateRecord])] = []
    for index in steps.indices {
      let records = steps[index].announcements(planned[index].renames, group)
      announced.append((steps[index].mailbox, records))
    }
    var failures = OpenMailbox.record(announced)
    for index in steps.indices {
      let mailbox = steps[index].mailbox
      guard !failures.contains(where: { $0.mailbox === mailbox }) else { continue }
      do throws(SyncFailure) {
        try steps[index].carryOut(planned[index].renames, group, interruption)
      } catch {
        guard !error.endsConnection else { throw error }
        failures.append((mailbox, error))
      }
    }
    failures += flushChanges(of: &steps, but: failures)
    let flushed = steps.filter { step in !failures.contains { $0.mailbox === step.mailbox } }
    failures += noteSeen(flushed.flatMap(\.unrecorded), group)
    if interruption.isRequested { throw .interrupted }
    return failures
  }

  private mutating func announcements(
    _ renames: [LocalRename],
    _ group: [UInt64: OpenMailbox]
  ) -> [StateRecord] {
    renames.compactMap { rename -> StateRecord? in
      switch rename {
      case .setFlags(let name, let uid, let flags, _): flagsUnderWay(name, uid, flags)
      case .relocate(let relocation): intent(relocation, group)
      }
    }
  }

  private mutating func carryOut(
    _ renames: [LocalRename],
    _ group: [UInt64: OpenMailbox],
    _ interruption: Interruption
  ) throws(SyncFailure) {
    for rename in renames where !interruption.isRequested { try carryOut(rename, group) }
    records += follows.values.map { .resolved(number: $0.number) }
    follows = [:]
  }

  /// What says of a file which flags it is about to show; nil where it shows them.
  private func flagsUnderWay(
    _ name: [UInt8],
    _ uid: UInt32,
    _ flags: SystemFlags
  ) -> StateRecord? {
    guard let changed = mailbox.file(of: name)?.name.flags.symmetricDifference(flags),
      !changed.isEmpty
    else { return nil }
    return .flagsUnderWay(uid: uid, FlagsUnderWay(shown: changed))
  }

  /// The record that a file follows its message; nil where the move could not be taken for a local one.
  private mutating func intent(
    _ relocation: Relocation,
    _ group: [UInt64: OpenMailbox]
  ) -> StateRecord? {
    guard let origin = relocation.origin(in: group) else { return nil }
    let file = group[relocation.source]?.file(of: relocation.name)
    let following = Intent.Following(
      relocation.record,
      from: origin,
      file: relocation.name,
      in: relocation.source,
      changing: file?.name.flags.symmetricDifference(relocation.flags) ?? []
    )
    follows[relocation.record.uid] = (nextIntent, following)
    defer { nextIntent += 1 }
    return .intent(number: nextIntent, .follow(following))
  }

  /// Records with the mailboxes that these messages were fetched into that they were seen: their files may be moved on.
  private static func noteSeen(
    _ origins: [Intent.Origin],
    _ group: [UInt64: OpenMailbox]
  ) -> [MailboxFailure] {
    OpenMailbox.record(
      Dictionary(grouping: origins, by: \.source).compactMap { source, origins in
        guard let mailbox = group[source], !mailbox.hasFailed else { return nil }
        let seen = origins.filter { !mailbox.state.holds($0) }
        return (mailbox, seen.map { .gone(uid: $0.uid) })
      }
    )
  }

  private mutating func carryOut(
    _ rename: LocalRename,
    _ group: [UInt64: OpenMailbox]
  ) throws(SyncFailure) {
    switch rename {
    case .setFlags(let name, let uid, let flags, let agreed):
      try setFlags(name, flags, .flags(uid: uid, agreed))
    case .relocate(let relocation):
      if let source = group[relocation.source] { try relocate(relocation, from: source) }
    }
  }

  /// Renames a file to show the flags; left out where another program was faster.
  private mutating func setFlags(
    _ name: [UInt8],
    _ flags: SystemFlags,
    _ record: StateRecord
  ) throws(SyncFailure) {
    guard let file = mailbox.file(of: name) else { return skip() }
    guard try move(file, of: mailbox, showing: flags) else { return }
    records.append(record)
    outcome.counts.flags += 1
  }

  /// Moves a file of another mailbox here, where the server has its message.
  private mutating func relocate(
    _ relocation: Relocation,
    from source: OpenMailbox
  ) throws(SyncFailure) {
    let (name, record) = (relocation.name, relocation.record)
    guard let file = source.file(of: name) else { return skip() }
    guard try move(file, of: source, as: record.name, showing: relocation.flags) else { return }
    relocated.append(name)
    if let (number, following) = follows.removeValue(forKey: record.uid) {
      if relocation.former == nil { unrecorded.append(following.origin) }
      records += mailbox.arrival(of: following, number)
    } else {
      records += mailbox.namesakes(of: record) + [.message(record)]
    }
    records += try mailbox.version(of: record, wasDraft: source.mailbox.role == .drafts)
    outcome.counts.relocated += 1
  }

  /// The file of a message that the server moved, and what was changed of the flags of its former file.
  struct Successor {
    fileprivate let file: Survivor
    fileprivate let adding: SystemFlags
    fileprivate let removing: SystemFlags

    init(_ file: Survivor, _ adding: SystemFlags, _ removing: SystemFlags) {
      (self.file, self.adding, self.removing) = (file, adding, removing)
    }
  }

  /// Has the file show the flags; durable when it returns.
  ///
  /// The next run tells the server, as of any file that was flagged. False where the file is gone.
  mutating func passFlags(to successor: Successor, in tree: FolderTree) throws(SyncFailure) -> Bool
  {
    let directory = tree.path(of: successor.file.directory)
    let scan = try attempt(MaildirScan.scanIfPresent(directory))
    guard let file = scan?.files[successor.file.name] else {
      skip()
      return false
    }
    let flags = file.name.flags.union(successor.adding).subtracting(successor.removing)
    guard flags != file.name.flags else { return true }
    let cur = Subdirectory.cur.path(in: directory)
    let renamed = ScannedFile(name: file.name.with(flags: flags), subdirectory: .cur)
    do throws(SystemError) {
      try FileSystem.renameWithoutReplacing(
        file.path(in: directory),
        to: cur.appending(renamed.name.octets)
      )
      try FileSystem.synchroniseDirectory(cur)
    } catch {
      try leave(file, error)
      return false
    }
    let folder = successor.file.directory
    changes.append(.renamed(folder: folder, file, toFolder: folder, renamed))
    outcome.isComplete = false
    return true
  }

  /// Has the file of a message get what people did to the tags of another one of the mailbox; durable when it returns.
  ///
  /// The next run tells the server. False where that failed; `state` is the directory of the account's own files.
  mutating func passTags(
    of name: [UInt8],
    to successor: Successor,
    in tree: FolderTree,
    _ state: Path
  ) -> Bool {
    guard mailbox.tagFile?.tags[name] != nil else { return true }
    let (mailbox, file) = (mailbox, successor.file)
    let directory = tree.path(of: file.directory)
    do throws(SystemError) {
      try TagLock.with(state) { () throws(SystemError) in
        var tags = try TagFile.of(directory)
        tags[base: file.name].add(try TagFile.of(mailbox.directory)[base: name])
        try tags.write(in: directory)
      }
    } catch {
      outcome.fail(.file(name, .unchangeable(error)))
      return false
    }
    changes.append(.marked(folder: file.directory, base: file.name))
    outcome.isComplete = false
    return true
  }

  /// Removes a file; false where it is no longer as the plan saw it, or is a draft that was written anew since.
  mutating func remove(_ name: [UInt8], _ uid: UInt32?) throws(SyncFailure) -> Bool {
    guard let file = mailbox.local.files[name] else {
      skip()
      return false
    }
    let path = file.path(in: mailbox.directory)
    do throws(SystemError) {
      if let uid, try wasWritten(file, uid) {
        skip()
        return false
      }
      try FileSystem.remove(path)
    } catch {
      try leave(file, error)
      return false
    }
    touched.insert(file.subdirectory.path(in: mailbox.directory))
    changes.append(.removed(folder: mailbox.mailbox.directory, file))
    if let uid { records.append(.gone(uid: uid)) }
    return true
  }

  /// Whether the file is another one than the version of it that is on record, and holds something else: by the same rule
  /// as the plan, or what this leaves alone is planned for ever.
  private func wasWritten(_ file: ScannedFile, _ uid: UInt32) throws(SystemError) -> Bool {
    guard let version = mailbox.state.versions[uid], version != .other,
      let message = mailbox.state.messages[uid]
    else { return false }
    return try LocalMailbox.change(
      of: file,
      of: message,
      since: version,
      in: mailbox.directory,
      mailbox.mailbox.role == .drafts
    ) == .written
  }

  /// Adds a record to those that are written with the changes.
  mutating func add(_ record: StateRecord) {
    records.append(record)
  }

  /// Makes the changes of several mailboxes durable, then records them; gives those in which that failed.
  ///
  /// Those of `failed` are left out: the next run sees what became of their files.
  static func flushChanges(
    of steps: inout [NameChanges],
    but failed: [MailboxFailure] = []
  ) -> [MailboxFailure] {
    var failures: [MailboxFailure] = []
    var open = steps.indices.filter { index in
      !failed.contains { $0.mailbox === steps[index].mailbox }
    }
    // Where a file went before where it came from: a power cut may leave both names of it, never none.
    for isOwn in [true, false] {
      let errors = Unflushed.flush(open.map { steps[$0].unflushed(inOwn: isOwn) })
      for (index, error) in zip(open, errors) {
        if let error { failures.append((steps[index].mailbox, .system(error))) }
      }
      open.removeAll { index in failures.contains { $0.mailbox === steps[index].mailbox } }
    }
    let unrecorded = OpenMailbox.record(open.map { (steps[$0].mailbox, steps[$0].records) })
    open.removeAll { index in unrecorded.contains { $0.mailbox === steps[index].mailbox } }
    for index in open { steps[index].finishFlush() }
    return failures + unrecorded
  }

  private func unflushed(inOwn isOwn: Bool) -> Unflushed {
    var unflushed = Unflushed()
    for directory in touched where (directory.parent == mailbox.directory) == isOwn {
      unflushed.add(directory: directory)
    }
    return unflushed
  }

  private mutating func finishFlush() {
    outcome.changes += changes
    for name in relocated { outcome.followed.insert(name) }
    touched = []
    changes = []
    records = []
    relocated = []
  }

  /// Whether the file now stands in cur of the mailbox with the flags.
  private mutating func move(
    _ file: ScannedFile,
    of origin: OpenMailbox,
    as base: [UInt8]? = nil,
    showing flags: SystemFlags
  ) throws(SyncFailure) -> Bool {
    let name = file.name.with(base: base).with(flags: flags)
    let cur = Subdirectory.cur.path(in: mailbox.directory)
    let source = file.path(in: origin.directory)
    let target = cur.appending(name.octets)
    guard source != target else { return true }
    do throws(SystemError) {
      try FileSystem.renameWithoutReplacing(source, to: target)
    } catch {
      try leave(file, error)
      return false
    }
    touched.insert(cur)
    touched.insert(file.subdirectory.path(in: origin.directory))
    let renamed = ScannedFile(name: name, subdirectory: .cur)
    mailbox.noteRename(to: renamed)
    changes.append(
      .renamed(
        folder: origin.mailbox.directory,
        file,
        toFolder: mailbox.mailbox.directory,
        renamed
      )
    )
    return true
  }

  /// The next run sees what became of the file.
  private mutating func skip() {
    outcome.isComplete = false
  }

  /// Leaves a file as it is that could not be changed, where others can.
  private mutating func leave(_ file: ScannedFile, _ error: SystemError) throws(SyncFailure) {
    if error.isNotFound || error.isAlreadyThere { return skip() }
    guard error.isOfThisFileAlone else { throw .system(error) }
    outcome.fail(.file(file.name.base, .unchangeable(error)))
  }
}
