internal import MailModel
internal import Configuration
internal import Platform
internal import Watch

/// The syncs that magnum watch is asked for, side by side, over the connections that it has.
struct WatchedSyncs {
  private struct Asked {
    let account: Account
    let thread: Thread
    /// Nil until it ended, and where the watch made none.
    let status: Monitor<ExitStatus?>
  }

  private var asked: [Asked] = []
  private let relay: ReportRelay

  /// Asks the watches of those accounts that seem to have one; `relay` prints what they report.
  init(
    of accounts: [Account],
    _ configuration: Configuration,
    _ wish: WatchClient.Wish,
    _ relay: ReportRelay
  ) {
    self.relay = relay
    for account in accounts {
      let client = WatchClient(
        account,
        configuration,
        stateHome: Environment.stateHome,
        wish
      )
      guard client.mayBeThere else { continue }
      let status = Monitor<ExitStatus?>(nil)
      let thread = try? Thread.spawn(name: "watch of \(account.name)") {
        let made = client.sync(.shared) { relay.put($0) }
        relay.end(account.name)
        status.withLock { $0 = made }
      }
      if let thread { asked.append(Asked(account: account, thread: thread, status: status)) }
    }
  }

  var accounts: Set<String> { Set(asked.map(\.account.name)) }

  /// Waits until all reports are printed, and calls `tell` for each sync that ended.
  ///
  /// - Returns: the accounts that no watch has synced.
  func wait(_ tell: (String, ExitStatus) -> Void) -> [Account] {
    for asked in asked { asked.thread.join() }
    relay.finish()
    return asked.filter { asked in
      guard let status = asked.status.withLock({ $0 }) else { return true }
      tell(asked.account.name, status)
      return false
    }.map(\.account)
  }
}
