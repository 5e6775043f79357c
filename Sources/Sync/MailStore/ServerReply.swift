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

/// How a server broke the protocol that it is to speak.
package struct ProtocolViolation: Hashable, Sendable {
  /// Which rule, in the words of the protocol's implementation.
  package let rule: String
  /// Whether it does not speak the protocol at all: `line` is its greeting.
  package let isOtherProtocol: Bool
  /// The beginning of the response in question, secrets cut out; empty where no line is to blame.
  ///
  /// Not fit for a terminal as it is.
  package let line: [UInt8]

  package init(rule: String, isOtherProtocol: Bool, line: [UInt8]) {
    self.rule = rule
    self.isOtherProtocol = isOtherProtocol
    self.line = line
  }
}

/// What a server wants that refuses something only for now.
///
/// Such a refusal is never taken for a failure, and at a log-in never for a wrong password.
package enum ServerLimit: Hashable, Sendable {
  /// Fewer connections at once.
  case connections
  /// A pause, of that many seconds where the server says how many.
  case pause(seconds: Int64?)
}

/// What a store asks a server for, as replies that refuse it are told.
package enum MailboxCommand: String, Hashable, Sendable, CustomStringConvertible {
  case enable = "ENABLE"
  case list = "LIST"
  case create = "CREATE"
  case delete = "DELETE"
  case select = "SELECT"
  case examine = "EXAMINE"
  case search = "UID SEARCH"
  case fetch = "UID FETCH"
  case store = "STORE"
  case expunge = "EXPUNGE"
  case copy = "COPY"
  case move = "MOVE"
  case append = "APPEND"

  /// The word of IMAP for it.
  package var description: String { rawValue }

  /// Whether it opens a mailbox.
  package var opensMailbox: Bool { self == .select || self == .examine }
}
