internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState

/// New files that were moved here out of mailboxes which the server no longer has.
///
/// Before the mailbox was removed, its messages may have been moved on the server too. Then such a file belongs to a new
/// message of the same content, wherever that is, and is no addition.
struct FilesOfDeletedMailboxes {
  private let outside: OutsideGroup

  init(_ outside: OutsideGroup) {
    self.outside = outside
  }

  /// Whether a mailbox on record is one that the server no longer has.
  static func isDeleted(_ entry: Summary.Entry, _ context: MailboxContext) -> Bool {
    context.facts.listed[MailboxName(wire: entry.header.mailbox)] == nil
      && !context.facts.withheld.contains(entry.header.id)
  }

  /// Whether files may have gone from the folder of one of them.
  static func areLikely(_ context: MailboxContext, _ records: any AccountRecords) -> Bool {
    records.entries.contains {
      isDeleted($0, context)
        && MaildirFingerprints(of: context.tree.path(of: $0.header.directory)) != $0.fingerprints
    }
  }

  /// Tells the mailboxes of a group what is recorded of such files among their new ones.
  func adopt(in group: [OpenMailbox]) throws(SyncFailure) {
    let additions = group.map { ($0, $0.additions) }.filter { !$0.1.isEmpty }
    guard SyncRule.outside.isOn, !additions.isEmpty, outside.hasDeleted else { return }
    var records = Dictionary(grouping: try outside.deleted()) { $0.identity?.text }
    for (mailbox, names) in additions {
      for name in names {
        guard let record = try takeRecord(name, in: mailbox, from: &records) else { continue }
        mailbox.adopt(record, as: name)
      }
    }
  }

  /// The record of a new file: the one of its content, which is removed from `records`.
  ///
  /// Otherwise it is that of a message that a killed run fetched and did not record.
  private func takeRecord(
    _ name: [UInt8],
    in mailbox: OpenMailbox,
    from records: inout [Sameness.Key?: [BaseRecord]]
  ) throws(SyncFailure) -> BaseRecord? {
    let unseen = try outside.unseenInDeleted(name)
    guard unseen != nil || !records.isEmpty, let content = try mailbox.content(of: name)
    else { return nil }
    let text = content.identity.text
    if let alike = records[text], let index = Self.index(of: name, in: alike) {
      return records[text]?.remove(at: index)
    }
    guard let unseen else { return nil }
    return try UnrecordedFetches.record(of: unseen, name, content, outside.context.partialFiles)
  }

  /// Which of the records of one content is that of a file: that of its name, else any.
  private static func index(of name: [UInt8], in alike: [BaseRecord]) -> Int? {
    alike.firstIndex { $0.name == name } ?? alike.indices.first
  }
}
