import Glibc
import Synchronization

/// Keeps descriptors of one helper out of processes that another one starts.
///
/// Glibc hides `pipe2` and `accept4`, so close-on-exec is set a moment after a descriptor is made; no process
/// may be started in between.
package enum Spawning {
  private static let lock = Mutex(())

  // TIOCGPTN and TIOCSPTLCK of <asm-generic/ioctls.h>, macros that Swift does not see.
  private static let numberOfTerminal: UInt = 0x8004_5430
  private static let unlockTerminal: UInt = 0x4004_5431

  /// Runs `body` while no process is being started.
  package static func withoutSpawns<R>(_ body: () throws -> R) rethrows -> R {
    try lock.withLock { _ in try body() }
  }

  /// A pipe, both ends closed on exec.
  ///
  /// - Throws: `HarnessError` when the process has too many descriptors.
  package static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    return try withoutSpawns {
      guard Glibc.pipe(&ends) == 0 else { throw HarnessError(call: "pipe", code: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }
  }

  /// A pseudo-terminal of 100 columns, both ends closed on exec.
  ///
  /// - Throws: `HarnessError` when the system has none.
  static func terminal(columns: UInt16 = 100) throws -> (master: Int32, slave: Int32) {
    try withoutSpawns {
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var number: Int32 = 0
      var unlocked: Int32 = 0
      guard master >= 0, ioctl(master, numberOfTerminal, &number) == 0,
        ioctl(master, unlockTerminal, &unlocked) == 0
      else { throw HarnessError(call: "open /dev/ptmx", code: errno) }
      let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      guard slave >= 0 else { throw HarnessError(call: "open terminal", code: errno) }
      for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var size = winsize(ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
      return (master, slave)
    }
  }
}
