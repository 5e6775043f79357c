internal import MailModel
internal import Octets

/// Messages of the base.
extension MailboxPlanning {
  mutating func planKnown(_ recorded: BaseRecord) {
    let file = difference.file(of: recorded)
    let record = resolveFlags(recorded, file)
    switch (file, remote.fate(of: record.uid)) {
    case (nil, .gone): planGone(record)
    case (let file?, .gone): planGoneFromServer(record, file)
    case (let file?, .unchanged): planPresent(record, file, record.flags)
    case (let file?, .listed(let message)): planPresent(record, file, message.flags)
    case (nil, .unchanged): planAbsent(record, nil)
    case (nil, .listed(let message)): planAbsent(record, message)
    }
  }

  /// The record as it would be, had the run that changed flags last come to its end; `file` is in its place.
  private mutating func resolveFlags(_ record: BaseRecord, _ file: LocalFile?) -> BaseRecord {
    guard let flags = snapshot.underWay[record.uid] else { return record }
    let moved = matches.moves.places[reference(record.uid)]
    var settled = record
    settled.flags = flags.resolveFlags(
      record.flags,
      file: (file ?? moved?.file)?.flags,
      message: remote.message(record.uid)?.flags.system
    )
    add(MailboxFact.agree(uid: record.uid, flags: settled.flags), .leftUnderWay)
    return settled
  }

  /// Neither side still has the message in its place.
  mutating func planGone(_ record: BaseRecord) {
    if let isMoved = isMovedOnServer(record) {
      guard policy.pulls else {
        return block(.serverDeletion(name: record.name, uid: record.uid), .pushOnly)
      }
      if isMoved { return forget(record.uid, .movedOnServer) }
    }
    if matches.moves.deserted[reference(record.uid)] != nil { lossesThere.count(isLost: true) }
    if let cause = matches.postponed.records[reference(record.uid)] {
      result.isPostponed = true
      return block(.removal(uid: record.uid), cause)
    }
    if let place = matches.moves.deserted[reference(record.uid)], isLeft(place, of: record) {
      result.isDeferred = true
      return block(.move(uid: record.uid, to: place.mailbox), .pullOnly)
    }
    forget(record.uid, .deletedOnBothSides)
  }

  /// Whether the file of a message that the server has no more is to be sent from where it was moved, by a run that sends: until
  /// then its record tells where it came from.
  private func isLeft(_ place: Place, of record: BaseRecord) -> Bool {
    !policy.pushes && !policy.keepsFiles && !record.completeness.isPartial
      && (!place.file.isPartial || record.sameness(to: place.file) == .certain)
  }

  /// Whether the server moved a message that is missing on both sides, in this run or, which the place of its file tells, in one
  /// before; nil where it did not.
  private func isMovedOnServer(_ record: BaseRecord) -> Bool? {
    if matches.serverMoves.departed.contains(reference(record.uid)) { return true }
    guard let place = matches.moves.deserted[reference(record.uid)] else { return nil }
    return matches.late[place] == nil ? nil : false
  }

  private mutating func planGoneFromServer(_ record: BaseRecord, _ file: LocalFile) {
    if policy.pulls, matches.serverMoves.doubled.contains(reference(record.uid)) {
      return add(
        FileDeletion.synced(name: record.name, uid: record.uid, isChanged: false),
        .movedOnServer
      )
    }
    if policy.pulls, matches.serverMoves.departed.contains(reference(record.uid)) {
      return forget(record.uid, .movedOnServer)
    }
    lossesThere.count(isLost: true)
    guard policy.pulls else {
      return block(.serverDeletion(name: record.name, uid: record.uid), .pushOnly)
    }
    if let cause = matches.postponed.records[reference(record.uid)] {
      result.isPostponed = true
      return block(.serverDeletion(name: record.name, uid: record.uid), cause)
    }
    if let survival = snapshot.outside.survivors[record.name], !file.isEdited {
      return planSurvived(file, record, survival)
    }
    guard file.isFlagged(beyond: record) || file.isEdited else { return planLost(record, file) }
    // It cannot be uploaded again: the parts that it lacks are lost.
    guard !record.completeness.isPartial else {
      return add(MailboxFact.detach(name: record.name, uid: record.uid), .attachmentsLost)
    }
    // What is only flagged here is what the server had.
    if policy.keepsFiles, !file.isEdited { return planLost(record, file) }
    planReupload(record, file, file.isEdited ? .editedHere : .flaggedHere)
  }

