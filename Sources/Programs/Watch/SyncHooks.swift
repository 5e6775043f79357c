internal import Configuration
internal import MailStore
internal import Platform
internal import SyncEngine
internal import Syncing

/// The commands that follow the syncs of a watched account: its own `post-sync`, and that of the watch.
struct SyncHooks: Sendable {
  private let account: Account
  private let commands: [ChildProcess.Command]
  private let runner: HookRunner

  /// The commands of an account and of the watch; `runner` runs them.
  init(_ account: Account, _ setting: WatchSetting, _ runner: HookRunner) {
    self.account = account
    self.runner = runner
    commands = [account.sync.postSync, setting.command].compactMap { $0 }
  }

  /// Runs them after a sync, beside what is next; `work` gives what their failures are then reported to.
  func runHooks(_ report: AccountReport, _ work: @escaping @Sendable () -> AccompanyingWork) {
    guard !commands.isEmpty, report.hasChangedFiles else { return }
    runner.runHooks(report) { report in
      let news = work().news(account, report.total.arrivals)
      for command in commands where !Interruption.shared.isRequested {
        runCommand(command, report, news, work)
      }
    }
  }

  /// Where the configuration is read anew meanwhile, it is not ended.
  private func runCommand(
    _ command: ChildProcess.Command,
    _ report: AccountReport,
    _ news: [UInt8],
    _ work: () -> AccompanyingWork
  ) {
    do throws(SyncFailure) {
      try PostSync(command, .shared).runCommand(report, news)
    } catch {
      guard !Interruption.shared.isRequested else { return }
      work().handleEvent(SyncEvent(account: account.name, kind: .problem(mailbox: nil, error)))
    }
  }

  /// Waits until none runs and none is left to run.
  func waitUntilIdle() { runner.waitUntilIdle() }
}

/// Runs the commands that follow the syncs of an account, beside them: one call at a time, on a thread that ends when nothing
/// is left to do.
///
/// What syncs bring while a call runs is added up for the next.
final class HookRunner: Sendable {
  /// Runs the commands for what syncs brought; returns when they have ended.
  typealias Call = @Sendable (AccountReport) -> Void

  private struct State: Sendable {
    var waiting: (report: AccountReport, call: Call)?
    var isRunning = false
  }

  private let state = Monitor(State())

  /// Runs the commands after a sync, now or once the call under way has ended; does not wait for that.
  func runHooks(_ report: AccountReport, _ call: @escaping Call) {
    let isFirst = state.withLock { state in
      var sum = state.waiting?.report ?? AccountReport(account: report.account)
      sum.add(report)
      state.waiting = (sum, call)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    do throws(SystemError) {
      _ = try Thread.spawn(name: "hooks") { self.work() }
    } catch {
      work()
    }
  }

  private func work() {
    while let next = takeNext() { next.call(next.report) }
  }

  private func takeNext() -> (report: AccountReport, call: Call)? {
    state.update { state in
      if state.waiting == nil { state.isRunning = false }
      return state.waiting.take()
    }
  }

  /// Waits until nothing runs and nothing is left to run; false where the deadline came first.
  @discardableResult
  func waitUntilIdle(_ deadline: Deadline = .never) -> Bool {
    state.wait(deadline: deadline) { !$0.isRunning }
  }
}

/// The runners of all accounts: they outlast a reading of the configuration, so that there is one call at a time whenever that
/// is read anew.
final class HookRunners: Sendable {
  private let runners = Monitor([String: HookRunner]())

  /// That of an account.
  func runner(of account: String) -> HookRunner {
    runners.withLock { runners in
      let runner = runners[account] ?? HookRunner()
      runners[account] = runner
      return runner
    }
  }

  /// Waits until none has anything to do; false where the deadline came first.
  func waitUntilIdle(_ deadline: Deadline) -> Bool {
    let all = runners.withLock { Array($0.values) }
    return all.allSatisfy { $0.waitUntilIdle(deadline) }
  }
}
