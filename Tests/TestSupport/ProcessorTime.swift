import Glibc

/// The processor's time of the calling thread, so that others who work on the machine do not count.
package enum ProcessorTime {
  /// What some work takes, which does not leave its thread.
  package static func measure(_ work: () throws -> Void) rethrows -> Duration {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
