internal import IMAP
internal import Octets

/// What a server means that does not take a message into a mailbox.
enum AppendRefusal {
  /// Whether it is of no use to try again: BAD, or a second NO that does not say that it will pass.
  static func isFinal(_ response: StatusResponse, attempts: Int) -> Bool {
    guard response.kind == .no else { return true }
    switch response.code {
    case .unavailable, .inUse, .limit, .overQuota, .serverBug, .tryCreate: return attempts >= 20
    default: return attempts >= 1
    }
  }

  /// The server's words.
  static func text(_ response: StatusResponse) -> String {
    let words = response.text.isEmpty ? "no reason given" : Printable.text(response.text)
    return "the server refused APPEND: \(words)"
  }
}
