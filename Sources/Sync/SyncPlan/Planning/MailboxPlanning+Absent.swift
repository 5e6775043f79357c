internal import MailModel

/// Messages whose file is gone, and which the server still has.
extension MailboxPlanning {
  mutating func planAbsent(_ record: BaseRecord, _ message: RemoteMessage?) {
    lossesThere.count(isLost: false)
    let place = matches.moves.places[reference(record.uid)]
    if let place, policy.pushes || place.mailbox == snapshot.mailbox {
      return planMoved(record, place, message)
    }
    // What was asked for is done first, whatever the user did with the file besides.
    if snapshot.outside.requested.contains(record.uid) {
      return leaveOnServer(record, message, .requested)
    }
    if let place { return leave(record, at: place, message, .pullOnly) }
    let isElsewhere = snapshot.outside.elsewhere.contains(record.name)
    if isElsewhere, policy.pushes { return leaveOnServer(record, message, .elsewhere) }
    if snapshot.deletionGuard.fetchesAgain, !isElsewhere, !isCopied(record) {
      // The file may only have another name by now: then the message would be here twice.
      guard snapshot.absence != .unproven else {
        return leaveOnServer(record, message, .absenceUnproven)
      }
      return planFetch(record, message, .wantedAgain)
    }
    if !isCopied(record) { lossesHere.count(isLost: true) }
    // Whichever run sees it first: the next one sees a folder from which files were removed.
    if snapshot.absence.isRestored, !isElsewhere {
      return planFetch(record, message, .restoredHere)
    }
    guard policy.pushes else { return leaveOnServer(record, message, .pullOnly) }
    if let cause = removalObjection { return leaveOnServer(record, message, cause) }
    if let message, message.flags.system.contains(.flagged),
      !record.flags.system.contains(.flagged)
    {
      guard policy.pulls else { return block(.download(uid: record.uid), .pushOnly) }
      return planReturn(record, message)
    }
    guard !record.completeness.isPartial else { return planPartialDeletion(record, message) }
    planLocalDeletion(record, message)
  }

  /// A message that is to go comes back, since it was flagged on the server.
  ///
  /// It does without the mark as deleted, which a run set that was ended before it could expunge the message.
  private mutating func planReturn(_ record: BaseRecord, _ message: RemoteMessage) {
    var message = message
    if message.flags.system.contains(.deleted), !record.flags.system.contains(.deleted) {
      message.flags.system.remove(.deleted)
      add(FlagStore(uid: message.uid, adding: [], removing: .deleted), .flaggedOnServer)
    }
    download(message, .flaggedOnServer)
  }

  /// The message stays although its file is gone.
  mutating func leaveOnServer(
    _ record: BaseRecord,
    _ message: RemoteMessage?,
    _ cause: BlockedChange.Cause
  ) {
    leave(.removal(uid: record.uid), record, message, cause)
  }

  /// The message does not follow its file.
  mutating func leave(
    _ record: BaseRecord,
    at place: Place,
    _ message: RemoteMessage?,
    _ cause: BlockedChange.Cause
  ) {
    leave(.move(uid: record.uid, to: place.mailbox), record, message, cause)
  }

  /// What was done here with the file of a message is not done on the server now.
  ///
  /// What that says of the message is said once, and not agreed on: the file may turn up again, and does not show it.
  private mutating func leave(
    _ difference: BlockedChange.Difference,
    _ record: BaseRecord,
    _ message: RemoteMessage?,
    _ cause: BlockedChange.Cause
  ) {
    if let message, message.flags != record.flags {
      if cause.lasts { result.isDeferred = true } else { result.isPostponed = true }
    }
    block(difference, cause)
  }

  /// Why the absence of the file is not to be taken for its removal; nil when it is.
  var removalObjection: BlockedChange.Cause? {
    if snapshot.absence == .unproven { return .absenceUnproven }
    if !snapshot.isWritable { return .readOnly }
    return nil
  }

  mutating func planFetch(
    _ record: BaseRecord,
    _ message: RemoteMessage?,
    _ reason: Reason
  ) {
    guard policy.pulls else {
      result.awaitsFiles = true
      return block(.download(uid: record.uid), .pushOnly)
    }
    let known = RemoteMessage(
      uid: record.uid,
      flags: message?.flags ?? record.flags,
      size: record.size,
      date: record.date
    )
    download(known, reason)
  }

