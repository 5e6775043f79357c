internal import Platform

/// Reads small files together with who owns them and who may read them.
enum WholeFile {
  /// The content and status of one and the same file, whatever happens to its name meanwhile.
  ///
  /// - Returns: the octets, or the first `limit` + 1 of a longer file.
  /// - Throws: the error of open(2), fstat(2) or read(2).
  static func read(
    _ path: Path,
    limit: Int
  ) throws(SystemError) -> (octets: [UInt8], status: FileStatus) {
    let file = try Descriptor.open(path, .read)
    let status = try file.status()
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
