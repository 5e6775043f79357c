internal import MailStore
internal import IMAP
internal import MailModel
internal import Octets
internal import SyncPlan

extension ServerMailbox {
  /// A mailbox that LIST found, with what STATUS told of it.
  init(_ entry: ListEntry, _ status: MailboxStatus?) {
    self.init(
      name: entry.name,
      delimiter: entry.delimiter,
      isSelectable: entry.isSelectable,
      isView: entry.isView,
      attributedRole: entry.attributedRole,
      status: status.map(Status.init)
    )
  }
}

extension ServerMailbox.Status {
  /// What an answer to STATUS tells.
  init(_ status: MailboxStatus) {
    self.init(
      identity: MailboxIdentity(
        validity: status.uidValidity?.nonzero,
        serverID: status.mailboxID ?? []
      ),
      uidNext: status.uidNext?.nonzero,
      messages: status.messages,
      modSequence: status.highestModSequence?.nonzero
    )
  }
}

extension FixedWidthInteger {
  /// The number; nil for 0, by which servers say that they keep none.
  var nonzero: Self? { self == 0 ? nil : self }
}

extension ListEntry {
  private static let attributes: [(MailboxRole, StaticString)] = [
    (.trash, "\\Trash"), (.archive, "\\Archive"), (.sent, "\\Sent"), (.drafts, "\\Drafts"),
    (.junk, "\\Junk"), (.flagged, "\\Flagged"), (.all, "\\All"), (.important, "\\Important"),
    (.snoozed, "\\Snoozed"),
  ]

  /// The role that the server says the mailbox has (RFC 6154 §2); nil where it says none.
  fileprivate var attributedRole: MailboxRole? {
    Self.attributes.first { has($0.1) }?.0
  }

  /// The attribute of a role; empty where there is none.
  static func attribute(for role: MailboxRole) -> [UInt8] {
    attributes.first { $0.0 == role }.map { [UInt8](ascii: $0.1) } ?? []
  }

  /// Whether the mailbox only shows messages of others again.
  fileprivate var isView: Bool { has("\\All") || has("\\Important") || has("\\Flagged") }
}
