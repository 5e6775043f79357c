internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan

/// Restores all folders that go to one mailbox.
///
/// It looks which files the server has, uploads the others, and looks again: what the last look finds is what counts. Where
/// anything ended early, all of it may be done anew.
struct MailboxRestoration {
  let store: any MailStore
  let target: RestoreTarget
  let journal: RestoreJournal
  let progress: RestoreProgress
  let interruption: Interruption
  let observer: (RestorationEvent) -> Void

  private var look: MailboxLook {
    let observer = observer
    return MailboxLook(store, target, journal, interruption) { observer(.step($0)) }
  }

  /// What would be uploaded.
  func plan() throws(SyncFailure) -> RestorationReport.Counts {
    let finding = try look.find()
    return Self.plan(target, finding.uids, observer)
  }

  /// What would be uploaded where the server has these messages of the files.
  static func plan(
    _ target: RestoreTarget,
    _ uids: [UInt32?],
    _ observer: (RestorationEvent) -> Void
  ) -> RestorationReport.Counts {
    var counts = RestorationReport.Counts()
    counts.messages = target.files.count
    for (index, uid) in uids.enumerated() {
      guard uid == nil else {
        counts.present += 1
        continue
      }
      counts.uploaded += 1
      let octets = target.files[index].file.wireSize
      observer(.planned(mailbox: target.display, target.path(index), octets: octets))
    }
    return counts
  }

  /// Uploads what the server lacks, and proves that it has everything.
  func run() throws(SyncFailure) -> RestorationReport.Counts {
    let look = look
    var finding = try look.find()
    tellUnkept(finding.keptFlags)
    let missing = target.files.indices.filter {
      finding.uids[$0] == nil && !progress.isSettled($0)
    }
    if !missing.isEmpty {
      var upload = MailboxUpload(
        store,
        target,
        journal,
        progress,
        finding,
        interruption,
        observer: observer
      )
      try upload.run(missing)
      finding = try look.find()
    }
    try look.prove(finding)
    return compare(finding)
  }

  /// Says which flags and keywords the mailbox does not keep.
  private func tellUnkept(_ kept: KeptFlags) {
    var system: SystemFlags = []
    var keywords: Set<[UInt8]> = []
    for file in target.files {
      system.formUnion(file.file.flags.system.subtracting(kept.system))
      for word in file.file.flags.keywords where !kept.keeps(word) { keywords.insert(word) }
    }
    guard !system.isEmpty || !keywords.isEmpty else { return }
    let sorted = keywords.sorted { $0.lexicographicallyPrecedes($1) }
    observer(.unkept(mailbox: target.display, system, sorted))
  }

  private func compare(_ finding: MailboxLook.Finding) -> RestorationReport.Counts {
    var counts = RestorationReport.Counts()
    counts.messages = target.files.count
    counts.refused = progress.refused.count
    for (index, source) in target.files.enumerated() {
      let uid = finding.uids[index]
      let isNew = progress.sent.contains(index)
      guard let uid else {
        // Why not was said.
        guard !progress.isSettled(index) else { continue }
        counts.missing += 1
        tell(.missing, index, nil, isNew)
        continue
      }
      let differences = RestoreDifference.all(
        source.file,
        finding.keptFlags.kept(of: source.file.flags),
        finding.listed[uid],
        journal.mailbox.proof(of: uid) ?? .unseen
      )
      counts.add(differences, isNew: isNew)
      for difference in differences { tell(difference, index, uid, isNew) }
    }
    return counts
  }

  private func tell(_ difference: RestoreDifference, _ index: Int, _ uid: UInt32?, _ isNew: Bool) {
    observer(
      .difference(
        mailbox: target.display,
        target.path(index),
        uid: uid,
        difference,
        isNew: isNew
      )
    )
  }
}

extension RestorationReport.Counts {
  /// Counts a file that the server has.
  fileprivate mutating func add(_ differences: [RestoreDifference], isNew: Bool) {
    if isNew { uploaded += 1 } else { present += 1 }
    if differences.contains(.octets) {
      altered += 1
    } else if !differences.contains(.unread) {
      proven += 1
    }
    let others = differences.filter { $0 != .octets }
    if isNew ? !differences.isEmpty : differences.contains(.unread) {
      unequal += 1
    } else if !others.isEmpty {
      remarked += 1
    }
  }
}
