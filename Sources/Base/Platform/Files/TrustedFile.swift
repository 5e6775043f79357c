/// Reads small files that decide what a program does, such as its configuration, or that hold secrets.
package enum TrustedFile {
  /// Why a file is not read.
  package enum Failure: Error, Hashable, Sendable {
    /// It cannot be opened or read.
    case system(SystemError)
    /// It is longer than so many octets.
    case tooLong(limit: Int)
    /// Another user could have written it, or put it there.
    case untrusted(FileTrust.Failure)
  }

  /// What is asked of a file.
  package struct Rules: Sendable {
    /// Octets that it may have.
    package let limit: Int
    /// Whether only its owner may read it.
    package var isSecret = false
    /// Whether a pipe or a descriptor may be in its place.
    package var mayBePipe = false
    /// Whose file it is, besides root's.
    package var user = UserIdentity.effective
    /// Whether it may also belong to the owner of the directory that it lies in.
    package var trustsOwnerOfDirectory = false

    /// A file of at most so many octets.
    package init(limit: Int) { self.limit = limit }
  }

  /// The content and status of one and the same file, whatever happens to its name meanwhile.
  ///
  /// - Throws: why it is not read.
  package static func read(
    _ path: Path,
    _ rules: Rules
  ) throws(Failure) -> (octets: [UInt8], status: FileStatus) {
    let file = try system(rules) { () throws(SystemError) in
      try Descriptor.open(path, rules.mayBePipe ? .read.orPipe : .read)
    }
    let status = try system(rules) { () throws(SystemError) in try file.status() }
    do throws(FileTrust.Failure) {
      try check(path, status, rules)
    } catch {
      throw .untrusted(error)
    }
    return try system(rules) { () throws(SystemError) in
      (try FileSystem.contents(of: file, limit: rules.limit), status)
    }
  }

  private static func system<Value: ~Copyable>(
    _ rules: Rules,
    _ body: () throws(SystemError) -> Value
  ) throws(Failure) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw error.isTooLarge ? .tooLong(limit: rules.limit) : .system(error)
    }
  }

  private static func check(
    _ path: Path,
    _ status: FileStatus,
    _ rules: Rules
  ) throws(FileTrust.Failure) {
    var other: UInt32?
    if rules.trustsOwnerOfDirectory, let real = try? FileSystem.realPath(path) {
      other = ((try? FileSystem.status(real.parent)) ?? nil)?.owner
    }
    let trust = FileTrust(user: rules.user, and: other)
    try trust.check(path)
    try trust.check(status, path)
    guard rules.isSecret, status.mode & FileMode.ofOthers != 0 else { return }
    throw FileTrust.Failure(path, .secrecy(status.mode))
  }
}
