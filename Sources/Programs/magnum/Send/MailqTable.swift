internal import Octets
internal import Outgoing
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan
internal import Submission

/// The queue as mailq(1) of sendmail's kin shows it.
enum MailqTable {
  static func lines(_ items: [QueuedItem], now: Int64 = Clock.now()) -> [String] {
    guard !items.isEmpty else { return ["Mail queue is empty"] }
    var lines = ["-Queue ID------------------ --Size-- -Age- ----Sender/Recipients----"]
    for item in items { lines += self.lines(item, now) }
    return lines + ["-- \(items.count) in all"]
  }

  private static func lines(_ item: QueuedItem, _ now: Int64) -> [String] {
    guard let content = item.content else {
      return ["\(item.id)\(mark(item.state)) cannot be read"]
    }
    let entry = content.entry
    let size = entry.seal.map { "\($0.size)" } ?? "-"
    let age = padded(self.age(now - entry.queued), 5)
    let sign = item.isSentWithoutCopy ? " " : mark(item.state)
    var head = "\(item.id)\(sign) \(padded(size, 8)) \(age) "
    guard case .send(let sending) = entry.action else {
      return [head + entry.action.kind]
    }
    head += sending.envelope.reversePath.map { Printable.text($0.octets) } ?? "<>"
    var lines = [head]
    if item.isSentWithoutCopy {
      lines.append("    (\(UncopiedWords.text(content.progress.lastWords)))")
    } else if let words = content.progress.lastWords {
      lines.append("    (\(Printable.text(words)))")
    }
    for (recipient, state) in zip(sending.envelope.recipients, content.progress.recipients) {
      switch state {
      case .accepted, .split: break
      case .open, .refused: lines.append("    \(Printable.text(recipient.address.octets))")
      }
    }
    return lines
  }

  /// As Postfix marks them: `!` what is held; failed ones get `#`.
  private static func mark(_ state: EntryState) -> String {
    switch state {
    case .queue: " "
    case .hold: "!"
    case .failed: "#"
    case .discarded: "-"
    }
  }

  private static func age(_ seconds: Int64) -> String {
    switch max(0, seconds) {
    case let seconds where seconds < 60: "\(seconds)s"
    case let seconds where seconds < 3600: "\(seconds / 60)m"
    case let seconds where seconds < 86_400: "\(seconds / 3600)h"
    case let seconds: "\(seconds / 86_400)d"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}
