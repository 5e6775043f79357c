/// The messages a command is about, by UID.
package enum MessageSet: Hashable, Sendable {
  /// Exactly these; the set must not be empty.
  case uids(UIDSet)

  /// All from this UID on: `n:*`.
  ///
  /// RFC 9051 §9: `*` is the largest UID in use, so `n:*` names the last message of the mailbox
  /// even when its UID is below n. Results below n have to be dropped.
  case from(UInt32)
}
