package import MailModel

/// A mailbox that the server lists.
package struct ServerMailbox: Hashable, Sendable {
  /// The name on the wire.
  package let name: MailboxName
  /// The name with its levels, decoded.
  package let path: MailboxPath
  /// Whether it can hold messages.
  package let isSelectable: Bool
  /// Whether it only shows messages of other mailboxes again.
  package let isView: Bool
  /// The role that the server says it has (RFC 6154); nil where it says none.
  package let attributedRole: MailboxRole?

  /// A mailbox of these parts.
  package init(
    name: MailboxName,
    path: MailboxPath,
    isSelectable: Bool = true,
    isView: Bool = false,
    attributedRole: MailboxRole? = nil
  ) {
    self.name = name
    self.path = path
    self.isSelectable = isSelectable
    self.isView = isView
    self.attributedRole = attributedRole
  }
}
