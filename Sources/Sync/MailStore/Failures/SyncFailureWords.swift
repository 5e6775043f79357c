internal import Configuration
internal import Glibc
internal import Login
internal import Octets
internal import Platform

/// What a failure of the engine is called, and what to do about it: the one place that makes text of it.
package struct SyncFailureWords {
  /// What happened.
  package let what: String
  /// What to do about it; nil where nothing can be advised.
  package let hint: String?

  /// The words for a failure of an account, or of one of its mailboxes.
  package init(_ failure: SyncFailure, account: String, mailbox: String? = nil) {
    (what, hint) = Self.words(failure, account, mailbox)
  }

  private typealias Words = (what: String, hint: String?)

  private static func words(_ failure: SyncFailure, _ account: String, _ mailbox: String?) -> Words
  {
    switch failure {
    case .transport(let error): TransportWords(.imap).words(error)
    case .protocolViolation(let violation) where violation.isOtherProtocol:
      (
        "this is not an IMAP server; its greeting: \(Printable.text(violation.line))",
        "check host and port in the configuration"
      )
    case .protocolViolation(let violation):
      ("the server broke the protocol: \(text(violation))", "run again with --trace to see more")
    case .hungUp(let response): ("the server closed the connection: \(text(response))", nil)
    case .greetingRefused(let response):
      ("the server refused the connection: \(text(response))", nil)
    case .startTLSUnavailable(let response): startTLS(response)
    case .authenticationExchange(let error): SASLWords.words(error)
    case .secret(let error): (error.message, error.hint)
    case .secretRefused(let response, let secret):
      (
        "the server refused \(secret.name): \(text(response))",
        secret.remedy(text(response), then: "magnum-sync \(account)")
      )
    case .secretRefusedBefore(let time, let secret):
      (
        "not tried: the server refused \(secret.name) \(ago(time))",
        secret.remedy(nil, then: "magnum-sync \(account)")
      )
    case .notNow(let response, let limit, let until):
      (notNow(limit, until) + ": \(text(response))", pauseHint(account))
    case .pausing(let until, let reason):
      (
        "not connecting: the server asked to wait another \(distance(until)): "
          + Printable.text(reason),
        pauseHint(account)
      )
    case .loginsUsedUp(let until):
      ("not connected again: too many logins in an hour, the next in \(distance(until))", nil)
    case .identityWanted(let response):
      ("the server serves only programs that identify themselves: \(text(response))", nil)
    case .commandRefused(let command, let response):
      ("the server refused \(command): \(text(response))", nil)
    case .system(let error): (error.description, systemHint(error))
    case .locked(let path):
      ("another sync of this account is running", "its lock is \(path.display)")
    case .lockUnsupported(let path):
      (
        "the file system cannot lock \(path.display)",
        "keep the mail on a local disk, or on a network file system with locks"
      )
    case .rootMissing(let root, let remembered): rootMissing(root, remembered)
    case .otherOrigin(let file, [], _):
      (
        "\(file.display) is damaged: cannot tell which account this folder belongs to",
        "if that is the folder of this account, remove the file"
      )
    case .otherOrigin(let file, let mirrored, let configured):
      (
        "this folder belongs to \(Printable.text(mirrored)), not \(Printable.text(configured))",
        "choose a new maildir; if both are the same mailboxes, remove \(file.display)"
      )
    case .layoutChanged(let root):
      (
        "\(root.display) was synced with the other layout",
        "set layout back, or choose a new maildir for this account"
      )
    case .labels(let problem): LabelWords(problem, account: account).words
    case .newerState(let file):
      (
        "\(file.display) was written by a newer version of Magnum",
        "use that version; with this one, start over with another maildir"
      )
    case .message(_, let problem): message(problem)
    case .file(_, let problem): file(problem)
    case .nothingToMirror(let reason): nothing(reason, account)
    case .unknownName(let name): (name.what, name.hint(account))
    case .mailbox(let problem): MailboxWords(problem, account: account, mailbox: mailbox).words
    case .hook(let status): ("post-sync \(status.words)", nil)
    case .interrupted: ("interrupted; all that was done is kept", nil)
    }
  }

  private static func text(_ response: ServerReply) -> String {
    response.text.isEmpty ? "no reason given" : Printable.text(response.text)
  }

  private static func notNow(_ limit: ServerLimit, _ until: Int64?) -> String {
    let what =
      switch limit {
      case .connections: "the server allows no more connections now"
      case .pause: "the server is temporarily unavailable for this account"
      }
    return until.map { "\(what), not tried again for \(distance($0))" } ?? what
  }

  private static func pauseHint(_ account: String) -> String? {
    account.isEmpty ? nil : "nothing is lost; to try at once, run: magnum-sync \(account)"
  }

  private static func text(_ violation: ProtocolViolation) -> String {
    violation.line.isEmpty
      ? violation.rule : "\(violation.rule): \(Printable.text(violation.line))"
  }

  private static func startTLS(_ response: ServerReply?) -> Words {
    let reason = response.map { ": \(text($0))" } ?? ""
    return (
      "the server does not offer STARTTLS\(reason)",
      "if it has a port for TLS, write imap = \"imaps://…\""
    )
  }

  private static func rootMissing(_ root: Path, _ remembered: Path) -> Words {
    (
      "\(root.display) is not the folder that was synced before",
      "is a disk not mounted? To start over in this folder, remove \(remembered.display)"
    )
  }

  private static func nothing(_ reason: NothingToMirror, _ account: String) -> Words {
    switch reason {
    case .noMailbox: ("the server has no mailbox that holds messages", nil)
    case .excluded:
      (
        "nothing is synced: include and exclude leave out all mailboxes",
        "see the names of all with: magnum-sync --list-mailboxes \(account)"
      )
    case .noFolder:
      (
        "nothing is synced: no mailbox has a folder here, and create makes none",
        "set create = \"both\" or \"local\", or make the folders"
      )
    }
  }

  private static func systemHint(_ error: SystemError) -> String? {
    if error.isOutOfSpace { return "make room and run again: all that was fetched is kept" }
    // Neither links nor renames that replace nothing.
    if error.operation == "link", error.code == EPERM {
      return "the file system has no hard links, which this needs: keep the Maildir on another one"
    }
    return nil
  }

  private static func message(_ problem: MessageProblem) -> Words {
    switch problem {
    case .notGiven(let response):
      let reason = response.map { ": \(text($0))" } ?? ""
      return ("the server lists this message but does not return it\(reason)", nil)
    case .containsNUL:
      return ("skipped: contains a NUL byte, which is not allowed in mail", nil)
    case .nameTaken(let path):
      return ("another file has this name; the message was left in \(path.display)", nil)
    case .refused(let command, let response):
      return ("the server refused \(command): \(text(response))", nil)
    case .ignored(let command):
      return (
        "the server accepted \(command) but still has the message",
        "in a shared mailbox, ask its owner for the right to delete messages; each run tries again"
      )
    case .copyNotFound(let name):
      return (
        "the server accepted its move to \(name), where it is not found; it is not sent again",
        "look for it with another client, and remove the message or its copy there"
      )
    case .otherMessage:
      return ("attachments not fetched: the message on the server has changed", nil)
    case .changedHere:
      return (
        "its file, which has no attachments, was changed here; attachments not fetched",
        "undo the change; removing the file would move the message to Trash"
      )
    case .breaksConnection:
      return (
        "skipped: the connection broke each time this message was fetched",
        "ask the server's administrator"
      )
    case .cutShort(let told, let came):
      return (
        "the server returned \(came) bytes twice although it reports \(told): the message may be truncated",
        "look at it; if it is damaged, ask the server's administrator"
      )
    }
  }

  private static func file(_ problem: FileProblem) -> Words {
    switch problem {
    case .containsNUL:
      (
        "not uploaded: contains a NUL byte, which is not allowed in mail",
        "remove the byte or the file"
      )
    case .empty: ("it is empty; not uploaded", "remove it")
    case .unreadable(let error): ("it cannot be read: \(error.description)", nil)
    case .tooBig(let limit):
      ("it is larger than the server takes (\(limit) octets); not uploaded", nil)
    case .refused(let response): ("the server did not take it: \(text(response))", nil)
    case .breaksConnection:
      (
        "not uploaded: the connection broke each time this message was sent",
        "ask the server's administrator"
      )
    case .notKept:
      (
        "the server accepted it, and it is not found there; not uploaded again",
        "look for it with another client; to upload it again, give the file another name"
      )
    case .attachmentsLost:
      (
        "its message was deleted on the server, and its attachments are lost; header and texts stay",
        nil
      )
    case .heldOnce:
      (
        "the mailbox has this message already and, being a label, can hold it only once; not uploaded",
        "remove the file, or move it to another folder"
      )
    case .notAFile(let count):
      (
        count == 1
          ? "it is no regular file but a link, a pipe or a directory; not synced"
          : "not synced: \(count) entries here are not regular files",
        "put the message itself there, or move it out of the folder"
      )
    case .unchangeable(let error) where error.isNameTooLong:
      (
        "file name too long to record flags or a move",
        "give the file a shorter name"
      )
    case .unchangeable(let error):
      (
        "it cannot be renamed or removed: \(error.reason)",
        "fix its permissions, or move it elsewhere"
      )
    case .partial:
      (
        "its attachments are only on the server; not uploaded",
        "run magnum attachments fetch on the original, then copy it"
      )
    }
  }

  private static func distance(_ time: Int64) -> String {
    let seconds = max(1, time - Clock.now())
    if seconds < 60 { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 120 ? "\(minutes) min" : "\((minutes + 59) / 60) h"
  }

  private static func ago(_ time: Int64) -> String {
    let minutes = max(0, Clock.now() - time) / 60
    return minutes < 60 ? "\(minutes) min ago" : "\(minutes / 60) h ago"
  }
}
