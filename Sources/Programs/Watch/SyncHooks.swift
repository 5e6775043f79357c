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
