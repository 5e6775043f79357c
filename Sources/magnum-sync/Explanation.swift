internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import Terminal

/// A failure in words: where, what, what to do, and the exit status that says so to scripts.
struct Explanation {
  var place: String?
  var what: String
  var hint: String?
  var status: ExitStatus

  init(place: String?, what: String, hint: String? = nil, status: ExitStatus) {
    self.place = place
    self.what = what
    self.hint = hint
    self.status = status
  }

  init(_ error: ConfigurationError) {
    place = error.place
    what = error.message
    hint = error.remedy
    status = .configuration
  }

  init(_ mistake: Targets.Mistake) {
    place = mistake.argument
    status = .usage
    if mistake.isPlainMaildir {
      what = "this account has no server to sync with"
      hint = "set \"imap\" in its section; see magnum-config(5)"
    } else {
      what = "no such account"
      hint =
        mistake.known.isEmpty
        ? "no account has a Maildir; see \"maildir\" and \"imap\" in magnum-config(5)"
        : "the configuration has: \(mistake.known.joined(separator: ", "))"
    }
  }

  init(_ failure: SyncFailure, account: String, mailbox: String? = nil) {
    let words = SyncFailureWords(failure, account: account, mailbox: mailbox)
    place = ([account, mailbox].compactMap { $0 } + Self.message(failure)).joined(separator: "/")
    what = words.what
    hint = words.hint
    status = ExitStatus(failure)
  }

  /// The UID of the message or the name of the file that a failure is about.
  private static func message(_ failure: SyncFailure) -> [String] {
    switch failure {
    case .message(let uid, _): ["\(uid)"]
    case .file(let name, _): [Printable.text(name, limit: 255)]
    default: []
    }
  }

  var diagnostic: Diagnostic {
    Diagnostic(program: "magnum-sync", place: place, what: what, hint: hint)
  }
}
