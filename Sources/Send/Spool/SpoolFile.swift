internal import Hashing
internal import Octets
internal import Platform
internal import SpoolPlan

/// Opens files of spools: they lie where the owner of the spool can put anything in their place, and root works on spools
/// of others.
enum SpoolFile {
  /// Opens an ordinary file; `nil` where there is none.
  static func open(_ path: Path, _ mode: OpenMode) throws(SpoolError) -> Descriptor? {
    do throws(SystemError) {
      return try Descriptor.open(path, mode.guarded)
    } catch {
      if error.isNotFound { return nil }
      throw error.isNotAFile ? .notAFile(path) : .system(error)
    }
  }

  /// The same for a file that may have at most so many octets.
  ///
  /// - Throws: `notAFile`, `tooLong`.
  static func open(
    _ path: Path,
    _ mode: OpenMode,
    limit: Int
  ) throws(SpoolError) -> Descriptor? {
    guard let file = try open(path, mode) else { return nil }
    do throws(SystemError) {
      if try file.status().size <= limit { return file }
    } catch {
      throw .system(error)
    }
    throw .tooLong(path, limit: limit)
  }

  /// The content of a file; `nil` where there is none.
  ///
  /// - Throws: `notAFile`, `tooLong` where it has more octets than the limit; nothing is read then.
  static func read(_ path: Path, limit: Int) throws(SpoolError) -> [UInt8]? {
    guard let file = try open(path, .read, limit: limit) else { return nil }
    do throws(SystemError) {
      return try FileSystem.contents(of: file, limit: limit)
    } catch {
      throw error.isTooLarge ? .tooLong(path, limit: limit) : .system(error)
    }
  }

  /// The octets of a file up to its first empty line, with some of what follows; all where it has none.
  static func header(of file: borrowing Descriptor) throws(SpoolError) -> [UInt8] {
    var octets: [UInt8] = []
    do throws(SystemError) {
      while true {
        let piece = try file.read(atMost: 1 << 16, at: Int64(octets.count))
        let joint = max(0, octets.count - 1)
        octets += piece
        guard !piece.isEmpty, !hasEmptyLine(octets[joint...]) else { return octets }
      }
    } catch {
      throw .system(error)
    }
  }

  private static func hasEmptyLine(_ octets: ArraySlice<UInt8>) -> Bool {
    zip(octets, octets.dropFirst()).contains { $0 == ASCII.lineFeed && $1 == ASCII.lineFeed }
  }

  /// The first octets of a file; `nil` where there is none.
  static func start(of path: Path, length: Int) throws(SpoolError) -> [UInt8]? {
    guard let file = try open(path, .read) else { return nil }
    do throws(SystemError) {
      return try file.read(atMost: length)
    } catch {
      throw .system(error)
    }
  }
}

/// A seal that grows with the octets of a message.
struct Sealing: ~Copyable {
  private var size: UInt64 = 0
  private var checksum = Hash64()
  /// Nil unless the seal is to be of the former kind.
  private var digest: SHA256?

  /// The seal of no octets yet, of the kind of another one; of the usual kind where that is nil.
  init(like other: MessageSeal?) {
    switch other?.checksum {
    case .sha256: digest = SHA256()
    case .hash64, nil: digest = nil
    }
  }

  /// Takes the next octets.
  mutating func update(_ piece: ArraySlice<UInt8>) {
    size += UInt64(piece.count)
    if digest == nil { checksum.update(piece) } else { digest?.update(piece) }
  }

  /// The seal of all that was taken.
  consuming func finish() -> MessageSeal {
    let (size, checksum) = (size, checksum)
    guard let digest else { return MessageSeal(size: size, checksum: .hash64(checksum.value)) }
    return MessageSeal(size: size, checksum: .sha256(digest.finish()))
  }
}
