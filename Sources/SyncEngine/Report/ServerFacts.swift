package import SyncPlan

/// What an account's IMAP server is like, as a log-in showed it.
package struct ServerFacts: Sendable {
  /// What it says it can do, in its own words.
  package let capabilities: [[UInt8]]
  /// Whether the connection was encrypted.
  package let isEncrypted: Bool
  /// Its mailboxes.
  package let mailboxes: [ListedMailbox]
  /// Patterns and roles of the configuration that fit none of them.
  package let unknownNames: [UnknownName]
}
