/// What an account says about trying again; nil where it says nothing.
package struct RetryRules: Hashable, Sendable {
  /// What becomes of a message that the server may have or not.
  package enum Uncertain: String, Hashable, Sendable, CaseIterable {
    /// It is sent again.
    case resend
    /// It waits for a person.
    case hold
  }

  /// Seconds to wait after the first attempt, the second, …; never empty, each from 1 s to 7 d.
  package var delays: [Int64]?

  /// Seconds for which it is tried while the server can be reached.
  package var lifetime: Int64?

  /// What becomes of a message that the server may have or not.
  package var uncertain: Uncertain?

  /// Nothing said.
  package init() {}
}
