package import Configuration
package import MailModel
package import MailStore
package import Platform
internal import SyncEngine
internal import Triage

/// Something that is reported of messages whose time was there.
package enum LaterOutcome: Sendable {
  /// So many came back to the inbox.
  case woken(Int)
  /// So many got no answer.
  case reminded(Int)
  /// Something is wrong.
  case problem(Explanation)
}

/// Words for messages whose time was there.
package enum LaterWords {
  /// How many came back.
  package static func woken(_ count: Int) -> String {
    let messages = count == 1 ? "1 snoozed message is" : "\(count) snoozed messages are"
    return "\(messages) back in INBOX"
  }

  /// How many got no answer.
  package static func unanswered(_ count: Int) -> String {
    count == 1 ? "1 message without an answer" : "\(count) messages without an answer"
  }
}

/// Does beside syncs what is to be done about messages at their time: snoozed ones come back.
package final class LaterStage: Sendable {
  private struct State: Sendable {
    /// The messages of accounts of which no command was told.
    var untold: [String: [Arrivals.Message]] = [:]
    var statuses: [ExitStatus] = []
  }

  private let configuration: Configuration
  private let stateHome: Path
  private let state = Monitor(State())

  /// Nothing is looked at yet; `stateHome` is where it is recorded what is to be done.
  package init(_ configuration: Configuration, stateHome: Path) {
    (self.configuration, self.stateHome) = (configuration, stateHome)
  }

  /// What came of it, for the status of a program.
  var statuses: [ExitStatus] { state.withLock { $0.statuses } }

  private func work(_ account: Account) -> LaterWork {
    LaterWork(configuration, account, stateHome: stateHome)
  }

  /// Seconds until something is due in an account, 0 where something is; nil for nothing.
  func delay(of account: Account) -> Double? { work(account).delay.map { Double($0) } }

  /// Does what is due in an account; `reminds` where mail that came is in its index.
  package func doWhatIsDue(_ account: Account, reminds: Bool) -> [LaterOutcome] {
    let report: LaterReport
    do throws(Explanation) {
      report = try work(account).doWhatIsDue(reminds: reminds)
    } catch {
      // Another command is at work: the next sync does it.
      return error.status == .tryAgain ? [] : problems([error])
    }
    let messages =
      report.woken.map { Self.message($0, .woken) }
      + report.reminders.map { Self.message($0, .reminder) }
    state.withLock { $0.untold[account.name, default: []] += messages }
    return (report.woken.isEmpty ? [] : [.woken(report.woken.count)])
      + (report.reminders.isEmpty ? [] : [.reminded(report.reminders.count)])
      + problems(report.problems)
  }

  private func problems(_ problems: [Explanation]) -> [LaterOutcome] {
    state.withLock { $0.statuses += problems.map(\.status) }
    return problems.map { .problem($0) }
  }

  private static func message(
    _ message: LaterReport.Message,
    _ cause: Arrivals.Message.Cause
  ) -> Arrivals.Message {
    Arrivals.Message(
      mailbox: message.folder,
      maildir: message.maildir,
      file: message.file,
      cause: cause
    )
  }

  /// Runs the `post-sync` of an account for messages of which no command was told yet.
  ///
  /// - Throws: `SyncFailure.hook` when it fails.
  package func runPostSync(_ account: Account) throws(SyncFailure) {
    guard let command = account.sync.postSync,
      state.withLock({ $0.untold[account.name]?.isEmpty == false })
    else { return }
    let report = told(AccountReport(account: account.name))
    let news = NewsLines(account).octets(report.total.arrivals)
    try PostSync(command, .shared).runCommand(report, news)
  }

  /// A report with the messages of which no command was told yet; they count as told then.
  func told(_ report: AccountReport) -> AccountReport {
    let messages = state.withLock { $0.untold.removeValue(forKey: report.account) } ?? []
    var report = report
    report.total.arrivals.add(messages)
    return report
  }
}
