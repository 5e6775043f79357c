internal import MailModel
internal import Octets
package import SpoolPlan
internal import SyncEngine

/// What is asked for a message, and what became of it, in words.
package enum RequestWords {
  /// What an entry asks for, such as `move <id@x> from INBOX to Archive`; nil for one that is about no message of the
  /// server.
  package static func text(_ action: Action) -> String? {
    guard let request = MessageRequest(action) else { return nil }
    let message = request.message
    let name = message.messageID.map { Printable.text($0) } ?? "message \(message.uid)"
    let mailbox = Printable.text(message.mailbox)
    return switch request.change {
    case .flags(let added, let removed):
      "\(changes(added, removed)) on \(name) in \(mailbox)"
    case .move(let target): "move \(name) from \(mailbox) to \(Printable.text(target))"
    case .trash: "move \(name) from \(mailbox) to Trash"
    case .expunge: "delete \(name) from \(mailbox) for good"
    }
  }

  private static func changes(_ added: [[UInt8]], _ removed: [[UInt8]]) -> String {
    let words = added.map { "+" + Printable.text($0) } + removed.map { "-" + Printable.text($0) }
    return words.joined(separator: " ")
  }

  /// What became of a request.
  static func text(_ outcome: RequestOutcome) -> [UInt8] {
    let text =
      switch outcome {
      case .done: "done"
      case .present: "it was so already"
      case .leftToSync: "the file shows it, and the sync tells the server"
      case .superseded: "superseded: the file shows something else"
      case .marked:
        "other messages are marked as deleted, and the server could only expunge all of them"
      case .unnamed: "the server did not say where it put the message; the next attempt looks"
      case .impossible(let obstacle): Self.text(obstacle)
      case .unsettled, .refused, .failed, .broken: ""
      }
    return Array(text.utf8)
  }

  private static func text(_ obstacle: RequestOutcome.Obstacle) -> String {
    switch obstacle {
    case .noMailbox(let name): "the server has no mailbox \(Printable.text(name))"
    case .noTrash: "the server has no mailbox for removed messages, and makes none"
    case .gone: "the message is not there any more"
    case .ambiguous: "the mailbox was numbered anew, and it cannot be told which message is meant"
    case .readOnly: "the mailbox is read-only on the server"
    case .unkeepable: "the server does not keep such a flag"
    }
  }
}
