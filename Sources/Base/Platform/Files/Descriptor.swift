internal import CPlatform
internal import Glibc

/// An open file; closed when its owner lets go of it.
package struct Descriptor: ~Copyable, Sendable {
  /// The number, for calls that this type does not wrap; -1 after ``close()`` or ``release()``.
  package private(set) var raw: Int32

  /// The file, for error messages.
  package let path: Path?

  /// Takes over a number from elsewhere.
  package init(adopting raw: Int32, path: Path? = nil) {
    self.raw = raw
    self.path = path
  }

  deinit {
    guard raw >= 0 else { return }
    _ = Glibc.close(raw)
  }

  /// Opens a file; the one way to do that.
  ///
  /// - Throws: the error of open(2); ``SystemError/isNotAFile`` where something else than the mode allows lies there.
  package static func open(_ path: Path, _ mode: OpenMode) throws(SystemError) -> Descriptor {
    let lease = Deadline.after(seconds: mode.isGuarded ? 0 : leaseLimit)
    while true {
      do throws(SystemError) {
        let file = try call(path, mode)
        try check(file, path, mode)
        return file
      } catch {
        // Another program has a lease on the file, such as a file server, and gives it back within this time.
        guard error.code == EWOULDBLOCK, !lease.isPast else { throw error }
        usleep(20_000)
      }
    }
  }

  /// Seconds after which the kernel takes a lease away (fcntl(2)).
  private static let leaseLimit = 50.0

  private static func call(_ path: Path, _ mode: OpenMode) throws(SystemError) -> Descriptor {
    let call = { (name: UnsafePointer<CChar>) in
      Glibc.open(name, mode.flags | O_CLOEXEC | O_NOCTTY, mode_t(mode.permissions))
    }
    let raw =
      mode.isChanging
      ? try SystemCall.change("open", at: path, call)
      : try SystemCall.read("open", at: path, call)
    return Descriptor(adopting: raw, path: path)
  }

  private static func check(
    _ file: borrowing Descriptor,
    _ path: Path,
    _ mode: OpenMode
  ) throws(SystemError) {
    guard mode.kind == .regular, !mode.isExclusive else { return }
    switch try file.status().kind {
    case .regular: break
    case .directory: throw SystemError(operation: "open", path: path, code: EISDIR)
    case .symbolicLink, .other: throw SystemError(notAFile: path)
    }
  }

  /// Reads what comes next, at most as much as fits; a sign of life of the work of this thread.
  ///
  /// - Returns: the number of octets read; 0 at the end of the file.
  /// - Throws: the error of read(2).
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    Heartbeat.give()
    return try SystemCall.read("read", path) { Glibc.read(raw, buffer.baseAddress, buffer.count) }
  }

  /// Reads what comes next.
  ///
  /// - Returns: at most so many octets; none at the end of the file.
  /// - Throws: the error of read(2).
  package func read(atMost limit: Int) throws(SystemError) -> [UInt8] {
    try octets(limit) { (buffer) throws(SystemError) in try read(into: buffer) }
  }

  /// The same, which is waited for also where another program has left the other end of a pipe, or the terminal, such that reads
  /// do not wait.
  package func readWaiting(atMost limit: Int) throws(SystemError) -> [UInt8] {
    while true {
      do throws(SystemError) {
        return try read(atMost: limit)
      } catch {
        guard error.code == EAGAIN else { throw error }
        var request = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      }
    }
  }

  /// Reads at a position.
  ///
  /// - Returns: at most so many octets; none at the end of the file.
  /// - Throws: the error of pread(2).
  package func read(atMost limit: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    try octets(limit) { (buffer) throws(SystemError) in try read(into: buffer, at: offset) }
  }

  /// Reads at a position, and leaves the position of the descriptor as it is; a sign of life as well.
  ///
  /// - Returns: the number of octets read; 0 at the end of the file.
  /// - Throws: the error of pread(2).
  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) -> Int {
    Heartbeat.give()
    return try SystemCall.read("pread", path) {
      pread(raw, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  /// Lends what comes next piece by piece, to the end of the file, each in the same memory.
  ///
  /// - Throws: the error of read(2).
  package func readPieces(_ body: (UnsafeRawBufferPointer) -> Void) throws(SystemError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = try read(into: buffer)
      guard count > 0 else { return }
      body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Writes all octets; not durable before ``synchronise()``.
  ///
  /// - Throws: the error of write(2); an unknown part of the octets may have been written then.
  package func write(all octets: UnsafeRawBufferPointer) throws(SystemError) {
    FaultPoint.pass("write before")
    #if FAULT_POINTS
    let half = octets.count / 2
    try writeRest(UnsafeRawBufferPointer(rebasing: octets[..<half]))
    try failIfAsked()
    FaultPoint.pass("write half done")
    try writeRest(UnsafeRawBufferPointer(rebasing: octets[half...]))
    #else
    try writeRest(octets)
    #endif
    FaultPoint.pass("write after")
  }

  /// Writes all octets; not durable before ``synchronise()``.
  ///
  /// - Throws: the error of write(2); an unknown part of the octets may have been written then.
  package func write(all octets: [UInt8]) throws(SystemError) {
    try write(all: octets[...])
  }

  /// Writes all octets; not durable before ``synchronise()``.
  ///
  /// - Throws: the error of write(2); an unknown part of the octets may have been written then.
  package func write(all octets: ArraySlice<UInt8>) throws(SystemError) {
    try octets.withUnsafeBufferPointer { (buffer) throws(SystemError) in
      try write(all: UnsafeRawBufferPointer(buffer))
    }
  }

  /// Makes content and attributes durable (fsync); of a directory, its names.
  ///
  /// - Throws: the error of fsync(2).
  package func synchronise() throws(SystemError) {
    try SystemCall.change("fsync", path) { fsync(raw) }
  }

  /// Makes room on the disk for so many octets behind the end of the file, whose length stays, where the file system can.
  ///
  /// - Throws: the error of fallocate(2), such as ENOSPC.
  package func reserve(_ count: Int64) throws(SystemError) {
    let end = try status().size
    do throws(SystemError) {
      try SystemCall.change("fallocate", path) { magnum_reserve(raw, Int(end), Int(count)) }
    } catch {
      guard [EOPNOTSUPP, ENOSYS, EINVAL].contains(error.code) else { throw error }
    }
  }

  /// Makes content and length durable (fdatasync).
  ///
  /// - Throws: the error of fdatasync(2).
  package func synchroniseData() throws(SystemError) {
    try SystemCall.change("fdatasync", path) { fdatasync(raw) }
  }

  /// Has the system begin to write the file's content, so that a later `synchronise` has less to do.
  ///
  /// Nothing is durable by this, and a failure loses nothing.
  package func beginWriteback() {
    _ = magnum_begin_writeback(raw)
  }

  /// Makes the whole file system that holds this file durable (syncfs).
  ///
  /// - Throws: the error of syncfs(2).
  package func synchroniseFileSystem() throws(SystemError) {
    try SystemCall.change("syncfs", path) { magnum_syncfs(raw) }
  }

  /// What the system knows about the file.
  ///
  /// - Throws: the error of fstat(2).
  package func status() throws(SystemError) -> FileStatus {
    var result = stat()
    _ = try SystemCall.read("fstat", path) { fstat(raw, &result) }
    return FileStatus(result)
  }

  /// Sets the permission bits, whatever the umask is.
  ///
  /// - Throws: the error of fchmod(2).
  package func setMode(_ mode: UInt32) throws(SystemError) {
    try SystemCall.change("fchmod", path) { fchmod(raw, mode_t(mode)) }
  }

  /// Cuts the file, or fills it with NUL, to this many octets.
  ///
  /// - Throws: the error of ftruncate(2).
  package func truncate(to size: Int64) throws(SystemError) {
    try SystemCall.change("ftruncate", path) { ftruncate(raw, off_t(size)) }
  }

  /// Sets the times of last access and change, in seconds since 1970.
  ///
  /// - Throws: the error of futimens(2).
  package func setTimes(_ seconds: Int64) throws(SystemError) {
    let times = Array(repeating: timespec(tv_sec: Int(seconds), tv_nsec: 0), count: 2)
    try SystemCall.change("futimens", path) { futimens(raw, times) }
  }

  /// Sets the time of the last change to the present, to the nanosecond where the file system has them.
  ///
  /// - Throws: the error of futimens(2).
  package func touch() throws(SystemError) {
    try SystemCall.change("futimens", path) { futimens(raw, nil) }
  }

  /// A descriptor of the same open file.
  ///
  /// - Throws: the error of fcntl(2).
  package func duplicate() throws(SystemError) -> Descriptor {
    let number = try SystemCall.read("fcntl", path) { fcntl(raw, F_DUPFD_CLOEXEC, 0) }
    return Descriptor(adopting: number, path: path)
  }

  /// Closes the file and reports what only closing tells (a full disk over NFS).
  ///
  /// - Throws: the error of close(2); the descriptor is gone all the same.
  package consuming func close() throws(SystemError) {
    let number = raw
    raw = -1
    guard Glibc.close(number) == -1, errno != EINTR else { return }
    throw SystemCall.failure("close", path)
  }

  /// Hands the number over to a new owner, who has to close it.
  package consuming func release() -> Int32 {
    let number = raw
    raw = -1
    return number
  }

  /// Carries a typed error through an initialiser that knows only untyped ones.
  private func octets(
    _ limit: Int,
    _ fill: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) -> [UInt8] {
    var problem: SystemError?
    let octets = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(SystemError) {
        count = try fill(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: limit))
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return octets
  }

  private func writeRest(_ octets: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = octets[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = try SystemCall.read("write", path) {
        Glibc.write(raw, part.baseAddress, part.count)
      }
      rest = rest.dropFirst(count)
    }
  }

  #if FAULT_POINTS
  /// A disk that fills up takes part of a write before it refuses the rest.
  private func failIfAsked() throws(SystemError) {
    guard let code = FaultPoint.injectedError() else { return }
    throw SystemError(operation: "write", path: path, code: code)
  }
  #endif
}
