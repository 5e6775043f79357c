internal import MailModel
package import MailStore
internal import Maildir
internal import MessageContent
internal import SyncPlan
internal import SyncState

/// Finds the files of messages that a run fetched and did not record, since it was killed, and that the server has no more.
///
/// Such a file bears the key of a mailbox of the group, with a UID above those that this had when it was last looked at. Its
/// message was moved, most likely. Where the file was moved too, the message is recorded as that run would have done it, and the
/// plan sees that both went; one that lies where it was put may follow its message.
package struct UnrecordedFetches {
  private let context: MailboxContext
  private let group: [OpenMailbox]
  /// The files that no record and no intent of their folders knows, by the mailbox that their names tell.
  private let files: [UInt64: [KeyedFile]]

  /// A search among mailboxes that are planned together.
  package init(_ context: MailboxContext, _ group: [OpenMailbox]) {
    self.context = context
    self.group = group
    let unrecorded = group.flatMap { mailbox in
      mailbox.additions.compactMap { KeyedFile($0, in: mailbox) }
    }
    files = Dictionary(grouping: unrecorded, by: \.key.mailbox)
  }

  /// Takes those for what they are whose keys are of this mailbox.
  package func settle(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let files = files[mailbox.mailbox.id, default: []].filter { isOfGone($0, in: mailbox) }
    guard !files.isEmpty else { return }
    let moved = files.filter { $0.holder !== mailbox && mailbox.local.files[$0.name] == nil }
    try mailbox.record(try records(of: moved).map(StateRecord.message))
    // Where nothing is pulled the file could not follow, and nothing would be noted of it.
    guard context.policy.pulls else { return }
    try records(of: staying(files, in: mailbox)).forEach(mailbox.noteFormer)
  }

  /// Whether no run saw the message, and the server has it no more.
  private func isOfGone(_ file: KeyedFile, in mailbox: OpenMailbox) -> Bool {
    let (state, uid) = (mailbox.state, file.key.uid)
    return file.key.validity == state.header.validity && uid >= state.header.uidNext
      && state.messages[uid] == nil && state.pendingExpunges[uid] == nil
      && !file.holder.hasFailed && RemoteIndex(mailbox.remote.view).isGone(uid)
  }

  /// Those in the mailbox itself, but for those that came back there from another one.
  private func staying(
    _ files: [KeyedFile],
    in mailbox: OpenMailbox
  ) throws(SyncFailure) -> [KeyedFile] {
    let own = files.filter { $0.holder === mailbox }
    guard !own.isEmpty, let returned = try ReturnedFiles(context, group).find()[mailbox.mailbox.id]
    else { return own }
    return own.filter { !returned.names.contains($0.name) && !returned.awaited.contains($0.name) }
  }

  /// The messages as they would be on record, one of each UID, in their order.
  ///
  /// Which flags they had is not known: what the files have counts as changed here, and is kept.
  private func records(of files: [KeyedFile]) throws(SyncFailure) -> [BaseRecord] {
    var records: [UInt32: BaseRecord] = [:]
    for file in files where records[file.key.uid] == nil {
      guard let content = try file.holder.content(of: file.name), !content.isPartial else {
        continue
      }
      records[file.key.uid] = BaseRecord(
        uid: file.key.uid,
        name: file.name,
        flags: MessageFlags(),
        size: content.wireSize,
        date: content.date,
        identity: content.identity,
        completeness: .whole
      )
    }
    return records.values.sorted { $0.uid < $1.uid }
  }
}
