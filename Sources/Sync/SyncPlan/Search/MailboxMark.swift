/// What tells that a mailbox got or lost messages; nil where it is not known.
package struct MailboxMark: Hashable, Sendable {
  /// The UIDNEXT that it has.
  package let uidNext: UInt32?
  /// Its HIGHESTMODSEQ.
  package let modSequence: UInt64?
  package let messages: UInt32?

  package init(uidNext: UInt32?, modSequence: UInt64?, messages: UInt32? = nil) {
    (self.uidNext, self.modSequence, self.messages) = (uidNext, modSequence, messages)
  }

  /// Whether messages came since; one that was never looked at has nothing but those that came.
  package func hasMore(than before: MailboxMark?) -> Bool {
    guard let uidNext else { return false }
    return uidNext > before?.uidNext ?? 1
  }

  /// Whether something happened in between; where nothing tells, it may have.
  package func differs(from now: MailboxMark) -> Bool {
    guard uidNext == now.uidNext else { return true }
    if let modSequence, let latest = now.modSequence { return modSequence != latest }
    guard let messages, let left = now.messages else { return true }
    return messages != left
  }
}
