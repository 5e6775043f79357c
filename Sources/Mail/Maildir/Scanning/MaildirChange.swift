/// Something that has happened to a file of a Maildir.
///
/// A folder is named by its path below the root of the Maildir, as `FolderTree.directory(for:)` gives it: empty for
/// the root itself.
package enum MaildirChange: Hashable, Sendable {
  /// It is there now. Saying so again does no harm.
  case added(folder: [UInt8], ScannedFile)
  /// It is gone.
  case removed(folder: [UInt8], ScannedFile)
  /// It has another name, in the same folder or elsewhere; its content is the same.
  case renamed(folder: [UInt8], ScannedFile, toFolder: [UInt8], ScannedFile)
  /// The folder's file of keywords says something else of the message with a file of this base name.
  case marked(folder: [UInt8], base: [UInt8])
}
