internal import Folders
internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Makes of an open mailbox what the planner sees of it.
struct Snapshots {
  private let context: MailboxContext
  private let records: any AccountRecords

  init(_ context: MailboxContext, _ records: any AccountRecords) {
    self.context = context
    self.records = records
  }

  /// What was found out about one mailbox for its plan, beside what it shows itself.
  struct Findings {
    var details = DetailGathering.Details()
    var returned = ReturnedFiles.Found()
    /// What people did to tags, and the server is still to be told of, by the base names of files.
    var tags: [[UInt8]: KeywordChange] = [:]
    /// The files that mailboxes of the group lack.
    var moved: OctetSet = []
    /// The names that files may follow their messages under, of the whole group.
    var followable: [[UInt8]] = []
  }

  /// The mailbox at this moment, whole or without what the plan need not see of it.
  func snapshot(
    _ mailbox: OpenMailbox,
    _ findings: Findings,
    outside: OutsideFacts,
    isWhole: Bool
  ) throws(SyncFailure) -> MailboxSnapshot {
    let scope =
      isWhole
      ? PlanScope(whole: mailbox.state, mailbox.local.files)
      : PlanScope(
        mailbox.state,
        mailbox.local.files,
        mailbox.difference,
        UnchangedMessages(but: mentioned(mailbox, findings))
      )
    var snapshot = snapshot(
      mailbox.mailbox,
      mailbox.state,
      scope,
      local: try files(mailbox, scope, findings),
      absence: absence(mailbox, findings),
      outside: outside,
      remote: remote(mailbox, findings.details)
    )
    snapshot.pendingExpunges.formUnion(mailbox.withheld)
    snapshot.formerRecords = mailbox.formerRecords
    // A mailbox that was opened for reading tells nothing of what could be changed in it.
    snapshot.policy = context.ownPolicy(of: mailbox.mailbox)
    guard context.isWriting(in: mailbox.mailbox) else { return snapshot }
    snapshot.permanentFlags = mailbox.remote.keptFlags.system
    snapshot.isWritable = !mailbox.remote.isReadOnly
    snapshot.expunges = mailbox.unexpunged.isEmpty
    snapshot.onlyDiscards = mailbox.remote.onlyDiscards
    return snapshot
  }

  /// The messages that something is said of, by UID.
  private func mentioned(_ mailbox: OpenMailbox, _ findings: Findings) -> Set<UInt32> {
    let state = mailbox.state
    var uids = Set(mailbox.remote.view.listed.uids)
    uids.formUnion(state.versions.keys)
    uids.formUnion(state.underWay.keys)
    uids.formUnion(mailbox.local.ownUIDs(mailbox.difference))
    uids.formUnion(mailbox.gone.map(\.uid))
    let taken = FreshName.taken(of: findings.followable) { state.uid(of: $0) != nil }
    uids.formUnion(taken.compactMap { state.uid(of: $0) })
    uids.formUnion(state.messages.partialUIDs(wanted: context.completions(of: mailbox.mailbox)))
    let names = mailbox.pendingNames.union(findings.returned.names)
      .union(findings.returned.awaited).union(findings.details.edited)
    for name in names { state.uid(of: name).map { _ = uids.insert($0) } }
    for name in findings.tags.keys { state.uid(of: name).map { _ = uids.insert($0) } }
    for name in mailbox.contents.keys { state.uid(of: name).map { _ = uids.insert($0) } }
    return uids
  }

  /// A mailbox in which the server saw nothing happen, without what the plan need not see of it.
  func snapshot(
    _ mailbox: MirroredMailbox,
    _ state: MailboxState,
    _ local: LocalMailbox,
    _ difference: NameDifference
  ) throws(SyncFailure) -> MailboxSnapshot {
    let conditions = UnchangedMessages.Conditions(
      remote: .unchanged,
      hasFormerRecords: false,
      sharesNames: state.messages.sharesNames,
      hasUnmatchedFiles: !difference.unmatched.isEmpty,
      role: mailbox.role
    )
    let mentioned = Set(local.ownUIDs(difference)).union(state.versions.keys)
      .union(state.underWay.keys)
      .union(state.messages.partialUIDs(wanted: context.completions(of: mailbox)))
    let scope =
      conditions.allow
      ? PlanScope(state, local.files, difference, UnchangedMessages(but: mentioned))
      : PlanScope(whole: state, local.files)
    let files = try attempt(
      local.planned(
        scope.files,
        beside: state,
        in: context.path(of: mailbox),
        holdsDrafts: mailbox.role == .drafts
      )
    )
    // Whatever its plan would do is planned again once it is open.
    return snapshot(
      mailbox,
      state,
      scope,
      local: files,
      absence: local.isSettled ? .proven : .unproven,
      outside: .none,
      remote: .unchanged
    )
  }

