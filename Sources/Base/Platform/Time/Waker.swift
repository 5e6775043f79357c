internal import CPlatform
internal import Glibc

/// Ends a wait of another thread.
///
/// A wake-up that comes while nothing waits is kept for the next wait.
package final class Waker: Sendable {
  /// A descriptor that is readable while a wake-up is kept; to be polled, not read; -1 if the system gave none.
  package let descriptor: Int32

  /// A waker without a wake-up.
  package init() {
    descriptor = magnum_event()
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = close(descriptor)
  }

  /// Wakes; may be called from any thread.
  package func wake() {
    _ = magnum_raise_event(descriptor)
  }

  /// Forgets the wake-ups so far; gives whether there were any.
  @discardableResult
  package func clear() -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, MemoryLayout<UInt64>.size) > 0
  }

  /// Waits for a wake-up, the deadline, or the end of the program, whichever comes first; the wake-up is kept.
  package func wait(until deadline: Deadline, interruption: Interruption?) {
    while interruption?.isRequested != true, !deadline.isPast {
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&polled, nfds_t(polled.count), deadline.pollMilliseconds) > 0 { return }
    }
  }
}
