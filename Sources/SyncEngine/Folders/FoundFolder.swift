internal import Platform

/// A Maildir below an account's root.
struct FoundFolder: Hashable {
  /// What tells an original from its copy.
  struct Traits: Hashable {
    /// The directory `cur`; nil where it cannot be looked at.
    var cur: FileFingerprint?
    /// When the marker was last changed, in nanoseconds since 1970: a rename of the folder leaves it as it is.
    var marked: Int64
  }

  /// Relative to the root.
  var directory: [UInt8]
  /// The id of the mailbox that it was marked for; nil where it bears no marker, or one that is another folder's.
  var owner: UInt64?
  /// Whether its marker came with a copy of another folder, so that it says nothing.
  var isCopy = false
  /// Whether names of files show that some tool synced them.
  var wasSynced = false
}
