/// Whether the names of folders begin with the prefix of the personal namespace, such as `INBOX.` (RFC 2342).
package enum NamespaceStyle: String, Hashable, Sendable, CaseIterable {
  /// The mailbox `INBOX.Sent` is the folder `INBOX/Sent`.
  case keep
  /// The mailbox `INBOX.Sent` is the folder `Sent`.
  case hide
}
