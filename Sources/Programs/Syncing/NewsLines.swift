internal import Configuration
internal import Octets
internal import Platform
internal import SearchIndex
internal import SpoolPlan
internal import SyncEngine
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
    let news = arrivals.messages.map { ($0, MessageSummary($0.maildir, $0.file)) }
    let places = places(of: news.compactMap { $0.1?.id })
    var lines = news.map { line($0, $1, places) }
    if arrivals.rest > 0 { lines.append(line { $0.add("more", arrivals.rest) }) }
    return lines.flatMap(\.octets)
  }

  /// What the index knows of messages by their ids.
  private struct Places {
    var threads: [[UInt8]: String] = [:]
    var muted: Set<[UInt8]> = []
  }

  /// None where the account has no index, or it cannot be read: the lines do without.
  private func places(of ids: [[UInt8]]) -> Places {
    guard account.isIndexed, !ids.isEmpty, let index = try? IndexReader(of: account) else {
      return Places()
    }
    return Places(
      threads: (try? index.threads(of: ids)) ?? [:],
      muted: (try? index.muted(of: ids)) ?? []
    )
  }

  private func line(
    _ arrival: Arrivals.Message,
    _ message: MessageSummary?,
    _ places: Places
  ) -> JSONLine {
    line {
      $0.add("mailbox", arrival.mailbox)
      if !arrival.rules.isEmpty { $0.add("rules", arrival.rules) }
      switch arrival.cause {
      case .arrival: break
      case .woken: $0.add("woken", true)
      case .reminder: $0.add("reminder", true)
      }
      guard let message else { return }
      add("id", message.id, to: &$0)
      $0.add("file", octets: message.path.octets)
      add("from", message.from, to: &$0)
      add("subject", message.subject, to: &$0)
      add("date", message.date.map { Timestamp.octets($0) }, to: &$0)
      add("list", message.list, to: &$0)
      $0.add("thread", ifPresent: message.id.flatMap { places.threads[$0] })
      if let id = message.id, places.muted.contains(id) { $0.add("muted", true) }
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
