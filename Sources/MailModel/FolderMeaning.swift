/// What a directory below an account's root stands for.
package enum FolderMeaning: Hashable, Sendable {
  /// The mailbox of these levels.
  case mailbox([[UInt8]])
  /// The layout has no name for it: a level that is `cur`, `new` or `tmp`, or a directory that Maildir++ does not know.
  case noName
  /// A level begins with a dot: other programs keep what is no mailbox in such directories.
  case hidden
}
