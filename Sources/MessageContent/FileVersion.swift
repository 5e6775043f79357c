package import Platform

/// What shows that a file was written anew in its place.
package struct FileVersion: Hashable {
  /// Octets.
  package var size: Int64
  /// When the content last changed, in nanoseconds since 1970.
  package var modified: Int64

  /// The version of no file.
  package static let other = FileVersion(size: 0, modified: 0)

  /// A version that was recorded.
  package init(size: Int64, modified: Int64) {
    self.size = size
    self.modified = modified
  }

  /// The version of a file as it is.
  package init(_ status: FileStatus) {
    self.init(size: status.size, modified: status.fingerprint.modified)
  }
}
