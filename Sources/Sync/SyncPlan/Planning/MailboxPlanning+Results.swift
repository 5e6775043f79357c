internal import MailModel

/// What is planned, added to the phase that it belongs to.
extension MailboxPlanning {
  mutating func add(_ fact: MailboxFact, _ reason: Reason) {
    result.facts.append(Planned(fact, reason))
  }

  mutating func add(_ rename: LocalRename, _ reason: Reason) {
    result.renames.append(Planned(rename, reason))
  }

  mutating func add(_ store: FlagStore, _ reason: Reason) {
    result.stores.append(Planned(store, reason))
  }

  mutating func add(_ move: ServerMove, _ reason: Reason) {
    result.moves.append(Planned(move, reason))
  }

  mutating func add(_ copy: ServerCopy, _ reason: Reason) {
    result.copies.append(Planned(copy, reason))
  }

  mutating func add(_ upload: FileUpload, _ reason: Reason) {
    result.uploads.append(Planned(upload, reason))
  }

  mutating func add(_ completion: FileCompletion, _ reason: Reason) {
    result.completions.append(Planned(completion, reason))
  }

  mutating func add(_ removal: ServerRemoval, _ reason: Reason) {
    result.removals.append(Planned(removal, reason))
  }

  mutating func add(_ deletion: FileDeletion, _ reason: Reason) {
    result.deletions.append(Planned(deletion, reason))
  }

  mutating func download(_ message: RemoteMessage, _ reason: Reason) {
    result.downloads.append(message, reason)
  }

  mutating func forget(_ uid: UInt32, _ reason: Reason) {
    result.forgets.append(Planned(uid, reason))
  }

  /// What the server has and this direction does not take in is told again to a run that does.
  mutating func block(_ difference: BlockedChange.Difference, _ cause: BlockedChange.Cause) {
    if cause == .pushOnly { result.isDeferred = true }
    result.blocked.append(BlockedChange(difference, cause))
  }
}

/// Messages of which the file holds header and texts only.
///
/// What is planned for them is neither an upload nor an edit, and takes nothing from the server for good: it has the only
/// whole copy. All else is as with any message.
extension MailboxPlanning {
  mutating func planPartialPresent(
    _ record: BaseRecord,
    _ file: LocalFile,
    _ remoteFlags: MessageFlags
  ) {
    lossesThere.count(isLost: false)
    lossesHere.count(isLost: false)
    planTags(file, record.uid, remoteFlags.keywords)
    if file.flags != record.flags.system || remoteFlags != record.flags {
      let merge = mergeFlags(record, file, remoteFlags)
      planFlags(merge, file, uid: record.uid, base: record.flags)
    }
    guard !file.isEdited else { return block(.addition(name: file.name), .partial) }
    guard snapshot.completions.wants(record), policy.pulls else { return }
    let completion = FileCompletion(uid: record.uid, name: record.name, size: record.size)
    add(completion, .attachmentsWanted)
  }

  /// To Trash whatever the policy says, and from where nothing goes to Trash nothing at all, except INBOX where the message has
  /// another label.
  mutating func planPartialDeletion(_ record: BaseRecord, _ message: RemoteMessage?) {
    if policy.localDeletion == .keep { return leaveOnServer(record, message, .kept) }
    if policy.postponesRemovals { return leaveOnServer(record, message, .postponed) }
    // It keeps its other labels, and with them all of it.
    if isLabelled(record), snapshot.expunges {
      return add(ServerRemoval.copied(uid: record.uid, toTrash: false), .deletedHere)
    }
    guard snapshot.role != .trash, !snapshot.isLabel, !isLabelled(record) else {
      return leaveOnServer(record, message, .partial)
    }
    planDiscard(record, message)
  }
}
