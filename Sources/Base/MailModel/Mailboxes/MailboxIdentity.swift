/// What tells whether a name of the server still means the same mailbox.
package struct MailboxIdentity: Hashable, Sendable {
  /// UIDVALIDITY (RFC 9051 §2.3.1.1); nil where it is not known.
  package var validity: UInt32?
  /// The server's own id, MAILBOXID (RFC 8474 §4), which a rename leaves as it is; empty where it is not known.
  package var serverID: [UInt8]

  package init(validity: UInt32?, serverID: [UInt8]) {
    self.validity = validity
    self.serverID = serverID
  }

  /// Whether the server's ids tell that both are one mailbox; nil where one of the two is not known.
  package func sharesID(with other: MailboxIdentity) -> Bool? {
    guard !serverID.isEmpty, !other.serverID.isEmpty else { return nil }
    return serverID == other.serverID
  }

  /// Whether UIDs mean the same messages in both.
  package func sharesUIDs(with other: MailboxIdentity) -> Bool {
    validity.equals(other.validity) && sharesID(with: other) != false
  }
}
