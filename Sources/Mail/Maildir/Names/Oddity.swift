package import Platform

/// Something in new or cur that is not counted as a message.
package enum Oddity: Hashable, Sendable {
  /// A directory, pipe or symbolic link in the place of a file.
  case notAFile(ScannedFile, EntryKind)

  /// A name with nothing before the colon.
  case noBase(ScannedFile)

  /// Two files with the same base; the first counts.
  case duplicate(kept: ScannedFile, other: ScannedFile)
}
