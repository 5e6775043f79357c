package import MailModel
internal import SyncPlan

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
