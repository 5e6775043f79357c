internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState

/// New files that were moved here out of mailboxes which the server no longer has.
///
/// Before it removed the mailbox, somebody may have moved the messages on the server too: such a file is the one of a new
/// message of the same content, wherever that is, and no addition.
struct DeletedSources {
  private let outside: Surroundings

  init(_ outside: Surroundings) {
    self.outside = outside
  }

  /// The mailboxes on record that the server no longer has.
  static func entries(_ context: MailboxContext, _ records: any AccountRecords) -> [Summary.Entry] {
    let (listed, withheld) = (context.facts.listed, context.facts.withheld)
    return records.entries.filter {
      listed[MailboxName(wire: $0.header.mailbox)] == nil && !withheld.contains($0.header.id)
    }
  }

  /// Whether files may have gone from the folder of one of them.
  static func areLikely(_ context: MailboxContext, _ records: any AccountRecords) -> Bool {
    entries(context, records).contains {
      MaildirFingerprints(of: context.tree.path(of: $0.header.directory)) != $0.fingerprints
    }
  }

  /// Tells the mailboxes of a group what is recorded of such files among their new ones.
  func adopt(in group: [OpenMailbox]) throws(SyncFailure) {
    let mailboxes = group.filter { !$0.additions.isEmpty }
    guard !mailboxes.isEmpty else { return }
    var records = try outside.deleted()
    guard !records.isEmpty else { return }
    for mailbox in mailboxes {
      for name in mailbox.additions {
        guard let index = try index(of: name, in: mailbox, records) else { continue }
        mailbox.adopt(records.remove(at: index), as: name)
      }
    }
  }

  /// Which of the records is that of the file: by its name, else by its content.
  private func index(
    of name: [UInt8],
    in mailbox: OpenMailbox,
    _ records: [BaseRecord]
  ) throws(SyncFailure) -> Int? {
    guard let identity = try mailbox.content(of: name)?.identity else { return nil }
    let alike = records.indices.filter { records[$0].identity?.text == identity.text }
    return alike.first { records[$0].name == name } ?? alike.first
  }
}
