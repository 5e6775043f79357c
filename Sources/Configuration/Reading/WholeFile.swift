internal import Platform

/// Reads small files together with who owns them and who may read them.
enum WholeFile {
  /// The content and status of one and the same file, whatever happens to its name meanwhile.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: octets of it.
  ///   - isRegular: whether only a regular file is read: of another one, which may be a pipe that nobody ever writes to, no octet
  ///     is read or waited for.
  /// - Returns: the octets, or the first `limit` + 1 of a longer file.
  /// - Throws: the error of open(2), fstat(2) or read(2).
  static func read(
    _ path: Path,
    limit: Int,
    isRegular: Bool = false
  ) throws(SystemError) -> (octets: [UInt8], status: FileStatus) {
    let file = try Descriptor.open(path, isRegular ? .read.unblocked : .read)
    let status = try file.status()
    if isRegular, status.kind != .regular { return ([], status) }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 1)
    defer { room.deallocate() }
    var length = 0
    while length < room.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[length...])
      let count = try file.read(into: rest)
      guard count > 0 else { break }
      length += count
    }
    return (Array(room[..<length]), status)
  }
}

/// Permission bits of files with secrets: the rule and the way to show them.
enum FileMode {
  /// The bits that let the group or others read, write or execute.
  static let ofOthers: UInt32 = 0o077

  /// At least four octal digits, as chmod(1) takes them: `0644`.
  static func text(_ mode: UInt32) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
