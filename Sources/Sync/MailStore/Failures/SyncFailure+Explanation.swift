package import MailModel
internal import Octets

extension SyncFailure {
  /// What failed in an account, one of its mailboxes or a message there, why, and what to do about it.
  package func explanation(account: String, mailbox: String? = nil) -> Explanation {
    let words = SyncFailureWords(self, account: account, mailbox: mailbox)
    let place = [account, mailbox].compactMap { $0 } + message
    return Explanation(
      ExitStatus(self),
      place: place.joined(separator: "/"),
      words.what,
      hint: words.hint
    )
  }

  /// The UID of the message or the name of the file that the failure is about.
  private var message: [String] {
    switch self {
    case .message(let uid, _): ["\(uid)"]
    case .file(let name, _): [Printable.text(name, limit: 255)]
    default: []
    }
  }
}
