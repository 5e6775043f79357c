package import MailStore
internal import Octets

/// What a server means that does not do what an entry of the spool asks for.
package enum CommandRefusal {
  /// Whether it is of no use to try again: BAD, or one NO too many that does not say that it will pass.
  ///
  /// `attempts` are those before, `limit` the number of refusals that are enough.
  package static func isFinal(_ reply: ServerReply, attempts: Int, limit: Int) -> Bool {
    switch reply.cause {
    case .notUnderstood: true
    case .unavailable, .passing: attempts >= 20
    case .forbidden, .unspecified: attempts + 1 >= limit
    }
  }

  /// The server's words.
  package static func text(_ command: MailboxCommand, _ reply: ServerReply) -> String {
    let words = reply.text.isEmpty ? "no reason given" : Printable.text(reply.text)
    return "the server refused \(command): \(words)"
  }
}
