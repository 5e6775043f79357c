package import MailModel
internal import Octets

/// Finds what each mailbox is for: by configuration, else by the server's word (RFC 6154), else by its name.
package struct RoleFinder {
  private static let names: [(MailboxRole, [StaticString])] = [
    (.trash, ["Trash", "Deleted Messages", "Deleted Items", "Bin"]),
    (.archive, ["Archive", "Archives"]),
    (.sent, ["Sent", "Sent Messages", "Sent Mail", "Sent Items"]),
    (.drafts, ["Drafts"]),
    (.junk, ["Junk", "Spam", "Junk E-mail"]),
    (.snoozed, ["Snoozed"]),
  ]

  private let mailboxes: [ServerMailbox]
  private let configured: [MailboxRole: [UInt8]]
  private let attributed: Set<MailboxRole>

  /// A finder for all mailboxes of a server; `configured` names mailboxes as people write them, with slashes between
  /// the levels.
  package init(_ mailboxes: [ServerMailbox], configured: [MailboxRole: [UInt8]]) {
    self.mailboxes = mailboxes
    self.configured = configured
    attributed = Set(mailboxes.compactMap(\.attributedRole))
  }

  /// The role of a mailbox; nil for an ordinary one.
  package func role(of mailbox: ServerMailbox) -> MailboxRole? {
    if mailbox.name.isInbox { return .inbox }
    let names = mailbox.names
    let given = MailboxRole.allCases.first { configured[$0].map(names.contains) ?? false }
    if let given { return given }
    if let role = mailbox.attributedRole { return configured[role] == nil ? role : nil }
    return namedRole(mailbox)
  }

  /// The first mailbox of that role; nil where there is none that holds messages.
  package func mailbox(for role: MailboxRole) -> ServerMailbox? {
    mailboxes.first { $0.isSelectable && self.role(of: $0) == role }
  }

  /// Whether the last level of a mailbox's name says that it is for that, where nothing else says what it is for.
  package static func isName(_ level: [UInt8], of role: MailboxRole) -> Bool {
    names.contains { known, words in known == role && words.contains { level.equalsCaseless($0) } }
  }

  private func namedRole(_ mailbox: ServerMailbox) -> MailboxRole? {
    guard let last = mailbox.serverPath.components.last else { return nil }
    let role = Self.names.first { $0.1.contains { last.equalsCaseless($0) } }?.0
    guard let role, !attributed.contains(role), configured[role] == nil else { return nil }
    return role
  }
}
