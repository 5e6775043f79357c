internal import CPlatform
internal import Glibc
internal import Synchronization

/// The user's wish that the program end: SIGINT, SIGTERM or SIGHUP, or a call of ``request()``.
///
/// Work in progress looks at ``isRequested`` between its steps, or polls ``descriptor`` together with its sockets,
/// leaves things in order, and the program ends with ``endProcess()``. A second signal ends it at once.
package final class Interruption: Sendable {
  /// The interruption that signals raise.
  package static let shared = Interruption()

  /// A descriptor that becomes readable once interruption is requested, and stays so.
  ///
  /// To be polled, not read; -1 if the system gave none.
  package let descriptor: Int32

  private let requested = Atomic<Bool>(false)
  private let number = Atomic<Int32>(0)

  /// An interruption that only ``request()`` raises.
  package init() {
    descriptor = magnum_event()
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = close(descriptor)
  }

  /// Whether the program shall end.
  package var isRequested: Bool { requested.load(ordering: .acquiring) }

  /// The signal that asked for it; nil if there was none.
  package var signal: Int32? {
    let number = number.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Asks for the end.
  package func request() {
    requested.store(true, ordering: .releasing)
    _ = magnum_raise_event(descriptor)
  }

  /// Makes signals raise this interruption; to be called before the first thread is started.
  ///
  /// A signal that the process was told to ignore (nohup) stays ignored.
  ///
  /// - Throws: the error of pthread_create(3).
  package func watchSignals() throws(SystemError) {
    let signals = [SIGINT, SIGTERM, SIGHUP].filter { magnum_is_signal_ignored($0) == 0 }
    guard !signals.isEmpty else { return }
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let watched = set
    _ = try Thread.spawn(name: "signals") { self.wait(for: watched) }
  }

  /// Ends the process in the way the signal would have, so that the parent sees it; without a signal, by SIGTERM.
  package func endProcess() -> Never {
    magnum_end_by_signal(signal ?? SIGTERM)
  }

  private func wait(for signals: sigset_t) {
    var signals = signals
    while true {
      var caught: Int32 = 0
      guard sigwait(&signals, &caught) == 0 else { continue }
      if signal != nil { magnum_end_by_signal(caught) }
      number.store(caught, ordering: .releasing)
      request()
    }
  }
}
