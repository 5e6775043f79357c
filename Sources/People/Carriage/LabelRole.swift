internal import MailModel
internal import Mbox

// Folders by labels of Gmail.
extension MailboxRole {
  /// What the folder of a message is for by its labels; a copy of a sent message in the inbox is a sent one.
  init(labels: Set<GmailLabel>) {
    let order: [(GmailLabel, MailboxRole)] = [
      (.trash, .trash), (.spam, .junk), (.draft, .drafts), (.sent, .sent), (.inbox, .inbox),
    ]
    self = order.first { labels.contains($0.0) }?.1 ?? .archive
  }

  /// All folders to which labels send messages; `includingJunk` Trash and Junk too.
  static func ofLabels(includingJunk: Bool) -> [MailboxRole] {
    [.inbox, .archive, .sent, .drafts] + (includingJunk ? [.trash, .junk] : [])
  }
}
