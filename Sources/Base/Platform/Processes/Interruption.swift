internal import CPlatform
internal import Glibc
internal import Synchronization

/// The user's wish that the program end: SIGINT, SIGTERM or SIGHUP, or a call of ``request()``.
///
/// Work in progress looks at ``isRequested`` between its steps, or polls ``descriptor`` together with its sockets,
/// leaves things in order, and the program ends with ``endProcess()``. A second signal ends it at once, but not while
/// ``ProcessEnd`` is postponed; as the signal does, or with the status of ``setEndStatus(_:)``.
package final class Interruption: Sendable {
  /// The interruption that signals raise.
  package static let shared = Interruption()

  /// A descriptor that becomes readable once interruption is requested, and stays so.
  ///
  /// To be polled, not read; -1 if the system gave none.
  package let descriptor: Int32

  private let requested = Atomic<Bool>(false)
  private let isWatching = Atomic<Bool>(false)

  /// An interruption that only ``request()`` raises.
  package init() {
    descriptor = magnum_event()
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = close(descriptor)
  }

  /// Whether the program shall end.
  package var isRequested: Bool { requested.load(ordering: .acquiring) || signal != nil }

  /// The signal that asked for it; nil if there was none.
  package var signal: Int32? {
    guard isWatching.load(ordering: .acquiring) else { return nil }
    let number = magnum_caught_signal()
    return number == 0 ? nil : number
  }

  /// Asks for the end.
  package func request() {
    requested.store(true, ordering: .releasing)
    _ = magnum_raise_event(descriptor)
  }

  /// Stops work on a file that is only of use as a whole, so that it can be removed.
  ///
  /// - Throws: EINTR once the program shall end.
  package func check(_ operation: String, _ path: Path) throws(SystemError) {
    guard isRequested else { return }
    throw SystemError(operation: operation, path: path, code: EINTR)
  }

  /// Makes SIGINT, SIGTERM and SIGHUP raise this interruption instead of ending the process.
  ///
  /// A signal that the process was told to ignore (nohup) stays ignored. Signals are the whole process's: of several
  /// interruptions, the last one to watch gets them. Calls that wait may fail with EINTR.
  ///
  /// - Parameters:
  ///   - besidesHangUp: whether SIGHUP is left as it is.
  ///   - withRareOnes: whether all others are watched, too, by which people and systems end a process: SIGQUIT, SIGALRM,
  ///     SIGXCPU, SIGUSR1 and SIGUSR2.
  package func watchSignals(besidesHangUp: Bool = false, withRareOnes: Bool = false) {
    isWatching.store(true, ordering: .releasing)
    var signals = [SIGINT, SIGTERM]
    if !besidesHangUp { signals.append(SIGHUP) }
    if withRareOnes { signals += [SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2] }
    for signal in signals { magnum_watch_signal(signal, descriptor) }
  }

  /// From now on a second signal ends the process with this status: what the caller asked for is done, whatever is under way
  /// yet.
  package func setEndStatus(_ status: Int32) {
    magnum_set_end_status(status)
  }

  /// Ends the process in the way the signal would have, so that the parent sees it; without a signal, by SIGTERM.
  ///
  /// Waits for what postpones the end.
  package func endProcess() -> Never {
    ProcessEnd.begin()
    magnum_end_by_signal(signal ?? SIGTERM)
  }
}

extension Interruption {
  /// Waits for so many seconds, or until the program shall end.
  ///
  /// - Returns: whether the time passed undisturbed.
  package func sleep(seconds: Double) -> Bool {
    let deadline = Deadline.after(seconds: seconds)
    while !isRequested, !deadline.isPast {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&request, 1, deadline.pollMilliseconds)
    }
    return !isRequested
  }
}

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
