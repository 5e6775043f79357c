package import Platform

/// What shows that a file was written anew in its place.
package struct FileVersion: Hashable {
  /// Octets.
  package var size: Int64
  /// When the content last changed, in nanoseconds since 1970.
  package var modified: Int64

  package static let other = FileVersion(size: 0, modified: 0)

  package init(size: Int64, modified: Int64) {
    self.size = size
    self.modified = modified
  }

  /// Whether a file of this version may be one of the other that was copied: archives and copies keep whole seconds at most.
  package func isCopy(of other: FileVersion) -> Bool {
    size == other.size && modified % Self.second == 0
      && modified / Self.second == other.modified / Self.second
  }

  /// Whether a file of this version is that of the other, as far as size and time tell, or may be a copy of it.
  package func isLike(_ other: FileVersion) -> Bool { self == other || isCopy(of: other) }

  private static let second: Int64 = 1_000_000_000

  package init(_ status: FileStatus) {
    self.init(size: status.size, modified: status.fingerprint.modified)
  }
}
