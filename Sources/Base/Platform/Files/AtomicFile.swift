internal import Glibc
package import Octets
internal import Synchronization

/// Files that are replaced as a whole: a reader, also after a crash, sees the old or the new content.
package enum AtomicFile {
  private static let count = Atomic<UInt64>(0)

  /// Puts new content in the place of a file, or makes it; durable on return.
  ///
  /// - Throws: the error of the call that failed; the old content is still there then, except where only the
  ///   last step, making the new name durable, failed.
  package static func replace(
    _ path: Path,
    with octets: any OctetSource,
    mode: UInt32 = 0o600
  ) throws(SystemError) {
    try replace(path, mode) { (file) throws(SystemError) in try write(octets, to: file) }
  }

  /// Puts new content in the place of a file, or makes it, as the other; each piece is asked for once those before it are
  /// written.
  ///
  /// - Throws: the error of the call that failed; the old content is still there then, as with the other.
  package static func replace(
    _ path: Path,
    withPieces pieces: some Sequence<[UInt8]>,
    mode: UInt32 = 0o600
  ) throws(SystemError) {
    try replace(path, mode) { (file) throws(SystemError) in
      for piece in pieces { try file.write(all: piece) }
    }
  }

  /// New content of a file that lies beside it, not durable.
  package struct Draft {
    /// The file.
    package let path: Path
    /// Where the new content lies.
    package let temporary: Path

    /// Puts it in the place of the file; the name is durable once the directory is flushed.
    ///
    /// Only once the content is durable: a crash would leave an empty file.
    ///
    /// - Throws: the error of rename(2).
    package func place() throws(SystemError) { try FileSystem.rename(temporary, to: path) }

    /// Removes it.
    package func discard() { try? FileSystem.remove(temporary) }
  }

  /// Writes new content beside a file: for several files that are replaced together.
  ///
  /// - Throws: the error of open(2) or write(2).
  package static func draft(
    _ path: Path,
    withPieces pieces: some Sequence<[UInt8]>,
    mode: UInt32 = 0o600
  ) throws(SystemError) -> Draft {
    let temporary = try writeTemporary(for: path, mode, isDurable: false) {
      (file) throws(SystemError) in
      for piece in pieces { try file.write(all: piece) }
    }
    return Draft(path: path, temporary: temporary)
  }

  private static func replace(
    _ path: Path,
    _ mode: UInt32,
    _ write: (borrowing Descriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    let temporary = try writeTemporary(for: path, mode, write)
    do {
      try FileSystem.rename(temporary, to: path)
    } catch {
      try? FileSystem.remove(temporary)
      throw error
    }
    try FileSystem.synchroniseDirectory(path.parent)
  }

  /// Finds out whether there is room for new content of that many octets: a file of that length is written, made durable and
  /// removed.
  ///
  /// - Throws: the error of the call that failed.
  package static func checkRoom(for path: Path, length: Int) throws(SystemError) {
    let octets = [UInt8](repeating: ASCII.lineFeed, count: length)
    let temporary = try writeTemporary(for: path, 0o600) { (file) throws(SystemError) in
      try write(octets, to: file)
    }
    try FileSystem.remove(temporary)
  }

  /// Removes what replacements that were cut short have left in a directory.
  ///
  /// Only to be called under the lock that covers all writers in that directory, or all of the one file.
  ///
  /// - Parameters:
  ///   - directory: where to look.
  ///   - file: the file whose replacements are meant; nil for those of all files in the directory.
  /// - Throws: the error of reading the directory or of unlink(2).
  package static func removeLeftovers(
    in directory: Path,
    of file: Path? = nil
  ) throws(SystemError) {
    let start = file.map { $0.lastComponent + marker } ?? []
    var leftovers: [[UInt8]] = []
    try FileSystem.entries(of: directory) { name, kind in
      guard kind == .regular, isTemporary(name), name.starts(with: start) else { return }
      leftovers.append(Array(name))
    }
    for name in leftovers { try FileSystem.remove(directory.appending(name)) }
  }

  private static func writeTemporary(
    for path: Path,
    _ mode: UInt32,
    isDurable: Bool = true,
    _ write: (borrowing Descriptor) throws(SystemError) -> Void
  ) throws(SystemError) -> Path {
    let file = try openTemporary(for: path, mode)
    let temporary = file.path ?? path
    do {
      try write(file)
      if isDurable { try file.synchronise() }
      try file.close()
    } catch {
      try? FileSystem.remove(temporary)
      throw error
    }
    return temporary
  }

  /// What is in memory is written at once.
  private static func write(
    _ octets: any OctetSource,
    to file: borrowing Descriptor
  ) throws(SystemError) {
    if let octets = octets as? [UInt8] { return try file.write(all: octets) }
    var pieces = octets.pieces
    repeat {
      let piece = try SystemError.reading { () throws(SourceError) in try pieces.next() }
      try file.write(all: piece ?? [])
    } while !pieces.isAtEnd
  }

  /// Opens a name that no other writer has: another process may replace the same file at the same time.
  private static func openTemporary(for path: Path, _ mode: UInt32) throws(SystemError)
    -> Descriptor
  {
    while true {
      let number = count.add(1, ordering: .relaxed).newValue
      let name = path.lastComponent + marker + Array("\(getpid())-\(number)".utf8)
      do {
        return try Descriptor.open(path.parent.appending(name), .createExclusive(mode))
      } catch {
        guard error.isAlreadyThere else { throw error }
      }
    }
  }

  /// What stands between the name of the file and the number of the attempt.
  private static let marker = [UInt8](ascii: ".tmp-")

  /// Whether a name is `…​.tmp-<digits>-<digits>`.
  private static func isTemporary(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = name[...]
    guard dropDigits(&rest), rest.popLast() == UInt8(ascii: "-"), dropDigits(&rest) else {
      return false
    }
    return rest.count > marker.count && rest.suffix(marker.count).elementsEqual(marker)
  }

  private static func dropDigits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let count = rest.count
    while let last = rest.last, ASCII.isDigit(last) { rest.removeLast() }
    return rest.count < count
  }
}
