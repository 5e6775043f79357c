import Glibc
import Platform

/// Says which scene was being played when the judge itself crashes or hangs: its runs are in its own process.
enum Mishap {
  /// After so many seconds a run hangs.
  static let timeout: UInt32 = 30

  /// What is said, for a handler of signals that may use no memory of its own.
  nonisolated(unsafe) private static let words =
    UnsafeMutablePointer<UInt8>.allocate(capacity: size)
  private static let size = 512

  /// From now on a signal that ends the process is told.
  static func watch() {
    note("nothing")
    for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM] {
      Glibc.signal(signal) { number in
        _ = write(2, Mishap.words, strlen(Mishap.words))
        Glibc.signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// What is being played.
  static func note(_ scene: String) {
    let text = "FAILED \(scene): a run crashed or hung; --apart makes each run a process\n"
    let octets = Array(text.utf8.prefix(size - 1)) + [0]
    words.update(from: octets, count: octets.count)
  }
}
