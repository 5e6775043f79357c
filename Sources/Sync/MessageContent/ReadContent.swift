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

  package init(
    identity: ContentIdentity,
    former: ContentIdentity?,
    essential: EssentialContent? = nil
  ) {
    (self.identity, self.former, self.essential) = (identity, former, essential)
  }

  /// What is known of the message.
  package var trace: Trace { trace() }

  /// What is known of the message that has that size and date.
  package func trace(size: UInt64? = nil, date: Int64? = nil) -> Trace {
    var trace = Trace(identity, size: size, date: date)
    trace.former = former
    return trace
  }

  /// Whether it is the content of a record.
  package func holds(_ recorded: ContentIdentity) -> Bool {
    Sameness.compare(Trace(recorded), trace, .inPlace).level == .certain
  }

  /// Whether it is the content of a record except for header fields.
  package func holdsText(of recorded: ContentIdentity) -> Bool {
    Sameness.compare(Trace(recorded), trace, .inPlace).level >= .likely
  }
}
