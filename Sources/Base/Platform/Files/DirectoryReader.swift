internal import CPlatform
internal import Glibc

extension FileSystem {
  /// Reads the names in a directory, in the order of the file system, without "." and "..".
  ///
  /// About 0.3 µs an entry. Names that come or go meanwhile may be seen or not.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - body: takes each name (octets, no NUL; good during the call only) and its kind.
  /// - Returns: the fingerprint of the directory, taken before its first name was read.
  /// - Throws: the error of open(2), fstat(2) or getdents64(2).
  @discardableResult
  package static func entries(
    of path: Path,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind) -> Void
  ) throws(SystemError) -> FileFingerprint {
    try numberedEntries(of: path) { name, kind, _ in body(name, kind) }
  }

  /// The same with the inode that the directory has of each name; not every file system tells it here.
  package static func numberedEntries(
    of path: Path,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ kind: EntryKind, _ inode: UInt64) -> Void
  ) throws(SystemError) -> FileFingerprint {
    let directory = try Descriptor.open(path, .directory)
    let fingerprint = try directory.status().fingerprint
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      FaultPoint.read()
      let count = try SystemCall.read("getdents64", path) {
        magnum_directory_records(directory.raw, buffer.baseAddress, buffer.count)
      }
      guard count > 0 else { return fingerprint }
      visit(UnsafeRawBufferPointer(rebasing: buffer[..<count]), in: directory.raw, body)
    }
  }

  /// Walks over linux_dirent64 records: inode (8 octets), offset (8), length (2), type (1), name, NUL, padding.
  private static func visit(
    _ records: UnsafeRawBufferPointer,
    in directory: Int32,
    _ body: (UnsafeBufferPointer<UInt8>, EntryKind, UInt64) -> Void
  ) {
    var position = 0
    while position < records.count {
      let inode = records.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let length = Int(records.loadUnaligned(fromByteOffset: position + 16, as: UInt16.self))
      let type = records[position + 18]
      let name = records.baseAddress?.advanced(by: position + 19)
      position += length
      guard let name = name?.assumingMemoryBound(to: UInt8.self) else { return }
      let octets = UnsafeBufferPointer(start: name, count: strlen(name))
      guard !isDots(octets) else { continue }
      FaultPoint.call("name")
      body(octets, EntryKind(entryType: type) ?? kind(of: name, in: directory), inode)
    }
  }

  private static func isDots(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let dot = UInt8(ascii: ".")
    return name.count <= 2 && name.allSatisfy { $0 == dot }
  }

  /// Asks for what some file systems leave out of their records; a name that is gone counts as "other".
  private static func kind(of name: UnsafePointer<UInt8>, in directory: Int32) -> EntryKind {
    var result = stat()
    let outcome = name.withMemoryRebound(to: CChar.self, capacity: 1) {
      fstatat(directory, $0, &result, AT_SYMLINK_NOFOLLOW)
    }
    return outcome == 0 ? EntryKind(mode: result.st_mode) : .other
  }
}
