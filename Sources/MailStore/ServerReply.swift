package import IMAP

/// A server's answer to what was asked of it, with its words.
package typealias ServerReply = StatusResponse

extension ServerReply {
  /// Whether the server refuses because the user has no right to it (RFC 5530 §3).
  package var isForbidden: Bool { code == .noPermission }

  /// Whether it is one mailbox that cannot be had for now (RFC 5530 §3).
  package var concernsOneMailbox: Bool {
    kind == .no && (code == .inUse || code == .unavailable)
  }
}
