internal import CPlatform
internal import Glibc

/// Files and directories by name.
///
/// Nothing is durable on return, except where a call says so: a changed name is durable after
/// ``synchroniseDirectory(_:)`` of its directory.
package enum FileSystem {
  /// What the system knows about a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - followingLinks: whether a symbolic link stands for what it points to.
  /// - Returns: nil where there is no such file (ENOENT).
  /// - Throws: the error of stat(2).
  package static func status(
    _ path: Path,
    followingLinks: Bool = true
  ) throws(SystemError) -> FileStatus? {
    var result = stat()
    do {
      _ = try SystemCall.read("stat", at: path) { name in
        fstatat(AT_FDCWD, name, &result, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
    return FileStatus(result)
  }

  /// Gives a file another name, and replaces what bore that name before.
  ///
  /// - Throws: the error of rename(2).
  package static func rename(_ source: Path, to target: Path) throws(SystemError) {
    try SystemCall.change("rename", from: source, to: target) { Glibc.rename($0, $1) }
  }

  /// Gives a file another name, unless that name is taken.
  ///
  /// Where the file system cannot do that in one step (some network file systems), it is done in several: see `renameInSteps`.
  ///
  /// - Throws: EEXIST where the name is taken; the error of renameat2(2).
  package static func renameWithoutReplacing(
    _ source: Path,
    to target: Path
  ) throws(SystemError) {
    do {
      try SystemCall.change("rename", from: source, to: target, magnum_rename_without_replacing)
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      try renameInSteps(source, to: target)
    }
  }

  /// The same on file systems that cannot do it in one step.
  ///
  /// A file gets the name as a second one, and loses the first: after a crash in between it has both. Where there are no second
  /// names it is renamed after a look. A directory takes the place of an empty one, which only can be made where none stands.
  static func renameInSteps(_ source: Path, to target: Path) throws(SystemError) {
    if try status(source, followingLinks: false)?.kind == .directory {
      try makeDirectory(target)
      do throws(SystemError) {
        return try rename(source, to: target)
      } catch {
        try? removeDirectory(target)
        throw error
      }
    }
    do throws(SystemError) {
      try link(source, to: target)
    } catch {
      guard [EPERM, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
      guard try status(target) == nil else {
        throw SystemError(operation: "rename", path: target, code: EEXIST)
      }
      return try rename(source, to: target)
    }
    try remove(source)
  }

  /// Gives each of two files the name of the other, in one step.
  ///
  /// - Throws: the error of renameat2(2); EINVAL where the file system cannot do that.
  package static func exchange(_ one: Path, with other: Path) throws(SystemError) {
    try SystemCall.change("rename", from: one, to: other, magnum_exchange)
  }

  /// Octets that are free on the file system of a file; those in reserve are not, unless they are asked for and this is the
  /// superuser, who may write there.
  ///
  /// Without end where the file system tells of no size at all, as some in user space do.
  ///
  /// - Throws: the error of statvfs(3).
  package static func freeOctets(
    at path: Path,
    withReserve: Bool = false
  ) throws(SystemError) -> UInt64 {
    var result = statvfs()
    _ = try SystemCall.read("statvfs", at: path) { statvfs($0, &result) }
    guard result.f_blocks > 0 else { return .max }
    let blocks = withReserve && geteuid() == 0 ? result.f_bfree : result.f_bavail
    let (octets, isHuge) = UInt64(blocks)
      .multipliedReportingOverflow(by: UInt64(result.f_frsize))
    return isHuge ? .max : octets
  }

  /// Whether the file system of a file lies in memory: what is written there never comes to a disk but by swapping.
  ///
  /// - Throws: the error of statfs(2).
  package static func isInMemory(_ path: Path) throws(SystemError) -> Bool {
    try SystemCall.read("statfs", at: path, magnum_is_in_memory) == 1
  }

  /// Gives a file a second name, unless that name is taken.
  ///
  /// - Throws: EEXIST where the name is taken; the error of link(2).
  package static func link(_ source: Path, to target: Path) throws(SystemError) {
    try SystemCall.change("link", from: source, to: target) { Glibc.link($0, $1) }
  }

  /// Removes the name of a file; a symbolic link goes itself.
  ///
  /// - Throws: the error of unlink(2).
  package static func remove(_ path: Path) throws(SystemError) {
    try SystemCall.change("unlink", at: path, unlink)
  }

  /// Makes a directory.
  ///
  /// - Throws: EEXIST where the name is taken; the error of mkdir(2).
  package static func makeDirectory(_ path: Path, mode: UInt32 = 0o700) throws(SystemError) {
    try SystemCall.change("mkdir", at: path) { mkdir($0, mode_t(mode)) }
  }

  /// Makes a directory of a name that is not taken, which only the user can enter.
  ///
  /// - Parameters:
  ///   - directory: where.
  ///   - prefix: what its name begins with.
  /// - Returns: its path.
  /// - Throws: the error of mkdtemp(3).
  package static func makeTemporaryDirectory(
    in directory: Path,
    prefix: String
  ) throws(SystemError) -> Path {
    let template = directory.appending("\(prefix)XXXXXX")
    var name = template.octets.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&name) != nil else { throw SystemCall.failure("mkdtemp", directory) }
    return Path(name.dropLast().map { UInt8(bitPattern: $0) })
  }

  /// Makes a directory and those above it that are missing; each new one is durable on return.
  ///
  /// A directory that is there already is fine, and stays as it is.
  ///
  /// - Throws: the error of mkdir(2), EEXIST where something else bears the name; the error of fsync(2).
  package static func makeDirectories(_ path: Path, mode: UInt32 = 0o700) throws(SystemError) {
    var changes = Unflushed()
    try makeDirectories(path, mode: mode, &changes)
    try changes.flush()
  }

  /// The same, durable once `changes` are flushed.
  ///
  /// - Throws: the error of mkdir(2), EEXIST where something else bears the name.
  package static func makeDirectories(
    _ path: Path,
    mode: UInt32 = 0o700,
    _ changes: inout Unflushed
  ) throws(SystemError) {
    if let status = try status(path), status.kind == .directory { return }
    let parent = path.parent
    if parent != path { try makeDirectories(parent, mode: mode, &changes) }
    do {
      try makeDirectory(path, mode: mode)
    } catch {
      // Another process may have been faster.
      guard error.isAlreadyThere, try status(path)?.kind == .directory else { throw error }
    }
    changes.add(directory: parent)
  }

  /// Removes an empty directory.
  ///
  /// - Throws: the error of rmdir(2).
  package static func removeDirectory(_ path: Path) throws(SystemError) {
    try SystemCall.change("rmdir", at: path, rmdir)
  }

  /// Makes the names in a directory durable.
  ///
  /// - Throws: the error of open(2) or fsync(2).
  package static func synchroniseDirectory(_ path: Path) throws(SystemError) {
    try Descriptor.open(path, .directory).synchronise()
  }

  /// Makes the content of a file durable, but not its name.
  ///
  /// - Throws: the error of open(2) or fsync(2).
  package static func synchroniseFile(_ path: Path) throws(SystemError) {
    try Descriptor.open(path, .read).synchronise()
  }

  /// Sets the times of last access and change, in seconds since 1970.
  ///
  /// - Throws: the error of utimensat(2).
  package static func setTimes(_ path: Path, _ seconds: Int64) throws(SystemError) {
    let times = Array(repeating: timespec(tv_sec: Int(seconds), tv_nsec: 0), count: 2)
    try SystemCall.change("utimensat", at: path) { utimensat(AT_FDCWD, $0, times, 0) }
  }

  /// The whole content of a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the greatest number of octets that is acceptable.
  ///   - mode: what may lie there; a regular file where nothing is said.
  /// - Returns: nil where there is no such file (ENOENT).
  /// - Throws: EFBIG where the file is longer than the limit; the error of ``Descriptor/open(_:_:)`` or read(2).
  package static func readFile(
    _ path: Path,
    limit: Int,
    _ mode: OpenMode = .read
  ) throws(SystemError) -> [UInt8]? {
    guard let file = try openIfPresent(path, mode) else { return nil }
    return try contents(of: file, limit: limit)
  }

  /// Opens a file for reading; nil where there is none.
  ///
  /// - Throws: the error of open(2).
  package static func openIfPresent(
    _ path: Path,
    _ mode: OpenMode = .read
  ) throws(SystemError) -> Descriptor? {
    do {
      return try Descriptor.open(path, mode)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// The whole content of a file that has to be there.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the greatest number of octets that is acceptable.
  ///   - mode: what may lie there; a regular file where nothing is said.
  /// - Returns: its octets.
  /// - Throws: ENOENT where there is no such file, otherwise as ``readFile(_:limit:_:)``.
  package static func readExistingFile(
    _ path: Path,
    limit: Int,
    _ mode: OpenMode = .read
  ) throws(SystemError) -> [UInt8] {
    guard let octets = try readFile(path, limit: limit, mode) else {
      throw SystemError.notFound(path)
    }
    return octets
  }

  /// Reads to the end, by the size that the file claims, and on where it is longer (pipes, /proc).
  ///
  /// - Throws: EFBIG where the file is longer than the limit, in octets; the error of read(2).
  package static func contents(
    of file: borrowing Descriptor,
    limit: Int
  ) throws(SystemError) -> [UInt8] {
    var octets: [UInt8] = []
    var room = min(limit, Int(try file.status().size)) + 1
    while true {
      let chunk = try file.readWaiting(atMost: room)
      if octets.isEmpty { octets = chunk } else { octets += chunk }
      guard octets.count <= limit else {
        throw SystemError(operation: "read", path: file.path, code: EFBIG)
      }
      guard !chunk.isEmpty else { return octets }
      room = min(64 * 1024, limit - octets.count + 1)
    }
  }
}

extension FileSystem {
  /// Whether the user may write to a file or directory, and its file system takes writes (access(2)).
  ///
  /// Only a hint: by the time of the write it may be otherwise.
  package static func isWritable(_ path: Path) -> Bool {
    path.withCString { access($0, W_OK) } == 0
  }
}
