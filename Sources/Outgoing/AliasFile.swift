internal import Glibc
internal import Platform
internal import Sendmail

/// Reads files of aliases, and the lists that they include, where no stranger can have written them.
struct AliasFile {
  /// The longest one, in octets.
  private static let limit = 1 << 20

  /// The user who sends.
  let user: UInt32

  /// The content of a list that a file names by its path.
  func read(list: [UInt8]) throws(AliasFileProblem) -> [UInt8] {
    let path = Path(list)
    guard path.isAbsolute else { throw .relative }
    return try read(path)
  }

  /// The content of a file.
  func read(_ path: Path) throws(AliasFileProblem) -> [UInt8] {
    // A pipe must not keep the sender waiting. Links are followed: administrators make them.
    let file = try Self.system { () throws(SystemError) in
      try Descriptor.open(path, .read.unblocked)
    }
    let status = try Self.system { () throws(SystemError) in try file.status() }
    guard status.kind == .regular else { throw .notAFile }
    try check(status, path)
    return try Self.system { () throws(SystemError) in
      try FileSystem.contents(of: file, limit: Self.limit)
    }
  }

  /// Checks who can have written the file.
  ///
  /// A list may be left to a user, in a directory of that user's.
  private func check(_ status: FileStatus, _ path: Path) throws(AliasFileProblem) {
    guard status.mode & 0o002 == 0 else { throw .openToOthers(mode: status.mode) }
    let directory = try Self.system { () throws(SystemError) in
      try FileSystem.status(try FileSystem.realPath(path).parent)
    }
    guard let directory else { throw .missing }
    guard [0, user, directory.owner].contains(status.owner) else {
      throw .foreignOwner(user: status.owner)
    }
    guard directory.mode & 0o002 == 0 || directory.mode & 0o1000 != 0 else {
      throw .openToOthers(mode: directory.mode)
    }
  }

  private static func system<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(AliasFileProblem) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      switch error.code {
      case ENOENT: throw .missing
      case EFBIG: throw .tooLong(limit: limit)
      default: throw .unreadable(error.reason)
      }
    }
  }
}