  private func snapshot(
    _ mailbox: MirroredMailbox,
    _ state: MailboxState,
    _ scope: PlanScope,
    local: [LocalFile],
    absence: Absence,
    outside: OutsideFacts,
    remote: RemoteView
  ) -> MailboxSnapshot {
    var snapshot = MailboxSnapshot(
      mailbox: mailbox.id,
      directory: mailbox.directory,
      role: mailbox.role,
      isLabel: mailbox.role == nil && context.facts.hasLabels,
      base: scope.records,
      underWay: state.underWay,
      detached: state.detached,
      formerRecords: [],
      local: local,
      absence: absence,
      outside: outside,
      pendingExpunges: Set(state.pendingExpunges.keys),
      remote: remote,
      isWritable: true,
      permanentFlags: .all,
      fetchSince: context.fetchSince.map { $0 - 86400 },
      completions: context.completions(of: mailbox),
      deletionGuard: records.deletionGuard(
        recentInMailbox: state.recentDeletions(now: Clock.now()),
        isOverridden: context.allowsMassDeletion(mailbox.path.joined)
      ),
      blockedDeletions: state.blockedDeletions,
      expunges: true,
      movesAtOnce: context.facts.movesAtOnce
    )
    snapshot.deletionGuard.fetchesAgain = context.fetchesAgain(mailbox.path.joined)
    snapshot.unchanged = scope.unchanged
    snapshot.holdsOnce = context.facts.holdsOnce
    return snapshot
  }

  /// Files whose upload or move is still open are left out.
  private func files(
    _ mailbox: OpenMailbox,
    _ scope: PlanScope,
    _ findings: Findings
  ) throws(SyncFailure) -> [LocalFile] {
    let pending = mailbox.pendingNames
    let files = try attempt(
      mailbox.local.planned(
        scope.files,
        beside: mailbox.state,
        in: mailbox.directory,
        holdsDrafts: mailbox.mailbox.role == .drafts
      )
    )
    let partial = context.partialFiles
    var planned: [LocalFile] = []
    for var file in files
    where !pending.contains(file.name) && !findings.returned.awaited.contains(file.name) {
      if findings.returned.names.contains(file.name) { file.ownUID = nil }
      // What was matched by content in this run is not the message whose UID it bears.
      if mailbox.isRematched, mailbox.state.isRecorded(file.name) { file.ownUID = nil }
      if let content = mailbox.contents[file.name] {
        file.identity = content.identity
        file.isPartial = try attempt(partial.isPartial(content.marks, named: file.name))
      }
      file.tags = findings.tags[file.name] ?? .none
      if findings.details.edited.contains(file.name) { file.isEdited = true }
      planned.append(file)
    }
    return planned
  }

  private func remote(
    _ mailbox: OpenMailbox,
    _ details: DetailGathering.Details
  ) -> RemoteView {
    guard !details.headers.isEmpty else { return mailbox.remote.view }
    let keyed = RemoteMessages(
      mailbox.remote.view.listed.lazy.map { message in
        var message = message
        message.key = details.headers[message.uid].map {
          ContentKey(messageID: $0.messageID, header: $0.fields)
        }
        message.identity = details.contents[message.uid]?.identity
        return message
      }
    )
    switch mailbox.remote.view {
    case .complete: return .complete(keyed)
    case .changes(_, let vanished): return .changes(keyed, vanished: vanished)
    }
  }

  private func absence(_ mailbox: OpenMailbox, _ findings: Findings) -> Absence {
    if !mailbox.local.isSettled || mailbox.isUncertain || context.isElsewhere(mailbox) {
      return .unproven
    }
    let hasRevived = hasRevived(mailbox, findings)
    let change = DirectoryChange(of: mailbox.directory, since: mailbox.mailbox.entry)
    let isMarked = mailbox.state.messages.isEmpty || mailbox.isMarked
    guard SyncRule.restored.isOn, change.isExchanged || hasRevived || !isMarked else {
      return .proven
    }
    // A time alone that was set back may be that of the same directory, with changes that people made since.
    return .restored(isOlder: change.isOther && (change.isOlder || hasRevived))
  }

  /// Whether messages are back that went from both sides: an older copy of the folder, or of files, was put in place.
  private func hasRevived(_ mailbox: OpenMailbox, _ findings: Findings) -> Bool {
    let returned = findings.returned
    return mailbox.local.hasRevived(
      mailbox.difference,
      mailbox.state,
      gone: mailbox.remote.view,
      but: findings.moved.union(returned.names).union(returned.awaited)
    )
  }

  /// Whether the directory of a mailbox is another one than the last run saw, or one whose time was set back.
  static func isExchanged(_ directory: Path, since entry: Summary.Entry?) -> Bool {
    DirectoryChange(of: directory, since: entry).isExchanged
  }
}

/// What became of the directory of a mailbox since the last run saw it.
private struct DirectoryChange {
  /// Whether it is another one.
  let isOther: Bool
  /// Whether its time was set back, as those do that unpack a copy.
  let isOlder: Bool

  /// None where it was never seen, or is not there.
  init(of directory: Path, since entry: Summary.Entry?) {
    guard let before = entry?.fingerprints, let now = MaildirFingerprints(of: directory) else {
      (isOther, isOlder) = (false, false)
      return
    }
    isOther = FileIdentity(before.cur) != FileIdentity(now.cur)
    isOlder = now.cur.modified < before.cur.modified || now.new.modified < before.new.modified
  }

  var isExchanged: Bool { isOther || isOlder }
}
