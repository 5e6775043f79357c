package import MailModel
package import SyncPlan

/// New messages of a mailbox that a run has fetched and that are neither visible nor on record yet.
///
/// Messages of the first sync of a mailbox are not among them. Where a keyword says what is in the inbox, these have it.
package struct ArrivingMessages: Hashable, Sendable {
  /// The mailbox's own id, as its state has it.
  package let mailbox: UInt64
  /// Its UIDVALIDITY.
  package let validity: UInt32
  /// What the mailbox is for; nil for an ordinary one.
  package let role: MailboxRole?
  /// The messages, with the flags and INTERNALDATE that the server told.
  package let messages: [RemoteMessage]

  package init(
    mailbox: UInt64,
    validity: UInt32,
    role: MailboxRole?,
    messages: [RemoteMessage]
  ) {
    self.mailbox = mailbox
    self.validity = validity
    self.role = role
    self.messages = messages
  }
}
