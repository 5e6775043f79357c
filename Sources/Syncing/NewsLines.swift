internal import Configuration
internal import Octets
internal import Platform
internal import SearchIndex
internal import SpoolPlan
internal import SyncEvents
internal import Terminal

/// New messages for a command that is run after a sync: a JSON object a line; see magnum-formats(5).
struct NewsLines {
  private let account: Account

  /// The lines of messages of an account.
  init(_ account: Account) {
    self.account = account
  }

  /// A line a message, and one for the number of those that are not named.
  func octets(_ arrivals: Arrivals) -> [UInt8] {
    let news = arrivals.messages.map { ($0.mailbox, MessageSummary($0.maildir, $0.file)) }
    let threads = threads(of: news.compactMap { $0.1?.id })
    var lines = news.map { line($0, $1, threads) }
    if arrivals.rest > 0 { lines.append(line { $0.add("more", arrivals.rest) }) }
    return lines.flatMap(\.octets)
  }

  /// None where the account has no index, or it cannot be read: the lines do without.
  private func threads(of ids: [[UInt8]]) -> [[UInt8]: String] {
    guard account.isIndexed, !ids.isEmpty, let place = try? IndexPlace.of(account.maildir) else {
      return [:]
    }
    return (try? IndexReader(place, account: account.name).threads(of: ids)) ?? [:]
  }

  private func line(
    _ mailbox: String,
    _ message: MessageSummary?,
    _ threads: [[UInt8]: String]
  ) -> JSONLine {
    line {
      $0.add("mailbox", mailbox)
      guard let message else { return }
      add("id", message.id, to: &$0)
      $0.add("file", octets: message.path.octets)
      add("from", message.from, to: &$0)
      add("subject", message.subject, to: &$0)
      add("date", message.date.map { Timestamp.octets($0) }, to: &$0)
      add("list", message.list, to: &$0)
      $0.add("thread", ifPresent: message.id.flatMap { threads[$0] })
      add("snippet", message.snippet, to: &$0)
    }
  }

  private func line(_ fill: (inout JSONLine) -> Void) -> JSONLine {
    var line = JSONLine()
    line.add("version", ReportForm.version)
    line.add("account", account.name)
    fill(&line)
    return line
  }

  private func add(_ name: String, _ octets: [UInt8]?, to line: inout JSONLine) {
    if let octets { line.add(name, octets: octets) }
  }
}
