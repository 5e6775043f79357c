internal import CommandLine
internal import Octets
internal import Outgoing
internal import SyncEngine
internal import Terminal

extension Explanation {
  /// What failed: an account, one of its mailboxes, or a message there.
  init(_ failure: SyncFailure, account: String, mailbox: String? = nil) {
    let words = SyncFailureWords(failure, account: account, mailbox: mailbox)
    let place = [account, mailbox].compactMap { $0 } + Self.message(failure)
    self.init(
      ExitStatus(failure),
      place: place.joined(separator: "/"),
      words.what,
      hint: words.hint
    )
  }

  /// The UID of the message or the name of the file that a failure is about.
  private static func message(_ failure: SyncFailure) -> [String] {
    switch failure {
    case .message(let uid, _): ["\(uid)"]
    case .file(let name, _): [Printable.text(name, limit: 255)]
    default: []
    }
  }

  /// The message to print during a run, beside progress.
  var diagnostic: Diagnostic {
    Diagnostic(program: "magnum-sync", place: place, what: what, hint: hint)
  }
}
