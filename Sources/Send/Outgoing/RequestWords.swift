internal import MailModel
internal import Octets
package import SpoolPlan
internal import MailboxActions

/// What is asked for a message, and what became of it, in words.
package enum RequestWords {
  /// The most groups of like requests that are told one by one.
  private static let groupLimit = 3

  /// What an entry asks for, such as `move <id@x> from INBOX to Archive`, or `+\Seen on 12 messages in INBOX`; nil for
  /// one that is about no message of the server.
  package static func text(_ action: Action) -> String? {
    let groups = groups(action.requests)
    guard !groups.isEmpty else { return nil }
    var parts = groups.prefix(groupLimit).map { text($0.first, $0.count == 1 ? nil : $0.count) }
    let rest = groups.dropFirst(groupLimit).reduce(0) { $0 + $1.count }
    if rest > 0 { parts.append("\(rest) more") }
    return parts.joined(separator: "; ")
  }

  /// What is asked for one message.
  static func text(_ request: MessageRequest) -> String { text(request, nil) }

  /// Requests that differ in their messages alone, in the order in which the first of each comes.
  private static func groups(_ requests: [MessageRequest]) -> [(first: MessageRequest, count: Int)]
  {
    var groups: [(first: MessageRequest, count: Int)] = []
    var places: [Like: Int] = [:]
    for request in requests {
      let like = Like(change: request.change, mailbox: request.message.mailbox)
      if let place = places[like] {
        groups[place].count += 1
      } else {
        places[like] = groups.count
        groups.append((request, 1))
      }
    }
    return groups
  }

  private struct Like: Hashable {
    let change: MessageRequest.Change
    let mailbox: [UInt8]
  }

  /// The request, or so many of its like.
  private static func text(_ request: MessageRequest, _ count: Int?) -> String {
    let name = count.map { "\($0) messages" } ?? self.name(request.message)
    let mailbox = Printable.text(request.message.mailbox)
    return switch request.change {
    case .flags(let added, let removed):
      "\(changes(added, removed)) on \(name) in \(mailbox)"
    case .move(let target): "move \(name) from \(mailbox) to \(Printable.text(target))"
    case .trash: "move \(name) from \(mailbox) to Trash"
    case .expunge: "delete \(name) from \(mailbox) for good"
    }
  }

  private static func name(_ message: MessageReference) -> String {
    if let id = message.messageID { return Printable.text(id) }
    guard message.uid == 0, let base = message.baseName else { return "message \(message.uid)" }
    return Printable.text(base)
  }

  private static func changes(_ added: [[UInt8]], _ removed: [[UInt8]]) -> String {
    let words = added.map { "+" + Printable.text($0) } + removed.map { "-" + Printable.text($0) }
    return words.joined(separator: " ")
  }

  /// What became of a request.
  static func text(_ outcome: RequestResult) -> [UInt8] {
    let text =
      switch outcome {
      case .done: "done"
      case .present: "it was so already"
      case .leftToSync: "the file shows it, and the sync tells the server"
      case .superseded: "superseded: the file shows something else"
      case .marked:
        "another client marks messages as deleted at the same time; the next attempt tries again"
      case .ignored(let command):
        "the server accepted \(command) and did not carry it out; the next attempt tries again"
      case .unnamed: "the server did not say where it put the message; the next attempt looks"
      case .impossible(let obstacle): Self.text(obstacle)
      case .unsettled, .refused, .failed, .broken: ""
      }
    return Array(text.utf8)
  }

  private static func text(_ obstacle: RequestResult.Obstacle) -> String {
    switch obstacle {
    case .noMailbox(let name): "the server has no mailbox \(Printable.text(name))"
    case .noTrash: "the server has no mailbox for removed messages, and makes none"
    case .gone: "the message is not there any more"
    case .ambiguous: "the mailbox was numbered anew, and it cannot be told which message is meant"
    case .readOnly: "the mailbox is read-only on the server"
    case .unkeepable: "the server does not keep such a flag"
    case .partial: "its attachments are only on the server; it is not removed for good"
    }
  }
}
