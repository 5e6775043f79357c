internal import Glibc
internal import Platform

/// Opens files of spools: they lie where the owner of the spool can put anything in their place, and root works on spools
/// of others.
enum SpoolFile {
  /// Opens an ordinary file; `nil` where there is none.
  static func open(_ path: Path, _ mode: OpenMode) throws(SpoolError) -> Descriptor? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, mode.guarded)
      guard try file.status().kind != .regular else { return file }
    } catch {
      switch error.code {
      case ENOENT: return nil
      case ELOOP, ENXIO, EISDIR: break
      default: throw .system(error)
      }
    }
    throw .notAFile(path)
  }

  /// The content of a file; `nil` where there is none.
  ///
  /// - Throws: `notAFile`, `tooLong` where it has more octets than the limit; nothing is read then.
  static func read(_ path: Path, limit: Int) throws(SpoolError) -> [UInt8]? {
    guard let file = try open(path, .read) else { return nil }
    do throws(SystemError) {
      guard try file.status().size <= limit else {
        throw SystemError(operation: "read", path: path, code: EFBIG)
      }
      return try FileSystem.contents(of: file, limit: limit)
    } catch {
      throw error.code == EFBIG ? .tooLong(path, limit: limit) : .system(error)
    }
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
