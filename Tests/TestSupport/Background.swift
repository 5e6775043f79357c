import Glibc
import Synchronization

/// A thread of its own for a blocking helper, so that it never holds one of the few that run the tests.
package final class Background: Sendable {
  private let thread: pthread_t
  private let isJoined = Atomic<Bool>(false)

  /// Starts the thread.
  package init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Body(run: body))
    let code = pthread_create(
      &thread,
      nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      box.toOpaque()
    )
    precondition(code == 0, "no thread for a test helper")
    self.thread = thread
  }

  /// Of a thread that nobody joins, what it used is given back when it ends.
  deinit {
    if !isJoined.load(ordering: .relaxed) { pthread_detach(thread) }
  }

  /// Waits until the thread has ended; call it once at most.
  package func join() {
    isJoined.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

/// Time as tests need it.
package enum Stopwatch {
  /// Seconds on a clock that never goes back.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Blocks the calling thread.
  package static func sleep(_ seconds: Double) {
    usleep(UInt32(max(0, seconds) * 1e6))
  }

  /// Asks every few milliseconds until it is so; false when the time ran out.
  package static func wait(upTo seconds: Double, until isSo: () -> Bool) -> Bool {
    let end = now() + seconds
    while !isSo() {
      if now() > end { return false }
      sleep(0.005)
    }
    return true
  }
}
