internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan
internal import SyncState

// What is to be done.
extension GroupSync {
  func plan(_ group: [OpenMailbox]) throws(SyncFailure) {
    let outside = Surroundings(context, ledger, group)
    let gathering = DetailGathering(context, store, group, outside)
    try each(group) { mailbox, _ throws(SyncFailure) in try gathering.gather(mailbox) }
    let doubtful = gathering.doubtful()
    try each(group) { mailbox, _ throws(SyncFailure) in
      try gathering.readContents(doubtful[mailbox.mailbox.id], of: mailbox)
    }
    let planned = group.filter { !$0.hasFailed }
    let snapshots = try snapshots(planned, outside)
    let reader = MoveDetailsReader(group, readsSubjects: context.options.isDryRun)
    for (mailbox, plan) in zip(planned, Planner.plan(snapshots, policy: context.policy)) {
      mailbox.plan = plan
    }
    if context.options.isDryRun {
      try each(planned) { mailbox, outcome throws(SyncFailure) in
        try leaveOutImpossible(mailbox, group, &outcome)
      }
    }
    for mailbox in planned where !mailbox.hasFailed {
      guard let plan = mailbox.plan else { continue }
      let name = mailbox.mailbox.path.display
      context.report(.planned(mailbox: name, plan, moves: reader.details(plan)))
    }
  }

  /// Leaves files out of a plan that a run could not upload, and reports them.
  private func leaveOutImpossible(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    guard var plan = mailbox.plan else { return }
    let others = Dictionary(
      group.map { ($0.mailbox.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var push = UploadPush(context, store, mailbox, others)
    defer { outcome.merge(push.outcome) }
    plan.limitUploads(to: try push.possible(plan.uploads))
    mailbox.plan = plan
  }

  private func snapshots(
    _ group: [OpenMailbox],
    _ outside: Surroundings
  ) throws(SyncFailure) -> [MailboxSnapshot] {
    try merging { outcome throws(SyncFailure) in
      try ReturnedFiles(context, group).note(&outcome)
    }
    let fileless = group.flatMap(\.fileless)
    let elsewhere = try outside.displaced(fileless)
    // Only now: a request is durable before its file goes.
    let requests = fileless.isEmpty ? [] : context.requests()
    let absent = OctetSet(fileless.map(\.name))
    var snapshots: [MailboxSnapshot] = []
    for mailbox in group {
      let facts = OutsideFacts(
        elsewhere: elsewhere?.names ?? [],
        inMirrored: elsewhere?.inMirrored ?? [],
        fromElsewhere: try outside.originals(of: mailbox.additions, mailbox.contents),
        survivors: try outside.survivors(deserted(mailbox, group), of: mailbox),
        requested: requested(mailbox, requests)
      )
      var snapshot = try Snapshots(context, ledger).snapshot(
        mailbox,
        moved: absent,
        outside: facts
      )
      if elsewhere == nil { snapshot.absence = .unproven }
      snapshots.append(snapshot)
    }
    return zip(withRestores(snapshots), group).map { snapshot, mailbox in
      var snapshot = snapshot
      if mailbox.isRematched, snapshot.absence == .proven { snapshot.absence = .restored }
      return snapshot
    }
  }

  /// The records of the mailbox whose messages are gone, and of which another one has a new file of that base name.
  private func deserted(_ mailbox: OpenMailbox, _ group: [OpenMailbox]) -> [BaseRecord] {
    let fileless = mailbox.fileless
    guard !fileless.isEmpty else { return [] }
    let remote = RemoteIndex(mailbox.remote.view)
    return fileless.filter { record in
      remote.isGone(record.uid)
        && group.contains {
          $0 !== mailbox && $0.local.files[record.name] != nil && !$0.state.isRecorded(record.name)
        }
    }
  }

  /// The messages without a file that requests may mean: any, where those cannot be read.
  private func requested(_ mailbox: OpenMailbox, _ requests: [MessageReference]?) -> Set<UInt32> {
    guard let requests else { return Set(mailbox.fileless.map(\.uid)) }
    guard !requests.isEmpty else { return [] }
    let header = mailbox.state.header
    let name = mailbox.mailbox.path.joined
    let found = mailbox.fileless.filter { record in
      requests.contains { $0.isOne(record, header, in: name) }
    }
    return Set(found.map(\.uid))
  }

  /// Who puts an older copy of one folder in place does so with others, of which it need not show.
  private func withRestores(_ snapshots: [MailboxSnapshot]) -> [MailboxSnapshot] {
    guard snapshots.contains(where: { $0.absence == .restored }) else { return snapshots }
    return snapshots.map { snapshot in
      var snapshot = snapshot
      if snapshot.absence == .proven { snapshot.absence = .restored }
      return snapshot
    }
  }
}
