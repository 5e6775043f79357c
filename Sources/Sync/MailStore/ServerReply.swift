/// The answer of a server that does not do what it was asked for.
package struct ServerReply: Hashable, Sendable {
  /// Why it does not, as far as it says so to programs.
  package enum Cause: Hashable, Sendable {
    /// It does not understand the command, and never will.
    case notUnderstood
    /// The user has no right to it.
    case forbidden
    /// The mailbox cannot be had for now: another program holds it, or something behind the server is down.
    case unavailable
    /// Something else that may pass by itself: a limit, a full mailbox, a fault of its own, a mailbox that is not made yet.
    case passing
    /// It does not say.
    case unspecified
  }

  /// Why it does not.
  package let cause: Cause

  /// Its words for people, as it wrote them; may be empty, may hold anything, and is not fit for a terminal as it is.
  package let text: [UInt8]

  package init(_ cause: Cause, text: [UInt8] = []) {
    self.cause = cause
    self.text = text
  }
}
