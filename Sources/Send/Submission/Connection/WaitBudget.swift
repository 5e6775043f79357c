internal import Platform
internal import SMTP

/// How long a run over a queue waits in all for a slow server.
///
/// Without it, a server that takes nearly all its time for each reply, or for each piece of a message, could delay the run for
/// hours.
///
/// What takes no longer than with usual servers costs nothing, however often it comes.
package final class WaitBudget: Sendable {
  /// The octets of a message that the slowest of usual ways takes in a second.
  private static let pace = 1024.0

  private let left: Monitor<Double>

  /// So many seconds beyond the usual ones.
  package init(seconds: Double) {
    left = Monitor(seconds)
  }

  /// Whether there is none left, so that nothing more is to be begun.
  package var isUsedUp: Bool { left.withLock { $0 <= 0 } }

  /// The most seconds to wait for a step now.
  func limit(of step: Step) -> Double {
    Self.usual(step) + left.withLock { max(0, $0) }
  }

  /// Takes what a step has cost in which so many octets of a message were sent.
  func spend(_ seconds: Double, on step: Step, sending count: Int = 0) {
    let usual = Self.usual(step) + Double(count) / Self.pace
    left.withLock { $0 -= max(0, seconds - usual) }
  }

  /// The seconds that a step may take with servers that check what they take, or make strangers wait.
  private static func usual(_ step: Step) -> Double {
    switch step {
    case .greeting: 10
    case .recipient: 20
    case .endOfData: 30
    case .hello, .startTLS, .authentication, .sender, .data, .message, .reset, .noop, .quit: 5
    }
  }
}