  /// Flags go to the server before the message moves, so that they travel with it.
  mutating func planMoved(
    _ record: BaseRecord,
    _ place: Place,
    _ message: RemoteMessage?
  ) {
    if place.mailbox == snapshot.mailbox { return planRenamed(record, place.file, message) }
    if let cause = objection(toMovingTo: place) { return leave(record, at: place, message, cause) }
    if matches.moves.edited.contains(place) {
      guard !record.completeness.isPartial else {
        return leave(record, at: place, message, .partial)
      }
      return planMovedAndEdited(record, place, message)
    }
    guard snapshot.movesAtOnce || snapshot.canReplace else {
      return leave(record, at: place, message, .readOnly)
    }
    let merge = FlagMerge(
      base: record.flags,
      local: place.file.flags,
      remote: message?.flags ?? record.flags,
      permanent: snapshot.permanentFlags
    )
    // What the server has of an arrival is told to the next run: where no file may be changed, that one takes it in.
    if policy.pulls, merge.agreedBefore != record.flags {
      add(MailboxFact.agree(uid: record.uid, flags: merge.agreedBefore), .flagsChangedOnServer)
    }
    if merge.hasPush { planStore(record.uid, merge) }
    planTags(place.file, record.uid, (message?.flags ?? record.flags).keywords)
    add(
      ServerMove(
        uid: record.uid,
        target: place.mailbox,
        name: place.file.name,
        flags: policy.pulls ? merge.local : place.file.flags
      ),
      .movedHere
    )
  }

  /// The file was written anew where it lies now: it is uploaded there, and the message goes.
  private mutating func planMovedAndEdited(
    _ record: BaseRecord,
    _ place: Place,
    _ message: RemoteMessage?
  ) {
    let same = Sameness.compare(Trace(fileOf: record), Trace(place.file), .inPlace)
    let isNewVersion = same.agreeing.contains(.named)
    let toTrash =
      snapshot.onlyDiscards
      || !isNewVersion && !isDraft(record) && snapshot.role != .trash && !snapshot.isLabel
    guard snapshot.canReplace || (toTrash && snapshot.movesAtOnce) else {
      return leave(record, at: place, message, .readOnly)
    }
    add(
      ServerRemoval.replaced(
        uid: record.uid,
        toTrash: toTrash,
        by: place.file.name,
        in: place.mailbox
      ),
      .movedHere
    )
  }

  private func objection(toMovingTo place: Place) -> BlockedChange.Cause? {
    if snapshot.absence == .unproven { return .absenceUnproven }
    if matches.pulledOnly.contains(place.mailbox) { return .pullOnly }
    guard snapshot.isWritable, matches.writable.contains(place.mailbox) else { return .readOnly }
    return nil
  }

  private mutating func planRenamed(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ message: RemoteMessage?
  ) {
    let merge = FlagMerge(
      base: record.flags,
      local: file.flags,
      remote: message?.flags ?? record.flags,
      permanent: snapshot.permanentFlags
    )
    add(
      MailboxFact.match(
        name: file.name,
        uid: record.uid,
        agreed: merge.agreedBefore,
        size: record.size,
        date: record.date
      ),
      .renamedHere
    )
    planFlags(merge, file, uid: record.uid, base: nil)
  }

  /// A draft that was replaced by a new version is of no use in Trash.
  ///
  /// A message that loses one label, or INBOX while it has another label, must not lose the others, as it would in Trash.
  private mutating func planLocalDeletion(_ record: BaseRecord, _ message: RemoteMessage?) {
    switch policy.localDeletion {
    case .keep:
      leaveOnServer(record, message, .kept)
    case _ where policy.postponesRemovals:
      leaveOnServer(record, message, .postponed)
    case _ where snapshot.onlyDiscards:
      planDiscard(record, message)
    case .trash
    where snapshot.role != .trash && !snapshot.isLabel && !isLabelled(record) && !isDraft(record):
      planDiscard(record, message)
    case .trash, .expunge:
      guard snapshot.expunges else { return leaveOnServer(record, message, .readOnly) }
      planRemoval(record, toTrash: false)
    }
  }

  /// To Trash, where the message can leave its mailbox after a copy was made there.
  mutating func planDiscard(_ record: BaseRecord, _ message: RemoteMessage?) {
    guard snapshot.movesAtOnce || snapshot.canReplace else {
      return leaveOnServer(record, message, .readOnly)
    }
    planRemoval(record, toTrash: true)
  }

  private mutating func planRemoval(_ record: BaseRecord, toTrash: Bool) {
    let removal: ServerRemoval =
      isCopied(record)
      ? .copied(uid: record.uid, toTrash: toTrash) : .fileless(uid: record.uid, toTrash: toTrash)
    add(removal, .deletedHere)
  }

  /// Whether the message is a draft that has its place in Drafts, or a newer version beside it.
  private func isDraft(_ record: BaseRecord) -> Bool {
    if snapshot.role == .drafts { return true }
    guard record.flags.system.contains(.draft), let name = Trace(fileOf: record).key(.named)
    else { return false }
    return difference.added.contains { Trace($0).key(.named) == name }
  }
}
