/// A Maildir below an account's root.
struct FoundFolder: Hashable {
  /// Relative to the root.
  var directory: [UInt8]
  /// The id of the mailbox that it was marked for; nil where it bears no mark.
  var owner: UInt64?
  /// Whether the owner's record is there.
  var isOwnerRecorded = false
  /// Whether names of files show that some tool synced them.
  var wasSynced = false
}
