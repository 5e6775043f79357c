package import MailModel
internal import Octets

/// Finds what each mailbox is for: by configuration, else by the server's word (RFC 6154), else by its name.
package struct RoleFinder {
  /// A mailbox, as far as it tells its role.
  package struct Mailbox: Hashable, Sendable {
    /// The levels of its name, decoded; INBOX is one level.
    package let components: [[UInt8]]
    /// Whether it is the mailbox that every account has.
    package let isInbox: Bool
    /// The role that the server says it has; nil where it says none.
    package let attributed: MailboxRole?

    /// A mailbox by its name and what the server says of it.
    package init(components: [[UInt8]], isInbox: Bool, attributed: MailboxRole?) {
      self.components = components
      self.isInbox = isInbox
      self.attributed = attributed
    }
  }

  private static let names: [(MailboxRole, [StaticString])] = [
    (.trash, ["Trash", "Deleted Messages", "Deleted Items", "Bin"]),
    (.archive, ["Archive", "Archives"]),
    (.sent, ["Sent", "Sent Messages", "Sent Mail", "Sent Items"]),
    (.drafts, ["Drafts"]),
    (.junk, ["Junk", "Spam", "Junk E-mail"]),
  ]

  private let configured: [MailboxRole: [UInt8]]
  private let attributed: Set<MailboxRole>

  /// A finder for all mailboxes of a server; `configured` names mailboxes as people write them, with slashes between
  /// the levels.
  package init(_ mailboxes: [Mailbox], configured: [MailboxRole: [UInt8]]) {
    self.configured = configured
    attributed = Set(mailboxes.compactMap(\.attributed))
  }

  /// The role of a mailbox; nil for an ordinary one.
  package func role(of mailbox: Mailbox) -> MailboxRole? {
    if mailbox.isInbox { return .inbox }
    let name = Array(mailbox.components.joined(separator: [ASCII.slash]))
    if let role = MailboxRole.allCases.first(where: { configured[$0] == name }) { return role }
    if let role = mailbox.attributed { return configured[role] == nil ? role : nil }
    return namedRole(mailbox)
  }

  private func namedRole(_ mailbox: Mailbox) -> MailboxRole? {
    guard let last = mailbox.components.last else { return nil }
    let role = Self.names.first { $0.1.contains { last.equalsCaseless($0) } }?.0
    guard let role, !attributed.contains(role), configured[role] == nil else { return nil }
    return role
  }
}
