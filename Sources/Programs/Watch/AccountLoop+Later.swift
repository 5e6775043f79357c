internal import Configuration
internal import Platform
internal import SyncEngine
internal import Syncing
internal import WatchPlan

// What is to be done about messages at their time.
extension AccountLoop {
  /// Does what is to be done about messages now, also where no sync can be made; what it changes is synced as other changes are.
  func doWhatIsDue() {
    guard later.withLock({ $0.isDue(now: Clock.now()) }) else { return }
    let work = current
    work.doWhatIsDue(account, reminds: true)
    hooks.runHooks(work.placed(AccountReport(account: account.name))) { [self] in current }
    setTimer(work)
  }

  /// Sets when it is looked again.
  func setTimer(_ work: AccompanyingWork) {
    let delay = work.laterDelay(of: account)
    later.withLock { $0.set(delay: delay, now: Clock.now()) }
  }

  /// The moment, or an earlier one at which something is to be done about messages.
  func limited(_ moment: Moment) -> Moment {
    let delay = later.withLock { $0.delay(now: Clock.now()) }
    return delay.map { min(moment, .now + $0) } ?? moment
  }
}
