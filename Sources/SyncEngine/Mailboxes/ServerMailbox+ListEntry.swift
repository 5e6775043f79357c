internal import IMAP
internal import MailModel
internal import SyncPlan

extension ServerMailbox {
  /// A mailbox that LIST found.
  init(_ entry: ListEntry) { self.init(entry, nil) }

  /// A mailbox that LIST found, with what STATUS told of it.
  init(_ entry: ListEntry, _ status: MailboxStatus?) {
    self.init(
      name: entry.name,
      delimiter: entry.delimiter,
      isSelectable: entry.isSelectable,
      isView: entry.isView,
      attributedRole: entry.attributedRole,
      status: status.map {
        Status(identity: $0.identity, uidNext: $0.uidNext, messages: $0.messages)
      }
    )
  }
}

extension MailboxStatus {
  /// Which mailbox it is about.
  var identity: MailboxIdentity {
    MailboxIdentity(validity: uidValidity ?? 0, serverID: mailboxID ?? [])
  }
}

extension MailboxListing.Result {
  /// The mailboxes as plans see them.
  var mailboxes: [ServerMailbox] { entries.map { ServerMailbox($0, status[$0.name]) } }
}

extension RoleFinder {
  /// A finder for what a server listed.
  init(_ entries: [ListEntry], configured: [MailboxRole: [UInt8]]) {
    self.init(entries.map(ServerMailbox.init), configured: configured)
  }

  /// The role of a mailbox; nil for an ordinary one.
  func role(of entry: ListEntry) -> MailboxRole? { role(of: ServerMailbox(entry)) }

  /// The mailbox among these that has the role; nil where there is none that holds messages.
  func entry(for role: MailboxRole, among entries: [ListEntry]) -> ListEntry? {
    entries.first { $0.isSelectable && self.role(of: $0) == role }
  }
}

extension ListEntry {
  private static let attributes: [(MailboxRole, StaticString)] = [
    (.trash, "\\Trash"), (.archive, "\\Archive"), (.sent, "\\Sent"), (.drafts, "\\Drafts"),
    (.junk, "\\Junk"), (.flagged, "\\Flagged"), (.all, "\\All"), (.important, "\\Important"),
  ]

  /// The role that the server says the mailbox has (RFC 6154 §2); nil where it says none.
  fileprivate var attributedRole: MailboxRole? {
    Self.attributes.first { has($0.1) }?.0
  }

  /// Whether the mailbox only shows messages of others again.
  var isView: Bool { has("\\All") || has("\\Important") || has("\\Flagged") }
}
