/// The planning of one mailbox, message by message.
struct MailboxPlanning {
  private let snapshot: MailboxSnapshot
  private let difference: LocalDifference
  private let moves: MoveMatcher
  private let policy: Policy
  private let remote: RemoteIndex
  private var result: MailboxPlan
  private var knownUIDs: Set<UInt32>

  init(
    _ snapshot: MailboxSnapshot,
    _ difference: LocalDifference,
    _ remote: RemoteIndex,
    _ moves: MoveMatcher,
    _ policy: Policy
  ) {
    self.snapshot = snapshot
    self.difference = difference
    self.moves = moves
    self.policy = policy
    self.remote = remote
    result = MailboxPlan(mailbox: snapshot.mailbox)
    knownUIDs = Set(snapshot.base.map(\.uid))
  }

  mutating func plan() -> MailboxPlan {
    for record in snapshot.base { planKnown(record) }
    for file in difference.added { planAdded(file) }
    for message in remote.newestFirst(where: { !knownUIDs.contains($0) }) { planUnknown(message) }
    brakeLocalRemovals()
    brakeRemoteRemovals()
    result.actions = Action.inOrder(result.actions)
    return result
  }

  // MARK: Messages of the base

  private mutating func planKnown(_ record: BaseRecord) {
    let file = difference.present[record.name]
    switch (file, remote.fate(of: record.uid)) {
    case (nil, .gone): add(.forget(uid: record.uid), .deletedOnBothSides)
    case (let file?, .gone): planGoneFromServer(record, file)
    case (let file?, .unchanged): planPresent(record, file, record.flags)
    case (let file?, .listed(let message)): planPresent(record, file, message.flags)
    case (nil, .unchanged): planAbsent(record, nil)
    case (nil, .listed(let message)): planAbsent(record, message)
    }
  }

  private mutating func planGoneFromServer(_ record: BaseRecord, _ file: LocalFile) {
    guard policy.pulls else {
      return hold(.serverDeletion(name: record.name, uid: record.uid), .pushOnly)
    }
    guard file.flags.contains(.flagged), !record.flags.system.contains(.flagged) else {
      return add(.removeLocal(name: record.name, uid: record.uid), .deletedOnServer)
    }
    add(.orphan(name: record.name, uid: record.uid), .flaggedHere)
    if policy.pushes {
      add(.append(name: record.name, flags: file.flags), .flaggedHere)
    } else {
      hold(.addition(name: record.name), .pullOnly)
    }
  }

  private mutating func planPresent(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ remoteFlags: MessageFlags
  ) {
    guard file.flags != record.flags.system || remoteFlags != record.flags else { return }
    let merge = FlagMerge(
      base: record.flags,
      local: file.flags,
      remote: remoteFlags,
      permanent: snapshot.permanentFlags
    )
    planFlags(merge, file, uid: record.uid, base: record.flags)
  }

  private mutating func planFlags(
    _ merge: FlagMerge,
    _ file: LocalFile,
    uid: UInt32,
    base: MessageFlags?
  ) {
    if merge.local != file.flags {
      add(
        .setLocalFlags(
          name: file.name,
          uid: uid,
          flags: merge.local,
          agreed: merge.agreedNow
        ),
        .flagsChangedOnServer
      )
    } else if let base, merge.agreedNow != base {
      add(.agree(uid: uid, flags: merge.agreedNow), .flagsChangedOnServer)
    }
    if merge.hasUnkeepable { hold(.flags(name: file.name, uid: uid), .notPermanent) }
    guard merge.hasPush else { return }
    guard policy.pushes else { return hold(.flags(name: file.name, uid: uid), .pullOnly) }
    add(
      .store(
        uid: uid,
        adding: merge.adding,
        removing: merge.removing,
        agreed: merge.agreedAfterPush
      ),
      .flagsChangedHere
    )
  }

  // MARK: Messages whose file is gone

  private mutating func planAbsent(_ record: BaseRecord, _ message: RemoteMessage?) {
    let key = MoveMatcher.Message(mailbox: snapshot.mailbox, uid: record.uid)
    if let place = moves.places[key], policy.pushes || place.mailbox == snapshot.mailbox {
      return planMoved(record, place, message)
    }
    if let message, message.flags != record.flags {
      add(.agree(uid: record.uid, flags: message.flags), .flagsChangedOnServer)
    }
    guard policy.pushes else { return holdLocalChange(record, moves.places[key]) }
    guard snapshot.absenceIsProven else {
      return hold(.removal(uid: record.uid), .absenceUnproven)
    }
    if let message, message.flags.system.contains(.flagged),
      !record.flags.system.contains(.flagged)
    {
      return add(.download(message), .flaggedOnServer)
    }
    planLocalDeletion(record)
  }

