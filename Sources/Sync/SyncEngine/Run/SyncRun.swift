package import Configuration
internal import IMAPStore
package import MailModel
package import MailStore
package import Platform
package import SyncPlan
internal import SyncState

/// One run over accounts, side by side; one account's failure leaves the others alone.
package enum SyncRun {
  /// Makes the way to an account's server, which tells what happens on it.
  package typealias ServerMaker =
    @Sendable (Account, @escaping @Sendable (StoreEvent) -> Void) -> any MailServer

  /// Syncs the accounts that have a server, and gives a report of each in their order.
  ///
  /// `configured` are all accounts there are: a file may have moved into the folder of any. What the reports say is done is
  /// durable. `stateHome` is where Magnum remembers things about accounts apart from their mail, such as `~/.local/state`.
  /// `before` is called for each account before anything is done for it, for several of them side by side. `requests` gives the
  /// messages of an account that the spool is to move or to remove, nil where these are not known. It is called after files
  /// were found missing, so that it has all whose files are gone because of it. `postSync` runs `post-sync`.
  /// `arriving` takes the new messages of an account before they are recorded. `again` is asked once, behind the sync of an
  /// account, whether it is to be synced once more over the same connection; its report then has what both brought.
  /// `clock` is another one than the system's for what is counted by the day. `server` makes another server than the one that
  /// the account names. `retryDelays` are other seconds than usual to wait before a lost connection is made anew.
  package static func syncAccounts(
    _ accounts: [Account],
    of configured: [Account],
    options: SyncOptions,
    stateHome: Path,
    interruption: Interruption,
    before: @escaping @Sendable (Account) -> Void = { _ in },
    requests: @escaping @Sendable (Account) -> [MessageReference]? = { _ in [] },
    arriving: (@Sendable (Account) -> ArrivalObserver?)? = nil,
    postSync: PostSyncHook? = nil,
    again: (@Sendable (Account) -> Bool)? = nil,
    clock: (@Sendable () -> Int64)? = nil,
    server: ServerMaker? = nil,
    retryDelays: [Double]? = nil,
    observer: @escaping SyncObserver
  ) -> [AccountReport] {
    let syncs = accounts.filter { $0.server != nil }.map { account in
      { @Sendable () -> AccountReport in
        var setting = AccountSession.Setting(
          account,
          of: configured,
          stateHome: stateHome,
          interruption: interruption,
          observer: observer
        )
        setting.before = before
        setting.requests = requests
        setting.arriving = arriving?(account)
        setting.postSync = postSync
        setting.clock = clock ?? setting.clock
        setting.server = server
        setting.retryDelays = retryDelays ?? setting.retryDelays
        let session = AccountSession(setting, options: options, keepsConnection: again != nil)
        defer { session.close() }
        var report = session.sync(options)
        if let again, again(account) { report.add(withOutcome: session.sync(options.repeated)) }
        return report
      }
    }
    guard syncs.count > 1 else { return syncs.map { $0() } }
    let reports = Monitor([Int: AccountReport]())
    let threads = syncs.indices.map { index in
      try? Thread.spawn(name: "account \(index + 1)") {
        let report = syncs[index]()
        reports.withLock { $0[index] = report }
      }
    }
    for (index, thread) in threads.enumerated() {
      if let thread { thread.join() } else { reports.withLock { $0[index] = syncs[index]() } }
    }
    return reports.withLock { reports in syncs.indices.compactMap { reports[$0] } }
  }

  /// What the server of one account offers, without touching anything on either side.
  ///
  /// - Throws: `SyncFailure` when the server cannot be asked.
  package static func probe(
    _ account: Account,
    options: SyncOptions,
    stateHome: Path,
    interruption: Interruption,
    observer: @escaping SyncObserver
  ) throws(SyncFailure) -> ServerFacts {
    var options = options
    options.isDryRun = true
    let setting = AccountSession.Setting(
      account,
      of: [account],
      stateHome: stateHome,
      interruption: interruption,
      observer: observer
    )
    return try AccountSession(setting, options: options, keepsConnection: false).probe(options)
  }

  /// The mailboxes of an account's server with labels: what messages in them have where labels are tags, and where each is mirrored.
  ///
  /// Nothing is touched on either side.
  ///
  /// - Throws: `SyncFailure` when the server cannot be asked; `labels` where it has none.
  package static func labelPlaces(
    of account: Account,
    among configured: [Account],
    stateHome: Path,
    interruption: Interruption
  ) throws(SyncFailure) -> [LabelPlace] {
    var options = SyncOptions()
    options.isDryRun = true
    let setting = AccountSession.Setting(
      account,
      of: configured,
      stateHome: stateHome,
      interruption: interruption,
      observer: { _ in }
    )
    return try AccountSession(setting, options: options, keepsConnection: false)
      .labelPlaces(options)
  }

  /// Tests with messages of its own whether the server of an account does with labels what pushing them needs, and remembers it
  /// for later runs.
  ///
  /// - Throws: `SyncFailure` when the server cannot be asked; then something of the test may be left there.
  package static func testLabels(
    _ account: Account,
    isTracing: Bool,
    stateHome: Path,
    interruption: Interruption,
    observer: @escaping SyncObserver
  ) throws(SyncFailure) -> LabelTrialReport {
    try MailServers.testLabels(
      of: account,
      memory: AccountPlaces.memory(of: account, in: stateHome),
      isTracing: isTracing,
      interruption: interruption
    ) { observer(SyncEvent(account: account.name, kind: SyncEvent.Kind($0))) }
  }
}
