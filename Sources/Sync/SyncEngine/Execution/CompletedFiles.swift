internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// Messages that are recorded as partial although their file is whole.
///
/// A run was interrupted between the exchange and its record, or an older record was restored.
///
/// The file decides, wherever in the group it lies by now: what is recorded of it is corrected before anything is planned, so
/// that it is mirrored as any other message.
struct CompletedFiles {
  private let group: [OpenMailbox]

  /// The files of mailboxes that are seen together.
  init(_ group: [OpenMailbox]) {
    self.group = group.filter { !$0.hasFailed }
  }

  /// Corrects the records of a mailbox; durable when it returns.
  func correctRecords(_ mailbox: OpenMailbox, _ outcome: inout StepOutcome) throws(SyncFailure) {
    guard SyncRule.partialFiles.isOn else { return }
    var records: [StateRecord] = []
    for record in mailbox.state.messages.partialRecords {
      guard let (holder, name, content) = try whole(record, mailbox) else { continue }
      var whole = record
      whole.identity = content.identity
      whole.completeness = .whole
      records.append(.message(whole))
      if mailbox.state.versions[record.uid] != nil {
        records.append(.version(uid: record.uid, content.version))
      }
      outcome[mailbox].counts.completed += 1
      guard let file = holder.file(of: name) else { continue }
      let folder = holder.mailbox.directory
      outcome[holder].changes += [.removed(folder: folder, file), .added(folder: folder, file)]
    }
    if !records.isEmpty { try mailbox.record(records) }
  }

  /// The whole message, its mailbox, base name and content.
  ///
  /// It is the record's own file, or where that is gone the only new one in the group: people move files, and some programs
  /// give them new names then.
  private func whole(
    _ record: BaseRecord,
    _ mailbox: OpenMailbox
  ) throws(SyncFailure) -> (OpenMailbox, name: [UInt8], MessageContents)? {
    if mailbox.file(of: record.name) != nil {
      return try content(record, mailbox, record.name).map { (mailbox, record.name, $0) }
    }
    var found: [(OpenMailbox, name: [UInt8], MessageContents)] = []
    for holder in group {
      for name in holder.additions {
        guard let content = try content(record, holder, name) else { continue }
        found.append((holder, name, content))
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// What a file holds, if it is the whole message of the record; nil where it is not.
  private func content(
    _ record: BaseRecord,
    _ holder: OpenMailbox,
    _ name: [UInt8]
  ) throws(SyncFailure) -> MessageContents? {
    guard let path = holder.path(of: name) else { return nil }
    let status = try attempt(FileSystem.status(path))
    // A partial file has half of the message at most, a whole one with short line ends no less.
    guard let status, let size = record.size, 2 * UInt64(clamping: status.size) >= size,
      UInt64(clamping: status.size) <= size,
      let content = try holder.content(of: name)
    else { return nil }
    let same = Sameness.compare(Trace(record), content.trace, .inPlace)
    return same.agreeing.isSuperset(of: [.messageID, .header, .size]) ? content : nil
  }
}
