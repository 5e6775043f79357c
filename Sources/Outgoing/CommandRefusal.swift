internal import IMAP
internal import Octets

/// What a server means that does not do what an entry of the spool asks for.
enum CommandRefusal {
  /// Whether it is of no use to try again: BAD, or one NO too many that does not say that it will pass.
  ///
  /// `attempts` are those before, `limit` the number of refusals that are enough.
  static func isFinal(_ response: StatusResponse, attempts: Int, limit: Int) -> Bool {
    guard response.kind == .no else { return true }
    switch response.code {
    case .unavailable, .inUse, .limit, .overQuota, .serverBug, .tryCreate: return attempts >= 20
    default: return attempts + 1 >= limit
    }
  }

  /// The server's words.
  static func text(_ command: String, _ response: StatusResponse) -> String {
    let words = response.text.isEmpty ? "no reason given" : Printable.text(response.text)
    return "the server refused \(command): \(words)"
  }
}
