internal import CPlatform
internal import Glibc

/// What the process does about signals besides ``Interruption``.
package enum Signals {
  /// From now on, writing to a pipe or socket without a reader fails with EPIPE and does not end the process.
  package static func ignoreBrokenPipe() {
    magnum_ignore_signal(SIGPIPE)
  }

  /// From now on, writing beyond the limit of the size of files fails with EFBIG and does not end the process.
  package static func ignoreFileSizeLimit() {
    magnum_ignore_signal(SIGXFSZ)
  }

  /// From now on SIGHUP wakes, and does nothing else.
  package static func reportHangUps(to waker: Waker) {
    magnum_report_signal(SIGHUP, waker.descriptor)
  }
}
