internal import Configuration
internal import MailModel
internal import MailStore
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import Syncing
internal import Triage

/// Reports the syncs of a watched account without repetitions.
///
/// It leaves out syncs that found nothing to do, and a failure that the sync before had too. It also leaves out a failure that
/// the next attempt mends, such as a lost connection.
final class RepeatFilter: Reporter {
  /// The failure that syncs ended with, in words, and how many in a row.
  private struct Failures: Sendable {
    var words: String?
    var count = 0
  }

  private let reporter: any Reporter
  private let failures: Monitor<Failures>

  /// A filter; `before` is that of the sync before.
  init(_ reporter: any Reporter, after before: RepeatFilter?) {
    self.reporter = reporter
    failures = Monitor(before?.failures.withLock { $0 } ?? Failures())
  }

  func reportEvent(_ event: SyncEvent) {
    if case .finished(let report) = event.kind, !isNews(report) { return }
    reporter.reportEvent(event)
  }

  private func isNews(_ report: AccountReport) -> Bool {
    guard case .failed(let cause) = report.outcome else {
      failures.withLock { $0 = Failures() }
      return report.total.changes > 0
    }
    let words = cause.explanation(account: report.account).what
    // What time may mend is reported where the next attempt fails too.
    let wanted = ExitStatus(cause) == .tryAgain ? 2 : 1
    return failures.withLock { failures in
      if failures.words != words, failures.count >= wanted { failures.count = 0 }
      failures.words = words
      failures.count += 1
      return failures.count == wanted
    }
  }

  func reportOutbox(_ outbox: OutboxReport) { reporter.reportOutbox(outbox) }

  func indexing(_ account: String, _ done: Int, of total: Int) {
    reporter.indexing(account, done, of: total)
  }

  func indexed(_ account: String, _ outcome: Indexing.Outcome) {
    reporter.indexed(account, outcome)
  }

  func extracted(_ account: String, _ report: FilterReport) {
    reporter.extracted(account, report)
  }

  func returned(_ step: ReturnedStep) { reporter.returned(step) }

  func sorted(_ account: String, _ outcome: RuleOutcome) { reporter.sorted(account, outcome) }

  func reportLater(_ account: String, _ outcome: LaterOutcome) {
    reporter.reportLater(account, outcome)
  }

  func bounced(_ account: String, _ outcome: BounceOutcome) { reporter.bounced(account, outcome) }
}
