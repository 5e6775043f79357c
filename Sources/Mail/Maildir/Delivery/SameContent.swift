package import Platform

/// The comparison of two files, octet by octet.
package enum SameContent {
  /// Whether both are ordinary files with the same octets.
  ///
  /// - Throws: the error of open(2) or read(2).
  package static func check(_ one: Path, _ other: Path) throws(SystemError) -> Bool {
    guard let status = try FileSystem.status(one, followingLinks: false),
      let otherStatus = try FileSystem.status(other, followingLinks: false),
      status.kind == .regular, otherStatus.kind == .regular, status.size == otherStatus.size
    else { return false }
    return try compare(Descriptor.open(one, .read), Descriptor.open(other, .read))
  }

  private static func compare(
    _ one: borrowing Descriptor,
    _ other: borrowing Descriptor
  ) throws(SystemError) -> Bool {
    while true {
      let run = try nextRun(of: one)
      guard try nextRun(of: other) == run else { return false }
      if run.isEmpty { return true }
    }
  }

  private static func nextRun(of file: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    try file.read(atMost: 64 * 1024)
  }
}
