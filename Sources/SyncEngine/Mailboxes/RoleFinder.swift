internal import IMAP
internal import MailModel
internal import Octets
internal import SyncPlan

/// Finds what each mailbox is for: by configuration, else by the server's word (RFC 6154), else by its name.
struct RoleFinder {
  private static let attributes: [(MailboxRole, StaticString)] = [
    (.trash, "\\Trash"), (.archive, "\\Archive"), (.sent, "\\Sent"), (.drafts, "\\Drafts"),
    (.junk, "\\Junk"), (.flagged, "\\Flagged"), (.all, "\\All"), (.important, "\\Important"),
  ]

  private static let names: [(MailboxRole, [StaticString])] = [
    (.trash, ["Trash", "Deleted Messages", "Deleted Items", "Bin"]),
    (.archive, ["Archive", "Archives"]),
    (.sent, ["Sent", "Sent Messages", "Sent Mail", "Sent Items"]),
    (.drafts, ["Drafts"]),
    (.junk, ["Junk", "Spam", "Junk E-mail"]),
  ]

  private let configured: [MailboxRole: [UInt8]]
  private let attributed: Set<MailboxRole>

  /// A finder for one list of mailboxes; `configured` names mailboxes as people write them.
  init(_ entries: [ListEntry], configured: [MailboxRole: [UInt8]]) {
    self.configured = configured
    attributed = Set(entries.compactMap(Self.attributedRole))
  }

  /// The mailbox among these that has the role; nil where there is none that holds messages.
  func entry(for role: MailboxRole, among entries: [ListEntry]) -> ListEntry? {
    entries.first {
      $0.isSelectable
        && self.role(of: $0, name: MailboxPath($0.name, delimiter: $0.delimiter)) == role
    }
  }

  /// The role of a mailbox; nil for an ordinary one.
  func role(of entry: ListEntry, name: MailboxPath) -> MailboxRole? {
    if entry.name.isInbox { return .inbox }
    let path = name.joined
    if let role = configured.first(where: { $0.value == path })?.key { return role }
    if let role = Self.attributedRole(entry) { return configured[role] == nil ? role : nil }
    return namedRole(name)
  }

  private static func attributedRole(_ entry: ListEntry) -> MailboxRole? {
    attributes.first { entry.has($0.1) }?.0
  }

  private func namedRole(_ name: MailboxPath) -> MailboxRole? {
    guard let last = name.components.last else { return nil }
    let role = Self.names.first { $0.1.contains { last.equalsCaseless($0) } }?.0
    guard let role, !attributed.contains(role), configured[role] == nil else { return nil }
    return role
  }
}
