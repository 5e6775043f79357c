internal import MailModel
package import MailStore
internal import Maildir
internal import MessageContent
import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds the files of messages that a run fetched and did not record, since it was killed, and that the server has no more.
///
/// Such a file bears the key of a mailbox of the group, with a UID above those that this had when it was last looked at. Its
/// message was moved, most likely. Where the file was moved too, within the group or out of it, the message is recorded as that
/// run would have done. The plan then sees that both went. A file that is still in its place may follow its message.
package struct UnrecordedFetches {
  private let context: MailboxContext
  private let records: any AccountRecords
  private let group: [OpenMailbox]
  /// The files that no record and no intent of their folders knows, by the mailbox that their names tell.
  private let files: [UInt64: [KeyedFile]]

  /// A search among mailboxes that are planned together.
  package init(
    _ context: MailboxContext,
    _ records: any AccountRecords,
    _ group: [OpenMailbox]
  ) {
    self.context = context
    self.records = records
    self.group = group
    let unrecorded = group.flatMap { mailbox in
      mailbox.additions.compactMap { KeyedFile($0, in: mailbox) }
    }
    files = Dictionary(grouping: unrecorded, by: \.key.mailbox)
  }

  /// Records the fetches whose keys are of this mailbox.
  package func recordFetches(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard SyncRule.unrecordedFetches.isOn else { return }
    let all = files[mailbox.mailbox.id, default: []].filter { !$0.holder.hasFailed }
    let gone = all.filter { isOfGone($0.key, in: mailbox) }
    let moved = gone.filter { $0.holder !== mailbox && mailbox.local.files[$0.name] == nil }
    let found = try records(of: moved) + movedOutside(mailbox)
    if !found.isEmpty { try mailbox.record(oneOfEach(found).map(StateRecord.message)) }
    // Where nothing is pulled the file could not follow, and nothing would be noted of it.
    guard context.policy(of: mailbox.mailbox).pulls else { return }
    let former = try all.filter { isFormer($0, of: mailbox) } + staying(gone, in: mailbox)
    if !former.isEmpty { try oneOfEach(records(of: former)).forEach(mailbox.noteFormer) }
  }

  /// Whether it is of a message under a UIDVALIDITY that the mailbox had before this run, and was moved.
  private func isFormer(_ file: KeyedFile, of mailbox: OpenMailbox) -> Bool {
    guard let former = mailbox.formerState,
      former.header.validity != mailbox.state.header.validity
    else { return false }
    return former.isUnseen(file.key) && file.holder !== mailbox
      && mailbox.state.uid(of: file.name) == nil
  }

  /// Whether no run saw the message, and the server has it no more.
  private func isOfGone(_ key: MessageKey, in mailbox: OpenMailbox) -> Bool {
    mailbox.state.isUnseen(key) && RemoteIndex(mailbox.remote.view).isGone(key.uid)
  }

  /// Those in the mailbox itself, except for those that came back there from another one.
  private func staying(
    _ files: [KeyedFile],
    in mailbox: OpenMailbox
  ) throws(SyncFailure) -> [KeyedFile] {
    let own = files.filter { $0.holder === mailbox }
    guard !own.isEmpty, let returned = try ReturnedFiles(context, group).find()[mailbox.mailbox.id]
    else { return own }
    return own.filter { !returned.names.contains($0.name) && !returned.awaited.contains($0.name) }
  }

  /// The messages whose files lie in mailboxes outside the group.
  ///
  /// Once the mailbox was looked at, no later run knows that they were not seen.
  private func movedOutside(_ mailbox: OpenMailbox) throws(SyncFailure) -> [BaseRecord] {
    guard mailbox.mayHaveArrivals else { return [] }
    let misplaced = try MisplacedFileSearch(context, records, group).files(of: mailbox).filter {
      isOfGone($0.key, in: mailbox) && mailbox.local.files[$0.name] == nil
    }
    guard !misplaced.isEmpty else { return [] }
    let recorded = RecordedFiles(context.trees, group)
    var found: [BaseRecord?] = []
    for file in misplaced where try !recorded.knows(file.name, in: file.directory) {
      let content = try attempt(
        MessageContents.current(of: file.name, in: file.directory, seenAt: file.path)
      )
      found.append(try Self.record(of: file.key, file.name, content, context.partialFiles))
    }
    return found.compactMap { $0 }
  }

  private func records(of files: [KeyedFile]) throws(SyncFailure) -> [BaseRecord] {
    let found = try files.map { file throws(SyncFailure) in
      try Self.record(
        of: file.key,
        file.name,
        file.holder.content(of: file.name),
        context.partialFiles
      )
    }
    return found.compactMap { $0 }
  }

  /// The message as it would be on record; nil where its file is gone, or is not the whole of it.
  ///
  /// Which flags it had is not known: what the file has counts as changed here, and is kept. Its date is that of the name, as
  /// a copy under the same name has another one.
  static func record(
    of key: MessageKey,
    _ name: [UInt8],
    _ content: MessageContents?,
    _ partial: PartialFiles
  ) throws(SyncFailure) -> BaseRecord? {
    guard let content,
      try attempt({ () throws(SystemError) in try !partial.isPartial(content.marks, named: name) })
    else { return nil }
    return BaseRecord(
      uid: key.uid,
      name: name,
      flags: MessageFlags(),
      size: content.wireSize,
      date: name.withUnsafeBytes { OwnName($0) }?.date ?? content.date,
      identity: content.identity,
      completeness: .whole
    )
  }

  /// The first of those of each UID, in the order of UIDs.
  private func oneOfEach(_ records: [BaseRecord]) -> [BaseRecord] {
    let first = records.keyed(by: \.uid)
    return first.values.sorted { $0.uid < $1.uid }
  }
}
