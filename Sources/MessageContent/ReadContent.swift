package import SyncPlan

/// What was read of the content of a message, as it is known now and as older versions recorded it.
package struct ReadContent: Hashable, Sendable {
  /// What makes it this message.
  package var identity: ContentIdentity
  /// The identity as it may be on record, by a version that did not leave out what servers add or drop; nil where both are the
  /// same.
  package var former: ContentIdentity?
  /// What a server that rewrites messages leaves of it; nil where that was not asked for.
  package var essential: EssentialContent?

  /// A content by what was read of it.
  package init(
    identity: ContentIdentity,
    former: ContentIdentity?,
    essential: EssentialContent? = nil
  ) {
    (self.identity, self.former, self.essential) = (identity, former, essential)
  }

  /// Whether it is the content of a record.
  package func holds(_ recorded: ContentIdentity) -> Bool {
    identity == recorded || former == recorded
  }

  /// Whether it is the content of a record but for header fields.
  package func holdsText(of recorded: ContentIdentity) -> Bool {
    identity.text == recorded.text || former?.text == recorded.text
  }
}
