internal import CPlatform
internal import Glibc
internal import Synchronization

/// A lock that one process at a time can hold; the kernel drops it when the process ends, however it ends.
package final class FileLock: Sendable {
  /// What came of asking for a lock.
  package enum Outcome: Sendable {
    /// The lock is ours until ``FileLock/release()``, or until nothing refers to it.
    case acquired(FileLock)

    /// Another process, or another lock object of this one, holds it.
    case heldByOther

    /// The file system cannot lock.
    case unsupported
  }

  private let descriptor: Atomic<Int32>

  private init(_ descriptor: consuming Descriptor) {
    self.descriptor = Atomic(descriptor.release())
  }

  deinit { release() }

  /// Asks for the lock on a file, which is made (mode 0600) if it is not there; does not wait.
  ///
  /// - Throws: the error of open(2); ELOOP where a symbolic link is in its place.
  package static func acquire(_ path: Path) throws(SystemError) -> Outcome {
    acquire(try Descriptor.open(path, .readWrite.guarded))
  }

  /// The same, asked again and again while another one holds it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - deadline: when to give up.
  ///   - pause: seconds between two looks.
  ///   - interruption: ends the wait.
  /// - Returns: the outcome of the last look; that another one holds it also where the wait was interrupted.
  /// - Throws: the error of open(2); ELOOP where a symbolic link is in its place.
  package static func acquire(
    _ path: Path,
    until deadline: Deadline,
    pause: Double,
    interruption: Interruption = .shared
  ) throws(SystemError) -> Outcome {
    while true {
      let outcome = try acquire(path)
      guard case .heldByOther = outcome, !deadline.isPast else { return outcome }
      guard interruption.sleep(seconds: min(pause, deadline.remaining)) else { return outcome }
    }
  }

  /// The same for a file that is there.
  package static func acquire(existing path: Path) throws(SystemError) -> Outcome {
    acquire(try Descriptor.open(path, .read))
  }

  /// The same for a file that is open.
  ///
  /// Shares of NFS lock only what is open for writing.
  package static func acquire(_ file: consuming Descriptor) -> Outcome {
    let raw = file.raw
    do throws(SystemError) {
      _ = try SystemCall.read("flock", nil) { magnum_lock_exclusively(raw) }
    } catch {
      return error.code == EWOULDBLOCK ? .heldByOther : .unsupported
    }
    return .acquired(FileLock(file))
  }

  /// Whether another program has locked a file for writing as fcntl(2) does it; false where the file system cannot tell.
  package static func isHeldByOther(_ file: borrowing Descriptor) -> Bool {
    var request = Glibc.flock()
    request.l_type = Int16(F_RDLCK)
    request.l_whence = Int16(SEEK_SET)
    return fcntl(file.raw, F_GETLK, &request) == 0 && request.l_type != Int16(F_UNLCK)
  }

  /// Gives the lock back; a second call does nothing.
  package func release() {
    let raw = descriptor.exchange(-1, ordering: .relaxed)
    guard raw >= 0 else { return }
    // Not by closing alone: between fork and exec a child has a copy, and would keep the lock for that moment.
    _ = magnum_unlock(raw)
    _ = close(raw)
  }
}
