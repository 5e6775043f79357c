internal import Glibc
internal import Octets
internal import Platform

/// The right to change an index: one process at a time has it.
final class WriterLock {
  private let lock: FileLock

  private init(_ lock: FileLock) {
    self.lock = lock
  }

  deinit {
    lock.release()
  }

  /// Waits for the right.
  ///
  /// - Parameters:
  ///   - place: the index; its directory is made if it is not there.
  ///   - wait: how many seconds at most.
  /// - Returns: the right, until nothing refers to it.
  /// - Throws: `locked` when the time is over; the error of the lock's file.
  static func acquire(_ place: IndexPlace, wait: Double) throws(IndexError) -> WriterLock {
    let deadline = Deadline.after(seconds: wait)
    do throws(SystemError) {
      try FileSystem.makeDirectories(place.directory)
      switch try FileLock.acquire(place.lock, until: deadline, pause: 0.02) {
      case .acquired(let lock):
        try Descriptor.open(place.lock, .truncate.guarded).write(all: Array("\(getpid())\n".utf8))
        return WriterLock(lock)
      case .unsupported: throw SystemError(operation: "flock", path: place.lock, code: ENOTSUP)
      case .heldByOther: break
      }
    } catch {
      throw .system(error)
    }
    throw .locked(place.lock, holder: holder(place))
  }

  private static func holder(_ place: IndexPlace) -> Int32? {
    guard let text = try? FileSystem.readFile(place.lock, limit: 100) else { return nil }
    return Int32(String(decoding: text.filter { ASCII.isDigit($0) }, as: UTF8.self))
  }
}
