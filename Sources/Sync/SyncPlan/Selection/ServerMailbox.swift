package import MailModel

/// A mailbox that the server lists.
package struct ServerMailbox: Hashable, Sendable {
  /// What STATUS tells of it.
  package struct Status: Hashable, Sendable {
    package var identity: MailboxIdentity
    /// UIDNEXT; nil where it was not told.
    package let uidNext: UInt32?
    /// The number of messages; nil where it was not told.
    package let messages: UInt32?
    /// HIGHESTMODSEQ; nil where it was not told.
    package let modSequence: UInt64?

    package init(
      identity: MailboxIdentity,
      uidNext: UInt32?,
      messages: UInt32?,
      modSequence: UInt64? = nil
    ) {
      self.identity = identity
      self.uidNext = uidNext
      self.messages = messages
      self.modSequence = modSequence
    }
  }

  /// The name on the wire.
  package let name: MailboxName
  /// Its name here with its levels, decoded: that on the server, unless `MailboxNames` changed it.
  package private(set) var path: MailboxPath
  /// The names by which people mean it, with slashes between the levels: that of its path, and other forms.
  package private(set) var names: [[UInt8]]
  /// What stands between the levels of the name; nil where there are none.
  package let delimiter: UInt8?
  /// Whether it can hold messages.
  package let isSelectable: Bool
  /// Whether it only shows messages of other mailboxes again.
  package private(set) var isView: Bool
  /// The role that the server says it has (RFC 6154); nil where it says none.
  package private(set) var attributedRole: MailboxRole?
  /// The keyword of those unseen messages that are new to the user; nil where all are.
  package private(set) var arrivalKeyword: [UInt8]?
  /// Its status; nil where it was not told.
  package var status: Status?

  /// A mailbox of these parts.
  package init(
    name: MailboxName,
    delimiter: UInt8?,
    isSelectable: Bool = true,
    isView: Bool = false,
    attributedRole: MailboxRole? = nil,
    status: Status? = nil
  ) {
    self.name = name
    path = MailboxPath(name, delimiter: delimiter)
    names = [path.joined]
    self.delimiter = delimiter
    self.isSelectable = isSelectable
    self.isView = isView
    self.attributedRole = attributedRole
    self.status = status
  }

  /// Its name on the server with its levels, decoded.
  package var serverPath: MailboxPath { MailboxPath(name, delimiter: delimiter) }

  /// The mailbox for that role, whose messages are in no other one; those that have the keyword are new to the user.
  package func holding(_ role: MailboxRole, arrivals keyword: [UInt8]) -> ServerMailbox {
    var mailbox = self
    mailbox.isView = false
    mailbox.attributedRole = role
    mailbox.arrivalKeyword = keyword
    return mailbox
  }

  /// The mailbox with its name here.
  package func named(by names: MailboxNames) -> ServerMailbox {
    var mailbox = self
    mailbox.path = names.path(of: serverPath)
    mailbox.names = names.forms(of: mailbox.path.joined)
    return mailbox
  }
}
