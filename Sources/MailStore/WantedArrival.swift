package import SyncPlan

/// A message that was sent to a mailbox, and of which the server did not tell the UID.
package struct WantedArrival: Hashable, Sendable {
  /// Its content; nil where it is not known.
  package var identity: ContentIdentity?
  /// Octets on the wire; 0 where they are not known.
  package var size: UInt64
  /// The mailbox's UIDNEXT before it was sent.
  package var uidNext: UInt32
  /// The hash of From, Date and Subject; nil where it is not known.
  package var headerKey: UInt64?
  /// Whether the server said that it took it.
  package var isCertain: Bool

  /// A message from what is known of it.
  package init(
    identity: ContentIdentity?,
    size: UInt64,
    uidNext: UInt32,
    headerKey: UInt64? = nil,
    isCertain: Bool = false
  ) {
    self.identity = identity
    self.size = size
    self.uidNext = uidNext
    self.headerKey = headerKey
    self.isCertain = isCertain
  }
}
