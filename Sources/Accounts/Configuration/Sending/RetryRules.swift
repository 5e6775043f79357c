package import MailModel

/// What an account says about trying again; nil where it says nothing.
package struct RetryRules: Hashable, Sendable {
  /// Seconds to wait after the first attempt, the second, …; never empty, each from 1 s to 7 d.
  package var delays: [Int64]?

  /// Seconds for which it is tried while the server can be reached.
  package var lifetime: Int64?

  /// What becomes of a message that the server may have or not.
  package var uncertain: UncertainDelivery?

  /// Nothing said.
  package init() {}
}
