internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
package import SyncPlan
package import SyncState

/// Looks at one mailbox without the server: whether it needs a connection in this run.
package struct LocalSurvey {
  /// What was found.
  package enum Finding {
    /// Nothing is to be done; what is now known where files changed all the same.
    case settled(Settlement?)
    /// Something may have to be done.
    ///
    /// `hasAbsences` says that messages lack their files, which may have moved to another mailbox. `sources` are the mailboxes
    /// that messages were leaving.
    case work(hasAbsences: Bool, sources: Set<UInt64> = [])
  }

  /// What is known of a mailbox in which nothing is to be done.
  package struct Settlement {
    /// The plan, which only says what is blocked.
    package let plan: MailboxPlan
    /// What is to be recorded of the mailbox.
    package let entry: Summary.Entry
  }

  private let context: MailboxContext
  private let records: any AccountRecords
  private let tellsVanished: Bool
  private let mayHaveVanished: Bool
  private let prefetched: PrefetchedReading?
  /// Few mailboxes have new files, and there may be thousands on record.
  private lazy var hasFilesOfDeleted = FilesOfDeletedMailboxes.areLikely(context, records)
  /// What is on record of all mailboxes, by their ids.
  private lazy var headers = records.entries.map(\.header).keyed(by: \.id)

  /// A survey of mailboxes of an account.
  ///
  /// `tellsVanished` says that its server tells which messages are gone, and `mayHaveVanished` that some may be, of any of its
  /// mailboxes. What was read in `prefetched` is not read again.
  package init(
    _ context: MailboxContext,
    _ records: any AccountRecords,
    tellsVanished: Bool,
    mayHaveVanished: Bool,
    prefetched: PrefetchedReading?
  ) {
    self.context = context
    self.records = records
    self.tellsVanished = tellsVanished
    self.mayHaveVanished = mayHaveVanished
    self.prefetched = prefetched
  }

  /// Looks; nothing is changed or recorded.
  package mutating func look(at mailbox: MirroredMailbox) -> Finding {
    guard let entry = mailbox.entry else {
      return .work(hasAbsences: holdsOthers(mailbox))
    }
    let isUnchanged =
      !context.rules.isScanning && context.rules.completions[mailbox.directory] == nil
      && !(context.policy(of: mailbox).pushes
        && TagReading.isPending(in: context.path(of: mailbox)))
      && mailbox.isUnchangedOnServer(
        window: context.window(of: mailbox),
        tellsVanished: tellsVanished
      )
    let fingerprints = MaildirFingerprints(of: context.path(of: mailbox))
    // Only its records tell where messages were on their way from when a run was cut short.
    if let fingerprints, fingerprints == entry.fingerprints, entry.isComplete,
      !mayBeEdited(mailbox, entry)
    {
      return isUnchanged ? .settled(nil) : .work(hasAbsences: false)
    }
    return (try? look(mailbox, fingerprints, isUnchanged: isUnchanged)) ?? .work(hasAbsences: false)
  }

  /// Whether files of other mailboxes may lie in the folder of one that has no record.
  private mutating func holdsOthers(_ mailbox: MirroredMailbox) -> Bool {
    let directory = context.path(of: mailbox)
    guard let local = try? LocalMailbox(directory, beside: nil) else { return false }
    return mayHoldOthers(mailbox, local, nil)
  }

  /// Whether files of other mailboxes may be among the unrecorded ones.
  ///
  /// Their names say so, or files are gone from the folder of a deleted mailbox.
  private mutating func mayHoldOthers(
    _ mailbox: MirroredMailbox,
    _ local: LocalMailbox,
    _ known: (NameDifference, MailboxState)?
  ) -> Bool {
    local.hasForeignKeys(beside: known, of: mailbox.id)
      || local.hasAdditions(beside: known) && hasFilesOfDeleted
  }

  /// A draft that is written anew in its place leaves no mark on its directory: wherever it is, it is looked at itself.
  private func mayBeEdited(_ mailbox: MirroredMailbox, _ entry: Summary.Entry) -> Bool {
    guard context.policy(of: mailbox).pushes else { return false }
    let directory = context.path(of: mailbox)
    return mailbox.role == .drafts || entry.drafts.contains { $0.mayBeEdited(in: directory) }
  }

  private func base(
    of mailbox: MirroredMailbox,
    _ fingerprints: MaildirFingerprints?
  ) throws(SyncFailure) -> MailboxBase {
    if let read = prefetched?.takeBase(mailbox, fingerprints) { return read }
    return try MailboxBase(mailbox.id, mailbox.directory, context)
  }

  private mutating func look(
    _ mailbox: MirroredMailbox,
    _ fingerprints: MaildirFingerprints?,
    isUnchanged: Bool
  ) throws(SyncFailure) -> Finding {
    let base = try base(of: mailbox, fingerprints)
    guard let journal = base.journal, let difference = base.difference else {
      return .work(hasAbsences: mayHoldOthers(mailbox, base.local, nil))
    }
    // A detached file may be a message's that was moved here under the name that another one had.
    let hasDetached = base.local.hasDetached(journal.state)
    let hasAbsences =
      !difference.fileless.isEmpty || !journal.state.intents.isEmpty || hasDetached
      || mayHoldOthers(mailbox, base.local, (difference, journal.state))
    guard isUnchanged, !base.isDirectoryMissing, journal.state.intents.isEmpty,
      journal.state.pendingExpunges.isEmpty, base.local.duplicates.isEmpty,
      !base.local.hasUnrecorded(difference, journal.state), !hasDetached
    else {
      context.cache.put(base, of: mailbox.id)
      return .work(hasAbsences: hasAbsences, sources: journal.state.pendingSources)
    }
    let directory = context.path(of: mailbox)
    guard difference.fileless.isEmpty || !Snapshots.isExchanged(directory, since: mailbox.entry)
    else {
      context.cache.put(base, of: mailbox.id)
      return .work(hasAbsences: hasAbsences, sources: journal.state.pendingSources)
    }
    let snapshot = try Snapshots(context, records).snapshot(
      mailbox,
      journal.state,
      base.local,
      difference
    )
    let plan = Planner.plan(snapshot, policy: policyOfOne(mailbox))
    // Drafts are looked at only where nothing else needs a run.
    let needsWork =
      try !isSettled(by: plan)
      ? true : hasUnnotedDrafts(mailbox, base.local, journal.state)
    guard !needsWork else {
      context.cache.put(base, of: mailbox.id)
      return .work(hasAbsences: hasAbsences, sources: journal.state.pendingSources)
    }
    let entry = entry(base.local, journal.state)
    return .settled(Settlement(plan: plan, entry: entry))
  }

  /// A removal that is postponed may turn out to be a move, once the mailbox is seen beside others.
  private func policyOfOne(_ mailbox: MirroredMailbox) -> Policy {
    var policy = context.policy(of: mailbox)
    policy.postponesRemovals = false
    return policy
  }

  /// Whether nothing is left to do.
  ///
  /// Where messages may be gone, new files that are not uploaded may still be theirs. A removal that is not carried out may be
  /// a move, which one mailbox alone does not show.
  private mutating func isSettled(by plan: MailboxPlan) -> Bool {
    let mayFollow = mayHaveVanished && plan.blocked.contains(where: \.isAddition)
    let mayHaveMoved = context.reach.pushes && plan.blocked.contains(where: \.isRemoval)
    return plan.isEmpty && !plan.isStoppedByGuard && !plan.isDeferred && !mayFollow && !mayHaveMoved
      && !hasUnrecorded(plan)
  }

  /// Whether there are files whose messages a killed run fetched into other mailboxes, and did not record.
  private mutating func hasUnrecorded(_ plan: MailboxPlan) -> Bool {
    for blocked in plan.blocked {
      guard case .addition(let name) = blocked.difference, let key = MessageKey(baseName: name)
      else { continue }
      if headers[key.mailbox]?.mayBeUnseen(key) == true { return true }
    }
    return false
  }

  private func hasUnnotedDrafts(
    _ mailbox: MirroredMailbox,
    _ local: LocalMailbox,
    _ state: MailboxState
  ) throws(SyncFailure) -> Bool {
    try attempt(
      local.hasUnnotedDrafts(
        state,
        in: context.path(of: mailbox),
        holdsDrafts: mailbox.role == .drafts
      )
    )
  }

  private func entry(_ local: LocalMailbox, _ state: MailboxState) -> Summary.Entry {
    var entry = Summary.Entry(
      header: state.header,
      messages: state.messages.count,
      isComplete: true,
      fingerprints: nil
    )
    local.recordScan(in: &entry, beside: state)
    return entry
  }
}

extension BlockedChange {
  /// Whether it is a file that the server lacks.
  fileprivate var isAddition: Bool {
    if case .addition = difference { true } else { false }
  }

  /// Whether it is a message whose file is gone.
  fileprivate var isRemoval: Bool {
    if case .removal = difference { true } else { false }
  }
}
