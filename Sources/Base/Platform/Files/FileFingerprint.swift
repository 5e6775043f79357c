/// What identifies a directory or file, and tells whether it has changed.
package struct FileFingerprint: Hashable, Sendable {
  /// The file system.
  package let device: UInt64

  /// The file within its file system.
  package let inode: UInt64

  /// When the content (of a directory: the set of its names) last changed, in nanoseconds since 1970.
  package let modified: Int64

  /// When content or attributes last changed, in nanoseconds since 1970.
  package let changed: Int64

  package init(device: UInt64, inode: UInt64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.modified = modified
    self.changed = changed
  }

  /// Whether a later change is sure to give another fingerprint.
  ///
  /// - Parameter now: the time when the fingerprint was taken, in nanoseconds since 1970.
  /// - Returns: false within two seconds of a change, since clocks of file systems are coarse and another change
  ///   may leave the same times; and for times in the future, which tell nothing at all.
  package func isReliable(now: Int64) -> Bool {
    max(modified, changed) <= now - TestTime.fingerprintAge(2_000_000_000)
  }
}
