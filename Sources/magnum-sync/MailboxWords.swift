internal import Octets
internal import Platform
internal import SyncEngine

/// What is wrong with a mailbox, in words.
struct MailboxWords {
  private let problem: MailboxProblem
  private let account: String
  private let mailbox: String?

  init(_ problem: MailboxProblem, account: String, mailbox: String?) {
    self.problem = problem
    self.account = account
    self.mailbox = mailbox
  }

  var words: (what: String, hint: String?) {
    switch problem {
    case .unknownContents(let path, let messages):
      (
        "\(path.display) holds \(messages) messages of unknown origin; left alone",
        "move the folder away, and the mailbox is fetched anew"
      )
    case .untrustedState(let file, let line, let reason):
      (
        "\(file.display)\(line.map { ":\($0)" } ?? ""): \(reason); the mailbox is left alone",
        "move this file and the mailbox's folder away, and the mailbox is fetched anew"
      )
    case .validityChanged(let path, let old, let new):
      (
        "the server numbers its messages anew (UIDVALIDITY \(old), now \(new)); left alone",
        startOver(path)
      )
    case .wentBackwards(let path):
      (
        "the server lost changes that were here already (restored from a backup?); left alone",
        startOver(path)
      )
    case .listIncomplete(let missing, let total):
      ("the server left out \(missing) of its \(total) messages; nothing is removed here", nil)
    case .noValidity: ("the server gives no UIDVALIDITY; the mailbox cannot be mirrored", nil)
    case .directoryMissing(let path, let map):
      (
        "its folder \(path.display) is gone; left alone",
        "put it back, or exclude the mailbox, or remove \(map.display) to fetch it anew"
      )
    case .directoryTaken(let path):
      (
        "its folder \(path.display) belongs to another mailbox; neither is mixed with the other",
        "exclude one of the two in the configuration"
      )
    case .unusableName: ("no folder can be made of this name", "exclude the mailbox")
    case .goneFromServer:
      ("the server no longer has this mailbox; its folder stays as it is", nil)
    case .massDeletion(let count, let total):
      (
        "the server deleted \(count) of \(total) messages; they are kept here",
        "if this is right, run: magnum-sync --allow-mass-delete \(target) \(account)"
      )
    }
  }

  /// As a word for the shell, whatever the server calls its mailbox.
  private var target: String {
    let name = "\(account)/\(mailbox ?? "*")"
    return
      "'\(name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  private func startOver(_ path: Path) -> String {
    "move \(path.display) away, and the mailbox is fetched anew"
  }
}