  private mutating func planSurvived(_ file: LocalFile, _ record: BaseRecord, _ survival: Survival)
  {
    if let survivor = matches.survivor(survival) {
      return planSuperseded(file, record.uid, record, survivor)
    }
    // The next run sees where it is.
    result.isPostponed = true
    block(.serverDeletion(name: record.name, uid: record.uid), .movedOn)
  }

  /// The message is where the server moved it, and so is what was made of its flags here, but that it is to go.
  mutating func planSuperseded(
    _ file: LocalFile,
    _ uid: UInt32?,
    _ record: BaseRecord,
    _ survivor: Survivor
  ) {
    let deletion = FileDeletion.superseded(
      name: file.name,
      uid: uid,
      by: survivor,
      adding: file.flags.subtracting(record.flags.system).subtracting(.deleted),
      removing: record.flags.system.subtracting(file.flags)
    )
    add(deletion, .movedOnServer)
  }

  /// The server has the message no more, and nothing was made of its file that is to be sent up again.
  private mutating func planLost(_ record: BaseRecord, _ file: LocalFile) {
    guard policy.keepsFiles else {
      let deletion = FileDeletion.synced(
        name: record.name,
        uid: record.uid,
        isChanged: file.isChanged(beyond: record)
      )
      return add(deletion, .deletedOnServer)
    }
    // A later run may see where it went, and has the file follow.
    if policy.isLimited {
      result.isPostponed = true
      return block(.serverDeletion(name: record.name, uid: record.uid), .mayHaveMoved)
    }
    add(MailboxFact.detach(name: record.name, uid: record.uid), .deletedOnServer)
  }

  /// Sends the file up again; the record stays until that is done.
  private mutating func planReupload(_ record: BaseRecord, _ file: LocalFile, _ reason: Reason) {
    guard policy.pushes else {
      result.isDeferred = true
      return block(.addition(name: file.name), .pullOnly)
    }
    guard snapshot.isWritable else {
      add(MailboxFact.detach(name: record.name, uid: record.uid), reason)
      return planAppend(file, reason)
    }
    let shown = file.isEdited ? flagsOfNewVersion(record, file) : file.flags
    let flags = MessageFlags(shown, keywords: record.flags.keywords)
    let unshown = shown.symmetricDifference(file.flags)
    if policy.pulls, !unshown.isEmpty {
      add(
        LocalRename.setFlags(name: file.name, uid: record.uid, flags: shown, agreed: flags),
        reason
      )
    }
    add(
      FileUpload(
        name: file.name,
        flags: flags,
        unshown: policy.pulls ? [] : unshown,
        replacing: record.uid,
        former: nil
      ),
      reason
    )
  }

  private mutating func planPresent(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ remoteFlags: MessageFlags
  ) {
    guard !record.completeness.isPartial else {
      return planPartialPresent(record, file, remoteFlags)
    }
    lossesThere.count(isLost: false)
    if file.isEdited {
      lossesHere.count(isLost: false)
      return planEdited(record, file, remoteFlags)
    }
    let isMarked = file.flags.contains(.deleted) && remoteFlags.system.contains(.deleted)
    let isExpunged = isMarked && policy.expunges(in: snapshot.role) && snapshot.isWritable
    lossesHere.count(isLost: isExpunged)
    if isExpunged, policy.postponesRemovals {
      // A look at the mailbox alone shows no difference: the next sync has to be told again.
      result.isPostponed = true
      return block(.removal(uid: record.uid), .postponed)
    }
    if !isExpunged { planTags(file, record.uid, remoteFlags.keywords) }
    guard file.flags != record.flags.system || remoteFlags != record.flags || isMarked
    else { return }
    let merge = mergeFlags(record, file, remoteFlags)
    if isExpunged {
      return add(ServerRemoval.marked(name: record.name, uid: record.uid), .markedDeleted)
    }
    planFlags(merge, file, uid: record.uid, base: record.flags)
  }