  private mutating func holdLocalChange(_ record: BaseRecord, _ place: MoveMatcher.Place?) {
    guard let place else { return hold(.removal(uid: record.uid), .pullOnly) }
    hold(.move(uid: record.uid, to: place.mailbox), .pullOnly)
  }

  /// Flags go to the server before the message moves, so that they travel with it.
  private mutating func planMoved(
    _ record: BaseRecord,
    _ place: MoveMatcher.Place,
    _ message: RemoteMessage?
  ) {
    if place.mailbox == snapshot.mailbox { return planRenamed(record, place.file) }
    let merge = FlagMerge(
      base: record.flags,
      local: place.file.flags,
      remote: message?.flags ?? record.flags,
      permanent: snapshot.permanentFlags
    )
    if merge.hasPush {
      add(
        .store(
          uid: record.uid,
          adding: merge.adding,
          removing: merge.removing,
          agreed: merge.agreedAfterPush
        ),
        .flagsChangedHere
      )
    }
    add(
      .moveRemote(
        uid: record.uid,
        to: place.mailbox,
        name: place.file.name,
        flags: merge.local,
        agreed: merge.agreedAfterPush
      ),
      .movedHere
    )
  }

  private mutating func planRenamed(_ record: BaseRecord, _ file: LocalFile) {
    add(
      .bind(
        name: file.name,
        uid: record.uid,
        agreed: record.flags,
        size: record.size,
        date: record.date
      ),
      .renamedHere
    )
  }

  private mutating func planLocalDeletion(_ record: BaseRecord) {
    switch policy.localDeletion {
    case .keep:
      hold(.removal(uid: record.uid), .kept)
    case .trash where snapshot.role != .trash && snapshot.role != .drafts:
      add(.removeRemote(uid: record.uid, toTrash: true), .deletedHere)
    case .trash, .expunge:
      add(.removeRemote(uid: record.uid, toTrash: false), .deletedHere)
    }
  }

  // MARK: What the base does not know

  private mutating func planAdded(_ file: LocalFile) {
    let place = MoveMatcher.Place(mailbox: snapshot.mailbox, file: file)
    if moves.arrivals.contains(place) { return }
    guard let uid = file.ownUID, !knownUIDs.contains(uid) else { return planNewFile(file) }
    if let message = remote.message(uid) { return bind(file, to: message) }
    // Where the server did not list everything, the next run knows more.
    if remote.isGone(uid) { add(.orphan(name: file.name, uid: nil), .unknownOnServer) }
  }

  private mutating func planNewFile(_ file: LocalFile) {
    guard policy.pushes else { return hold(.addition(name: file.name), .pullOnly) }
    add(.append(name: file.name, flags: file.flags), .newHere)
  }

  private mutating func bind(_ file: LocalFile, to message: RemoteMessage) {
    knownUIDs.insert(message.uid)
    let merge = FlagMerge(
      unrelated: file.flags,
      remote: message.flags,
      permanent: snapshot.permanentFlags
    )
    add(
      .bind(
        name: file.name,
        uid: message.uid,
        agreed: merge.agreedNow,
        size: message.size ?? 0,
        date: message.date ?? 0
      ),
      .alreadyHere
    )
    planFlags(merge, file, uid: message.uid, base: nil)
  }

  private mutating func planUnknown(_ message: RemoteMessage) {
    if let since = snapshot.fetchSince, let date = message.date, date < since { return }
    guard policy.pulls else { return hold(.download(uid: message.uid), .pushOnly) }
    add(.download(message), .newOnServer)
  }

  // MARK: The brake

  private mutating func brakeLocalRemovals() {
    let removals = result.actions.filter { $0.removesLocalFile }
    guard isBraked(removals.count) else { return }
    result.actions.removeAll { $0.removesLocalFile }
    for case .removeLocal(let name, let uid) in removals.map(\.kind) {
      hold(.serverDeletion(name: name, uid: uid), .massDeletion)
    }
  }

  private mutating func brakeRemoteRemovals() {
    let removals = result.actions.filter { $0.removesRemoteMessage }
    guard isBraked(removals.count) else { return }
    result.actions.removeAll { $0.removesRemoteMessage }
    for case .removeRemote(let uid, _) in removals.map(\.kind) {
      hold(.removal(uid: uid), .massDeletion)
    }
  }

  private func isBraked(_ deletions: Int) -> Bool {
    if let role = snapshot.role, role.expectsDeletions { return false }
    let gone = result.actions.filter { if case .forget = $0.kind { true } else { false } }.count
    return snapshot.brake.holds(deletions: deletions, of: snapshot.base.count - gone)
  }

  // MARK: Results

  private mutating func add(_ kind: Action.Kind, _ reason: Reason) {
    result.actions.append(Action(kind, reason))
  }

  private mutating func hold(_ difference: HeldBack.Difference, _ cause: HeldBack.Cause) {
    result.held.append(HeldBack(difference, cause))
  }
}
