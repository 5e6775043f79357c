/// A difference that is seen and left as it is.
package struct BlockedChange: Hashable, Sendable {
  /// The difference.
  package enum Difference: Hashable, Sendable {
    /// A file that the server lacks.
    case addition(name: [UInt8])
    /// Flags of the file that the server's message does not have.
    case flags(name: [UInt8], uid: UInt32)
    /// A message whose file is gone.
    case removal(uid: UInt32)
    /// A message whose file now lies in another mailbox.
    case move(uid: UInt32, to: UInt64)
    /// A message that the server no longer has.
    case serverDeletion(name: [UInt8], uid: UInt32)
    /// A message of the server that is not fetched.
    case download(uid: UInt32)
  }

  /// Why it is left.
  package enum Cause: String, Hashable, Sendable {
    case pullOnly = "not pushed (pull only)"
    case pushOnly = "not pulled (push only)"
    case massDeletion = "too many deletions at once"
    case absenceUnproven = "the folder changed while it was read"
    case kept = "kept on the server"
    case notPermanent = "the server cannot keep these flags"
    case notPermitted = "the server does not permit these flags"
    case elsewhere = "the file lies in another folder"
    case fromElsewhere = "may belong to a mailbox that is not part of this run"
    case mayHaveMoved = "may be in a mailbox that is not part of this run"
    case unread = "the server did not return the message"
    case movedOn = "the server moved it, and its new file was moved since"
    case alreadyThere = "the mailbox has the same message"
    case requested = "left to the entries of the queue"
    case readOnly = "the mailbox cannot be changed"
    case postponed = "waits up to 60 s: it may be a move"
    case copied = "waits: it may be the first half of a move"
    case partial = "its attachments are only on the server"

    /// Whether it is by design, so that every run comes to the same until settings change.
    var lasts: Bool {
      switch self {
      case .pullOnly, .pushOnly, .kept: true
      case .massDeletion, .absenceUnproven, .notPermanent, .notPermitted, .elsewhere,
        .fromElsewhere, .mayHaveMoved, .unread, .movedOn, .alreadyThere, .requested, .readOnly,
        .postponed, .copied, .partial:
        false
      }
    }
  }

  /// Whether the difference stays until something is done about it, so that a run has not done all it should.
  ///
  /// Flags that cannot be kept stay here by design.
  package var isBlocked: Bool {
    switch (cause, difference) {
    case (.readOnly, .flags): false
    case (.massDeletion, _), (.elsewhere, _), (.readOnly, _), (.partial, _): true
    case (.pullOnly, _), (.pushOnly, _), (.absenceUnproven, _), (.kept, _), (.notPermanent, _),
      (.notPermitted, _), (.fromElsewhere, _), (.mayHaveMoved, _), (.unread, _),
      (.movedOn, _),
      (.alreadyThere, _), (.requested, _), (.postponed, _),
      (.copied, _):
      false
    }
  }

  /// What differs.
  package let difference: Difference
  /// Why it stays so.
  package let cause: Cause

  package init(_ difference: Difference, _ cause: Cause) {
    self.difference = difference
    self.cause = cause
  }
}