  /// The merge of the flags of a message that both sides have.
  func mergeFlags(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ remoteFlags: MessageFlags
  ) -> FlagMerge {
    FlagMerge(
      base: record.flags,
      local: file.flags,
      remote: remoteFlags,
      permanent: snapshot.permanentFlags,
      isOlder: snapshot.absence == .restored(isOlder: true)
    )
  }

  /// A draft that was written anew in its place; flags that the server got meanwhile go on the new version too.
  ///
  /// They are taken over whether or not that one is sent now: the server tells of them once.
  private mutating func planEdited(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ flags: MessageFlags
  ) {
    let shown = flagsOfNewVersion(record, file)
    var remoteFlags = flags
    if !shown.contains(.deleted) { remoteFlags.system.remove(.deleted) }
    let merge = FlagMerge(base: record.flags, local: shown, remote: remoteFlags)
    planShown(merge, file, uid: record.uid, base: record.flags)
    guard policy.pushes else { return block(.addition(name: file.name), .pullOnly) }
    guard snapshot.isWritable, snapshot.canReplace else {
      return block(.addition(name: file.name), .readOnly)
    }
    let flags = MessageFlags(merge.local, keywords: remoteFlags.keywords)
    add(
      FileUpload(
        name: file.name,
        flags: flags,
        unshown: policy.pulls ? [] : merge.local.symmetricDifference(file.flags),
        replacing: record.uid,
        former: nil
      ),
      .editedHere
    )
  }

  /// The flags of a file that was written anew: that the old version was marked as deleted, there or on both sides, says nothing
  /// of the new one, which would go for good with the mark.
  private func flagsOfNewVersion(_ record: BaseRecord, _ file: LocalFile) -> SystemFlags {
    record.flags.system.contains(.deleted) ? file.flags.subtracting(.deleted) : file.flags
  }

  mutating func planFlags(
    _ merge: FlagMerge,
    _ file: LocalFile,
    uid: UInt32,
    base: MessageFlags?
  ) {
    planShown(merge, file, uid: uid, base: base)
    if merge.hasUnkeepable { block(.flags(name: file.name, uid: uid), .notPermanent) }
    guard merge.hasPush else { return }
    guard policy.pushes else { return block(.flags(name: file.name, uid: uid), .pullOnly) }
    guard snapshot.isWritable else { return block(.flags(name: file.name, uid: uid), .readOnly) }
    planStore(uid, merge)
  }

  /// Has the file show what the server changed; nothing was recorded of the message where `base` is nil.
  private mutating func planShown(
    _ merge: FlagMerge,
    _ file: LocalFile,
    uid: UInt32,
    base: MessageFlags?
  ) {
    let areKeywordsNew = base.map { $0.keywords != merge.agreedNow.keywords } ?? false
    if !policy.pulls, merge.local != file.flags || areKeywordsNew {
      block(.flags(name: file.name, uid: uid), .pushOnly)
    } else if merge.local != file.flags {
      add(
        LocalRename.setFlags(
          name: file.name,
          uid: uid,
          flags: merge.local,
          agreed: merge.agreedNow
        ),
        .flagsChangedOnServer
      )
    } else if let base, merge.agreedNow != base {
      add(MailboxFact.agree(uid: uid, flags: merge.agreedNow), .flagsChangedOnServer)
    }
  }

  /// Changes of tags go to the server unless it has them already.
  ///
  /// For each keyword, the side that changed it wins, since a keyword that both sides have, or lack, is not changed here.
  mutating func planTags(_ file: LocalFile, _ uid: UInt32, _ keywords: [[UInt8]]) {
    let change = file.tags.left(of: keywords)
    guard !change.isEmpty else { return }
    guard policy.pushes else { return block(.flags(name: file.name, uid: uid), .pullOnly) }
    guard snapshot.isWritable else { return }
    add(FlagStore(uid: uid, adding: [], removing: [], keywords: change), .flagsChangedHere)
  }

  mutating func planStore(_ uid: UInt32, _ merge: FlagMerge) {
    add(FlagStore(uid: uid, adding: merge.adding, removing: merge.removing), .flagsChangedHere)
  }
}
