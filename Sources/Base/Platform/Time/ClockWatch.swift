internal import CPlatform
internal import Glibc

/// Tells when the clock of the time of day is set, and when the machine was suspended.
///
/// Used by one thread at a time.
package final class ClockWatch {
  /// A descriptor that is readable when there is something to tell; to be polled, not read; -1 where nothing is told.
  package let descriptor: Int32

  /// A watch from now on; where the system does not allow it, nothing is told.
  package init() {
    descriptor = magnum_clock_events()
    expectChange()
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// Forgets what was told, and tells of the next change.
  package func expectChange() {
    if descriptor >= 0 { _ = magnum_expect_clock_change(descriptor) }
  }
}
