internal import MailModel

/// Messages of which the file holds header and texts only.
///
/// What is planned for them is neither an upload nor an edit, and takes nothing from the server for good: it has the only
/// whole copy.
extension MailboxPlanning {
  mutating func planPartial(_ record: BaseRecord, _ file: LocalFile?) {
    switch (file, remote.fate(of: record.uid)) {
    case (nil, .gone): planGone(record)
    case (let file?, .gone): planPartialGoneFromServer(record, file)
    case (let file?, .unchanged): planPartialPresent(record, file, record.flags)
    case (let file?, .listed(let message)): planPartialPresent(record, file, message.flags)
    case (nil, .unchanged): planPartialAbsent(record, nil)
    case (nil, .listed(let message)): planPartialAbsent(record, message)
    }
  }

  // MARK: On both sides

  private mutating func planPartialPresent(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ remoteFlags: MessageFlags
  ) {
    lossesThere.count(isLost: false)
    lossesHere.count(isLost: false)
    planTags(file, record.uid, remoteFlags.keywords)
    if file.flags != record.flags.system || remoteFlags != record.flags {
      let merge = FlagMerge(
        base: record.flags,
        local: file.flags,
        remote: remoteFlags,
        permanent: snapshot.permanentFlags
      )
      planFlags(merge, file, uid: record.uid, base: record.flags)
    }
    guard !file.isEdited else { return block(.addition(name: file.name), .partial) }
    guard snapshot.completions.wants(record), policy.pulls else { return }
    add(FileCompletion(uid: record.uid, name: record.name), .attachmentsWanted)
  }

  // MARK: Gone from the server

  private mutating func planPartialGoneFromServer(_ record: BaseRecord, _ file: LocalFile) {
    if policy.pulls, matches.serverMoves.doubled.contains(reference(record.uid)) {
      return add(FileDeletion.synced(name: record.name, uid: record.uid), .movedOnServer)
    }
    if policy.pulls, matches.serverMoves.departed.contains(reference(record.uid)) {
      return forget(record.uid, .movedOnServer)
    }
    lossesThere.count(isLost: true)
    guard policy.pulls else {
      return block(.serverDeletion(name: record.name, uid: record.uid), .pushOnly)
    }
    // It cannot be sent up again: what it lacks is nowhere any more.
    guard file.isFlagged(beyond: record) || file.isEdited else { return planLost(record) }
    add(MailboxFact.detach(name: record.name, uid: record.uid), .attachmentsLost)
  }

  // MARK: Gone here

  private mutating func planPartialAbsent(_ record: BaseRecord, _ message: RemoteMessage?) {
    lossesThere.count(isLost: false)
    let place = matches.moves.places[reference(record.uid)]
    if let place, policy.pushes || place.mailbox == snapshot.mailbox {
      return planMoved(record, place, message)
    }
    if snapshot.outside.requested.contains(record.uid) {
      return block(.removal(uid: record.uid), .requested)
    }
    guard policy.pushes else { return blockLocalChange(record, place) }
    if snapshot.outside.elsewhere.contains(record.name) {
      return block(.removal(uid: record.uid), .elsewhere)
    }
    lossesHere.count(isLost: true)
    if let cause = objection(to: record) { return block(.removal(uid: record.uid), cause) }
    if snapshot.absence == .restored { return planFetch(record, message, .restoredHere) }
    if let message, message.flags.system.contains(.flagged),
      !record.flags.system.contains(.flagged)
    {
      guard policy.pulls else { return block(.download(uid: record.uid), .pushOnly) }
      return download(message, .flaggedOnServer)
    }
    planPartialDeletion(record, message)
  }

  /// To Trash whatever the policy says, and from where nothing goes to Trash nothing at all.
  private mutating func planPartialDeletion(_ record: BaseRecord, _ message: RemoteMessage?) {
    if policy.localDeletion == .keep { return block(.removal(uid: record.uid), .kept) }
    if policy.postponesRemovals {
      if let message, message.flags != record.flags { result.isPostponed = true }
      return block(.removal(uid: record.uid), .postponed)
    }
    guard snapshot.role != .trash, !snapshot.isLabel else {
      return block(.removal(uid: record.uid), .partial)
    }
    add(ServerRemoval.fileless(uid: record.uid, toTrash: true), .deletedHere)
  }
}
