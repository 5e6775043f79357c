package import MailModel
package import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
package import SyncPlan
internal import SyncState

/// What the planner sees of mailboxes that are seen together: looked at closer where it could take one message for
/// another, and made into snapshots.
///
/// In this order: `gather` and `readContents` for each, which may fail for one and not for the others, then `snapshots`.
package struct PlanInput {
  private let context: MailboxContext
  private let records: any AccountRecords
  private let outside: OutsideGroup
  private let gathering: DetailGathering
  private let tags: [UInt64: [[UInt8]: KeywordChange]]

  /// The input of a group of mailboxes that are open on the store.
  ///
  /// - Throws: what keeps the records of a mailbox that the server no longer has, or a new file, from being read.
  package init(
    _ context: MailboxContext,
    _ records: any AccountRecords,
    _ store: any MailStore,
    _ group: [OpenMailbox]
  ) throws(SyncFailure) {
    self.context = context
    self.records = records
    outside = OutsideGroup(context, records, group)
    try FilesOfDeletedMailboxes(outside).adopt(in: group)
    gathering = DetailGathering(context, store, group, outside)
    tags = TagReading(context, group).read()
  }

  /// Reads what is needed of one mailbox of the group, except for the content of messages.
  package func gather(_ mailbox: OpenMailbox) throws(SyncFailure) {
    try gathering.gather(mailbox)
  }

  /// The messages of which only the content can tell what they are, once `gather` was called for all: UIDs by mailbox.
  package func doubtful() -> [UInt64: [UInt32]] {
    gathering.doubtful()
  }

  /// Reads the content of these messages; nothing where there are none.
  package func readContents(_ uids: [UInt32]?, of mailbox: OpenMailbox) throws(SyncFailure) {
    try gathering.readContents(uids, of: mailbox)
  }

  /// What the planner sees of one mailbox.
  package struct Item {
    /// The mailbox at this moment.
    package var snapshot: MailboxSnapshot
    /// Whether it has a file of which another mailbox is to learn first, in the next run.
    package var awaitsOther: Bool
  }

  /// The snapshots of those mailboxes of the group in which nothing failed, in their order.
  ///
  /// `requests` tells which messages the spool is to move or to remove, nil where that cannot be told; it is asked only
  /// after files were found missing.
  package func snapshots(
    of group: [OpenMailbox],
    requests: () -> [MessageReference]?
  ) throws(SyncFailure) -> [Item] {
    let returned = try ReturnedFiles(context, group).find()
    let fileless = group.flatMap(\.fileless)
    let claimed = try claimed(group)
    for mailbox in group where fileless.isEmpty || mailbox.fileless.isEmpty {
      // The file of a message that is claimed is missing, too.
      if claimed[mailbox.mailbox.id] == nil { mailbox.noteWhole() }
    }
    // Where nothing is sent, it does not matter where the file of a message is that the server has.
    let sought = context.reach.pushes ? fileless : group.flatMap(\.missing)
    let elsewhere = try outside.displaced(sought)
    // Only now: a request is durable before its file goes.
    let requests = fileless.isEmpty ? [] : requests()
    let absent = OctetSet(fileless.map(\.name))
    let followable = followable(group)
    // Few groups need it: on a first sync there may be many new files.
    lazy var added = NewFiles(group)
    let isWhole = !group.allSatisfy { $0.conditionsToLeaveOut.allow }
    try FormerContents.recognise(in: group, gathering, outside)
    let copies = try context.reach.pushes ? CopySearch(group, outside) : nil
    var snapshots: [MailboxSnapshot] = []
    for mailbox in group {
      let disputed = disputed(mailbox, group, added)
      let id = mailbox.mailbox.id
      let facts = try facts(
        on: mailbox,
        elsewhere,
        disputed,
        claimed[id] ?? [],
        requested(mailbox, requests).union(taken(from: mailbox, group)),
        copies?.copies(in: mailbox) ?? OctetTable()
      )
      let findings = Snapshots.Findings(
        details: gathering.details[id] ?? DetailGathering.Details(),
        returned: returned[id] ?? ReturnedFiles.Found(),
        tags: tags[id] ?? [:],
        moved: absent,
        followable: followable
      )
      var snapshot = try Snapshots(context, records).snapshot(
        mailbox,
        findings,
        outside: facts,
        isWhole: isWhole
      )
      if elsewhere == nil { snapshot.absence = .unproven }
      snapshots.append(snapshot)
    }
    snapshots = withRestores(snapshots, group)
    if sought.count < fileless.count { try noteDisplaced(fileless, group, in: &snapshots) }
    return zip(snapshots, group).map { snapshot, mailbox in
      let awaited = returned[mailbox.mailbox.id]?.awaited ?? []
      return Item(snapshot: snapshot, awaitsOther: !awaited.isEmpty)
    }
  }

  /// The messages without a record whose files lie outside, of the mailboxes that have any.
  private func claimed(_ group: [OpenMailbox]) throws(SyncFailure) -> [UInt64: Set<UInt32>] {
    var claimed: [UInt64: Set<UInt32>] = [:]
    for mailbox in group {
      let uids = try outside.claimed(in: mailbox)
      if !uids.isEmpty { claimed[mailbox.mailbox.id] = uids }
    }
    return claimed
  }

  private func facts(
    on mailbox: OpenMailbox,
    _ elsewhere: OutsideGroup.Displaced?,
    _ disputed: [BaseRecord],
    _ claimed: Set<UInt32>,
    _ requested: Set<UInt32>,
    _ copies: OctetTable<FileCopy>
  ) throws(SyncFailure) -> OutsideFacts {
    var facts = OutsideFacts.none
    facts.elsewhere = (elsewhere?.names ?? []).union(mailbox.local.misfits)
    facts.inMirrored = elsewhere?.inMirrored ?? []
    facts.fromElsewhere = try outside.originals(ofAdditionsTo: mailbox)
    facts.fromDeleted = mailbox.fromDeleted
    facts.survivors = try outside.survivors(disputed, of: mailbox)
    facts.claimed = claimed
    facts.requested = requested
    facts.mayHaveMoved = mailbox.lost.union(outside.underWay(from: mailbox))
    facts.copies = copies
    facts.copied = try outside.copied(in: mailbox)
    facts.labelled = try LabelSearch(outside).labels(in: mailbox)
    facts.hasEarlyArrivals = mailbox.hasEarlyArrivals
    return facts
  }

  /// The names that files may follow their messages under: of messages that are gone, and of files that may be theirs.
  private func followable(_ group: [OpenMailbox]) -> [[UInt8]] {
    let gone = group.flatMap { $0.gone.map(\.name) }
    guard !gone.isEmpty else { return [] }
    return gone
      + group.flatMap { mailbox in
        mailbox.difference.unmatched.map { mailbox.local.files.base(at: $0) }
      }
  }

  /// The records of missing messages whose files would be uploaded again, or are to go with the message.
  ///
  /// These files were moved, flagged or tagged here, or it is not known whether they arrived. Records whose file may be that of
  /// another message in the group are among them.
  ///
  /// Where files are kept, all that are gone.
  private func disputed(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox],
    _ added: @autoclosure () -> NewFiles
  ) -> [BaseRecord] {
    var (changed, doubtful): ([BaseRecord], [BaseRecord]) = ([], [])
    let gone = mailbox.gone
    let tags = gone.isEmpty ? nil : mailbox.tagFile
    for record in gone {
      guard let flags = mailbox.flags(of: record.name) else {
        if added().has(record) { changed.append(record) }
        continue
      }
      let isTagged = tags?.tags[record.name] != nil
      if flags != record.flags.system || isTagged || context.policy(of: mailbox.mailbox).keepsFiles
      {
        changed.append(record)
      } else if isNamesake(record, ofAbsentIn: group) {
        doubtful.append(record)
      }
    }
    // Of several that are alike the first is the one that is found.
    return changed + mailbox.formerRecords + doubtful
  }

  /// Whether a message that the server has, and whose file is not here, has the name and the content of the record.
  private func isNamesake(_ record: BaseRecord, ofAbsentIn group: [OpenMailbox]) -> Bool {
    group.contains { mailbox in
      guard let uid = mailbox.state.uid(of: record.name), let other = mailbox.state.messages[uid]
      else { return false }
      return other.holdsSame(as: record)
        && mailbox.flags(of: record.name) == nil
        && !RemoteIndex(mailbox.remote.view).isGone(uid)
    }
  }

  /// The new files of a group.
  private struct NewFiles {
    private var names: OctetSet = []
    private var texts: Set<Sameness.Key> = []

    init(_ group: [OpenMailbox]) {
      for mailbox in group {
        for name in mailbox.additions {
          names.insert(name)
          if let text = mailbox.contents[name]?.identity.text { texts.insert(text) }
        }
      }
    }

    /// Whether one of them has the base name of the record, or its text.
    func has(_ record: BaseRecord) -> Bool {
      names.contains(record.name) || record.identity.map { texts.contains($0.text) } ?? false
    }
  }

  /// The messages without a file that requests may mean: any, where those cannot be read.
  private func requested(_ mailbox: OpenMailbox, _ requests: [MessageReference]?) -> Set<UInt32> {
    guard SyncRule.outside.isOn else { return [] }
    guard let requests else { return Set(mailbox.fileless.map(\.uid)) }
    guard !requests.isEmpty else { return [] }
    let header = mailbox.state.header
    let name = mailbox.mailbox.path.joined
    let found = mailbox.fileless.filter { record in
      requests.contains { $0.isOne(record, header, in: name) }
    }
    return Set(found.map(\.uid))
  }

  /// The messages for whose move, or new version, the server answered OK, while the outcome is not known.
  ///
  /// Until then, it means nothing that their files are gone.
  private func taken(from mailbox: OpenMailbox, _ group: [OpenMailbox]) -> Set<UInt32> {
    var taken: Set<UInt32> = []
    guard SyncRule.taken.isOn else { return taken }
    for case .move(let transfer) in group.flatMap(\.state.takenIntents) {
      let origin = mailbox.current(transfer.origin)
      if mailbox.state.origin(of: origin.uid) == origin { taken.insert(origin.uid) }
    }
    for intent in mailbox.state.takenIntents {
      switch intent {
      case .append(let upload):
        taken.formUnion([upload.replacing, mailbox.state.uid(of: upload.name)].compactMap { $0 })
      case .discard(let disposal): taken.insert(disposal.uid)
      case .move, .copy, .follow, .leave, .unmark: break
      }
    }
    return taken
  }

  /// Tells those of which files are to come back, since an older copy was put in place, which of them lie elsewhere.
  private func noteDisplaced(
    _ fileless: [BaseRecord],
    _ group: [OpenMailbox],
    in snapshots: inout [MailboxSnapshot]
  ) throws(SyncFailure) {
    guard snapshots.contains(where: \.absence.isRestored) else { return }
    let elsewhere = try outside.displaced(fileless)
    for index in snapshots.indices {
      if elsewhere == nil { snapshots[index].absence = .unproven }
      let misfits = group[index].local.misfits
      snapshots[index].outside.elsewhere = (elsewhere?.names ?? []).union(misfits)
      snapshots[index].outside.inMirrored = elsewhere?.inMirrored ?? []
    }
  }

  /// Who puts an older copy of one folder in place does so with others, of which it need not show.
  private func withRestores(
    _ snapshots: [MailboxSnapshot],
    _ group: [OpenMailbox]
  ) -> [MailboxSnapshot] {
    let isRestored = snapshots.contains(where: \.absence.isRestored)
    return zip(snapshots, group).map { snapshot, mailbox in
      var snapshot = snapshot
      if snapshot.absence == .proven, isRestored || mailbox.isRematched {
        snapshot.absence = .restored(isOlder: false)
      }
      return snapshot
    }
  }
}
