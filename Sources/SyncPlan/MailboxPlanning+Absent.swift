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
    // What the server changed meanwhile is not agreed on: the file may turn up, and does not show it.
    guard policy.pushes else { return blockLocalChange(record, place) }
    if snapshot.outside.elsewhere.contains(record.name) {
      return leaveOnServer(record, message, .elsewhere)
    }
    lossesHere.count(isLost: true)
    if let cause = objection(to: record) { return leaveOnServer(record, message, cause) }
    if snapshot.absence == .restored { return planFetch(record, message, .restoredHere) }
    if let message, message.flags.system.contains(.flagged),
      !record.flags.system.contains(.flagged)
    {
      guard policy.pulls else { return block(.download(uid: record.uid), .pushOnly) }
      return download(message, .flaggedOnServer)
    }
    guard !record.completeness.isPartial else { return planPartialDeletion(record, message) }
    planLocalDeletion(record, message)
  }

  /// The message stays although its file is gone; the file may turn up, and what the server says of the message now is said
  /// once.
  private mutating func leaveOnServer(
    _ record: BaseRecord,
    _ message: RemoteMessage?,
    _ cause: BlockedChange.Cause
  ) {
    if let message, message.flags != record.flags { result.isPostponed = true }
    block(.removal(uid: record.uid), cause)
  }

  mutating func blockLocalChange(_ record: BaseRecord, _ place: Place?) {
    guard let place else { return block(.removal(uid: record.uid), .pullOnly) }
    block(.move(uid: record.uid, to: place.mailbox), .pullOnly)
  }

  /// Why the absence of the file is not to be taken for its removal; nil when it is.
  func objection(to record: BaseRecord) -> BlockedChange.Cause? {
    if snapshot.absence == .unproven { return .absenceUnproven }
    if !snapshot.isWritable { return .readOnly }
    return nil
  }

  mutating func planFetch(
    _ record: BaseRecord,
    _ message: RemoteMessage?,
    _ reason: Reason
  ) {
    guard policy.pulls else { return block(.download(uid: record.uid), .pushOnly) }
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
    if let cause = objection(toMovingTo: place) {
      return block(.move(uid: record.uid, to: place.mailbox), cause)
    }
    if matches.moves.edited.contains(place) {
      guard !record.completeness.isPartial else {
        return block(.move(uid: record.uid, to: place.mailbox), .partial)
      }
      return planMovedAndEdited(record, place)
    }
    let merge = FlagMerge(
      base: record.flags,
      local: place.file.flags,
      remote: message?.flags ?? record.flags,
      permanent: snapshot.permanentFlags
    )
    if merge.agreedBefore != record.flags {
      add(MailboxFact.agree(uid: record.uid, flags: merge.agreedBefore), .flagsChangedOnServer)
    }
    if merge.hasPush { planStore(record.uid, merge) }
    planTags(place.file, record.uid, (message?.flags ?? record.flags).keywords)
    add(
      ServerMove(
        uid: record.uid,
        target: place.mailbox,
        name: place.file.name,
        flags: merge.local
      ),
      .movedHere
    )
  }

  /// The file was written anew where it lies now: it is uploaded there, and the message goes.
  private mutating func planMovedAndEdited(_ record: BaseRecord, _ place: Place) {
    let isNewVersion =
      record.identity?.messageID != 0
      && record.identity?.messageID == place.file.identity?.messageID
    add(
      ServerRemoval.replaced(
        uid: record.uid,
        toTrash: !isNewVersion && !isDraft(record) && snapshot.role != .trash && !snapshot.isLabel,
        by: place.file.name,
        in: place.mailbox
      ),
      .movedHere
    )
  }

  private func objection(toMovingTo place: Place) -> BlockedChange.Cause? {
    if snapshot.absence == .unproven { return .absenceUnproven }
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

  /// A draft that was replaced by a new version is of no use in Trash; and what is taken from one label
  /// is not to go from the others, as it would if it went to Trash.
  private mutating func planLocalDeletion(_ record: BaseRecord, _ message: RemoteMessage?) {
    switch policy.localDeletion {
    case .keep:
      block(.removal(uid: record.uid), .kept)
    case _ where policy.postponesRemovals:
      leaveOnServer(record, message, .postponed)
    case .trash where snapshot.role != .trash && !snapshot.isLabel && !isDraft(record):
      add(ServerRemoval.fileless(uid: record.uid, toTrash: true), .deletedHere)
    case .trash, .expunge:
      add(ServerRemoval.fileless(uid: record.uid, toTrash: false), .deletedHere)
    }
  }

  /// Whether the message is a draft that has its place in Drafts, or a newer version beside it.
  private func isDraft(_ record: BaseRecord) -> Bool {
    if snapshot.role == .drafts { return true }
    guard record.flags.system.contains(.draft), let identifier = record.identity?.messageID,
      identifier != 0
    else { return false }
    return difference.added.contains { $0.identity?.messageID == identifier }
  }
}
