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
  /// What is known of whether it came.
  package var evidence: Evidence

  /// How much a message of its Message-ID has to be like it.
  ///
  /// Another message may have that: a copy that came another way, or another version of a draft.
  package enum Evidence: Hashable, Sendable {
    /// The server said that it took it: the size decides, or From, Date and Subject.
    case taken
    /// It may not have been sent: the body decides, or From, Date and Subject where the server changed the size.
    case begun
    /// Nor can other versions be excluded that somebody else sent: only the body decides.
    case begunVersion
    /// Its body was never seen, so that the hash of that equals nothing: size and whole header decide, also without a
    /// Message-ID.
    case unread
  }

  /// A message of which only parts were ever seen.
  package init(
    partial identity: ContentIdentity?,
    size: UInt64,
    uidNext: UInt32
  ) {
    self.init(identity: identity, size: size, uidNext: uidNext, evidence: .unread)
  }

  /// A message from what is known of it.
  package init(
    identity: ContentIdentity?,
    size: UInt64,
    uidNext: UInt32,
    headerKey: UInt64? = nil,
    evidence: Evidence = .begun
  ) {
    self.identity = identity
    self.size = size
    self.uidNext = uidNext
    self.headerKey = headerKey
    self.evidence = evidence
  }
}
