import Glibc
import Synchronization

/// The end of a child process, which a thread waits for: it is reaped when it ends, not when somebody asks.
///
/// Swift Testing waits for the children of its exit tests in a loop that never sleeps as long as any other child has ended and
/// is not reaped.
final class ChildEnd: Sendable {
  private let identifier: Int32
  private let startedAt = Stopwatch.now()
  private let ending = Mutex<(status: Int32, seconds: Double)?>(nil)
  /// A pipe into which nobody writes: its other end is closed when the process has ended.
  private let event: Int32

  /// Begins to wait for a process that has just been started.
  ///
  /// - Throws: `HarnessError` when this process has too many descriptors.
  init(of identifier: Int32) throws {
    self.identifier = identifier
    let (event, end) = try Spawning.pipe()
    self.event = event
    _ = Background { [self] in
      reap()
      close(end)
    }
  }

  deinit { close(event) }

  /// The status of waitpid(2) and the seconds since the start; nil as long as the process runs.
  var result: (status: Int32, seconds: Double)? { ending.withLock { $0 } }

  /// Waits until the process has ended; false when the time ran out.
  func wait(upTo seconds: Double) -> Bool {
    Loopback.isReady(event, POLLIN, seconds: seconds)
  }

  /// Waits until something can be read; false when the process has ended and nothing came for a moment.
  func waitForInput(_ descriptor: Int32) -> Bool {
    var entries = [descriptor, event].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let count = poll(&entries, 2, -1)
      if count < 0, errno == EINTR { continue }
      if entries[0].revents != 0 { return true }
      return Loopback.isReady(descriptor, POLLIN, seconds: 0.2)
    }
  }

  /// Sends a signal; nothing happens once the process has ended.
  func signal(_ number: Int32) {
    ending.withLock { if $0 == nil { kill(identifier, number) } }
  }

  /// The process keeps its number until nobody can send it a signal any more.
  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    ending.withLock { ending in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      ending = (status, Stopwatch.now() - startedAt)
    }
  }
}
