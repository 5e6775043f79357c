package import MailModel
/// A Maildir below an account's root.
package struct FoundFolder: Hashable, Sendable {
  /// What tells an original from its copy.
  package struct Traits: Hashable, Sendable {
    /// The directory `cur`; nil where it cannot be looked at.
    package let cur: FileIdentity?
    /// When the marker was last changed, in nanoseconds since 1970: a rename of the folder leaves it as it is.
    package let marked: Int64

    package init(cur: FileIdentity?, marked: Int64) {
      self.cur = cur
      self.marked = marked
    }
  }

  /// Relative to the root.
  package let directory: [UInt8]
  /// The id of the mailbox that it was marked for; nil where it bears no marker, or one that is another folder's.
  package var owner: UInt64?
  /// Whether its marker came with a copy of another folder, so that it says nothing.
  package var isCopy = false
  /// Whether names of files show that some tool synced them.
  package var wasSynced = false
  /// Whether files bear keys of the mailbox that it was marked for, which is not on record: they were on the server.
  package var holdsOwn = false
  /// Whether its mailbox was removed on the server and all of its files are detached, so that no mailbox is made for it.
  package var isDetached = false

  package init(directory: [UInt8], owner: UInt64? = nil) {
    self.directory = directory
    self.owner = owner
  }
}
