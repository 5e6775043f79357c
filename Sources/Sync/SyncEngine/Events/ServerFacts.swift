package import MailModel
package import SyncPlan

/// What an account's IMAP server is like, as a log-in showed it.
package struct ServerFacts: Sendable {
  /// What it says it can do, in its own words.
  package let capabilities: [[UInt8]]
  /// Whether the connection was encrypted.
  package let isEncrypted: Bool
  package let mailboxes: [ListedMailbox]
  /// Patterns and roles of the configuration that fit none of them.
  package let unknownNames: [UnknownName]

  package init(
    capabilities: [[UInt8]],
    isEncrypted: Bool,
    mailboxes: [ListedMailbox],
    unknownNames: [UnknownName]
  ) {
    self.capabilities = capabilities
    self.isEncrypted = isEncrypted
    self.mailboxes = mailboxes
    self.unknownNames = unknownNames
  }
}

/// A mailbox of the server, for a list of them.
package struct ListedMailbox: Hashable, Sendable {
  /// The decoded name with slashes between its levels.
  package let name: [UInt8]
  /// What it is for; nil for an ordinary one.
  package let role: MailboxRole?
  /// Whether it can hold messages.
  package let isSelectable: Bool
  /// Whether the configuration has it mirrored.
  package let isMirrored: Bool
  /// How many messages it holds; nil when the server did not say.
  package let messages: UInt32?
}
