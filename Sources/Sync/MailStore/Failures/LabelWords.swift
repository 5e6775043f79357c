internal import MailModel
internal import Octets
internal import Platform

/// Why labels cannot be tags, in words.
struct LabelWords {
  /// What is wrong, and what to do about it.
  let words: (what: String, hint: String?)

  init(_ problem: LabelProblem, account: String) {
    words =
      switch problem {
      case .notOffered:
        (
          "labels cannot be tags: the server has no labels",
          "remove labels = \"tags\" from [account.\(account)]"
        )
      case .lost:
        (
          "nothing is pushed: the server no longer has labels; tags stay as they are",
          "once it has labels again, run: magnum accounts test --labels \(account)"
        )
      case .hidden(let roles):
        (
          "labels cannot be tags: the server does not list \(Self.names(of: roles))",
          "in the settings of Gmail, under Labels, set \"Show in IMAP\" for All Mail, Trash and Spam"
        )
      case .untested:
        (
          "nothing is pushed: it was not tested whether the server takes changes of labels",
          "run: magnum accounts test --labels \(account)"
        )
      case .failed(let fact):
        (
          "nothing is pushed: in the test of labels, \(Printable.text(fact, limit: 200))",
          "run: magnum accounts test --labels \(account)"
        )
      case .otherStyle(let root, let style):
        (
          "\(root.display) was synced with labels = \"\(style.rawValue)\"",
          "set labels = \"\(style.rawValue)\", or set a new maildir, and run: "
            + "magnum accounts relabel \(account) --from \(ShellWord.quoted(root.display))"
        )
      }
  }

  private static func names(of roles: [MailboxRole]) -> String {
    roles.map { role in
      switch role {
      case .trash: "Trash"
      case .junk: "Spam"
      default: "All Mail"
      }
    }.joined(separator: ", ")
  }
}
