internal import MailModel
package import SyncPlan

/// A message that was sent to a mailbox, and of which the server did not tell the UID.
package struct WantedArrival: Hashable, Sendable {
  /// Its content; nil where it is not known.
  package var identity: ContentIdentity?
  /// Octets on the wire; nil where they are not known.
  package var size: UInt64?
  /// The mailbox's UIDNEXT before it was sent.
  package var uidNext: UInt32
  /// The INTERNALDATE that it was sent with, or has where it comes from; nil where it is not known.
  package var date: Int64?
  /// The hash of From, Date and Subject; nil where it is not known.
  package var headerKey: UInt64?
  /// What is known of whether it came.
  package var evidence: Evidence

  /// How much a message of its Message-ID has to be like it.
  ///
  /// Another message may have that: a copy that came another way, such as over a mailing list, or another version of a draft.
  package enum Evidence: Hashable, Sendable {
    /// The server said that it took it: the size decides, or From, Date and Subject.
    case taken
    /// It may not have been sent: only what was sent is it. That is the whole content, or the body with the size or the date
    /// that were sent; never what is only alike, since a mailing list's copy may come within the same second.
    case begun
    /// Nor can other versions be excluded that another client sent, of any size.
    case begunVersion
    /// Its body was never seen, so that the hash of that equals nothing: size and whole header decide, also without a
    /// Message-ID.
    case unread
  }

  /// A message of which only parts were ever seen.
  package init(
    partial identity: ContentIdentity?,
    size: UInt64?,
    uidNext: UInt32
  ) {
    self.init(identity: identity, size: size, uidNext: uidNext, evidence: .unread)
  }

  package init(
    identity: ContentIdentity?,
    size: UInt64?,
    uidNext: UInt32,
    date: Int64? = nil,
    headerKey: UInt64? = nil,
    evidence: Evidence = .begun
  ) {
    self.identity = identity
    self.size = size
    self.uidNext = uidNext
    self.date = date
    self.headerKey = headerKey
    self.evidence = evidence
  }
}

extension WantedArrival {
  /// How sure it is that a message which came since is it.
  package func compare(_ found: Trace) -> Sameness {
    var known = Trace(identity, size: size, date: date)
    switch evidence {
    case .taken: return Sameness.compare(known, found, .taken)
    case .begunVersion: return Sameness.compare(known, found, .begunVersion)
    case .unread: known.body = nil
    case .begun: break
    }
    return Sameness.compare(known, found, .begun)
  }

  /// Whether a message of its size may be it, where nothing is known of its content.
  package func mayBeUnknown(_ message: RemoteMessage) -> Bool {
    let found = compare(Trace(message))
    return found.level != .no && found.agreeing.contains(.size)
  }
}
