internal import MailModel

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
