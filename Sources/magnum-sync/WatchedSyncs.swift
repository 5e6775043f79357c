internal import Configuration
internal import Platform
internal import Watch

/// The syncs that magnum watch is asked for, side by side, over the connections that it has.
struct WatchedSyncs {
  private struct Asked {
    let account: Account
    let thread: Thread
    /// Nil until it ended, and where the watch made none.
    let sync: Monitor<WatchedSync?>
  }

  private var asked: [Asked] = []

  /// Asks the watches of those accounts that seem to have one.
  init(
    of accounts: [Account],
    _ configuration: Configuration,
    _ wish: WatchClient.Wish
  ) {
    for account in accounts {
      let client = WatchClient(
        account,
        configuration,
        stateHome: Environment.stateHome,
        wish
      )
      guard client.mayBeThere else { continue }
      let sync = Monitor<WatchedSync?>(nil)
      let thread = try? Thread.spawn(name: "watch of \(account.name)") {
        let made = client.sync(.shared)
        sync.withLock { $0 = made }
      }
      if let thread { asked.append(Asked(account: account, thread: thread, sync: sync)) }
    }
  }

  /// The names of the accounts.
  var accounts: Set<String> { Set(asked.map(\.account.name)) }

  /// Waits for all, and tells of each that came to its end; gives the accounts that no watch has synced.
  func wait(_ tell: (String, WatchedSync) -> Void) -> [Account] {
    asked.filter { asked in
      asked.thread.join()
      guard let sync = asked.sync.withLock({ $0 }) else { return true }
      tell(asked.account.name, sync)
      return false
    }.map(\.account)
  }
}
