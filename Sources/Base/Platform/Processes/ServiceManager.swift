internal import CPlatform
internal import Glibc

/// Tells the service manager that started the program how it stands, where one did that wants to know: sd_notify(3), without
/// its library.
package struct ServiceManager: Sendable {
  private let socket: String?

  /// Half the seconds after which the program counts as hung if it gives no sign; nil where none is wanted.
  package let pingInterval: Double?

  /// The service manager that the environment names.
  package init() {
    socket = Environment.value("NOTIFY_SOCKET")
    let isForUs = Environment.value("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let limit = Environment.value("WATCHDOG_USEC").flatMap { Double($0) }
    pingInterval = isForUs ? limit.map { $0 / 2e6 } : nil
  }

  /// Whether there is one.
  package var isThere: Bool { socket != nil }

  /// Sends it lines such as `READY=1`; that it cannot be reached is no failure of the program.
  package func notify(_ lines: String...) {
    guard let socket else { return }
    _ = magnum_notify(socket, lines.joined(separator: "\n"))
  }
}
