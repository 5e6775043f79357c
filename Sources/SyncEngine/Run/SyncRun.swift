package import Configuration
internal import IMAPStore
package import MailModel
package import MailStore
internal import Maildir
package import Platform
internal import SyncState

/// One run over accounts, side by side; one account's failure leaves the others alone.
package enum SyncRun {
  /// Makes the way to an account's server, which tells what happens on it.
  package typealias ServerMaker =
    @Sendable (Account, @escaping @Sendable (StoreEvent) -> Void) -> any MailServer

  /// Syncs the accounts that have a server, and gives a report of each in their order.
  ///
  /// `configured` are all accounts there are: a file may have moved into the folder of any. What the
  /// reports say is done is durable. `stateHome` is where Magnum remembers things about
  /// accounts apart from their mail, such as `~/.local/state`. `before` is called for each account before anything is
  /// done for it, for several of them side by side. `requests` tells
  /// which messages of an account the spool is to move or to remove, nil where that cannot be told; it is asked after files
  /// were found missing, so that it knows of all whose files went because of it. `server` makes another server than the
  /// one that the account names.
  package static func run(
    _ accounts: [Account],
    of configured: [Account],
    options: SyncOptions,
    stateHome: Path,
    interruption: Interruption,
    before: @escaping @Sendable (Account) -> Void = { _ in },
    requests: @escaping @Sendable (Account) -> [MessageReference]? = { _ in [] },
    server: ServerMaker? = nil,
    observer: @escaping SyncObserver
  ) -> [AccountReport] {
    let trees = configured.map { AccountPlaces(of: $0).tree }
    let syncs = accounts.filter { $0.server != nil }.map { account in
      let context = context(account, trees, options, interruption, requests, observer)
      let memory = AccountPlaces.memory(of: account, in: stateHome)
      return AccountSync(
        context,
        server?(account) { context.report(SyncEvent.Kind($0)) }
          ?? IMAPServer(context, memory: memory),
        memory: memory,
        before: before
      )
    }
    guard syncs.count > 1 else { return syncs.map { $0.run() } }
    let reports = Monitor([Int: AccountReport]())
    let threads = syncs.indices.map { index in
      try? Thread.spawn(name: "account \(index + 1)") {
        let report = syncs[index].run()
        reports.withLock { $0[index] = report }
      }
    }
    for (index, thread) in threads.enumerated() {
      if let thread { thread.join() } else { reports.withLock { $0[index] = syncs[index].run() } }
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
    let context = context(
      account,
      [AccountPlaces(of: account).tree],
      options,
      interruption,
      { _ in [] },
      observer
    )
    let memory = AccountPlaces.memory(of: account, in: stateHome)
    return try AccountSync(context, IMAPServer(context, memory: memory), memory: memory).probe()
  }

  /// What those who work for an account need to know.
  private static func context(
    _ account: Account,
    _ trees: [FolderTree],
    _ options: SyncOptions,
    _ interruption: Interruption,
    _ requests: @escaping @Sendable (Account) -> [MessageReference]?,
    _ observer: @escaping SyncObserver
  ) -> AccountContext {
    let places = AccountPlaces(of: account)
    return AccountContext(
      account: account,
      options: options,
      store: places.store,
      tree: places.tree,
      trees: trees,
      requests: { requests(account) },
      interruption: interruption,
      observer: observer
    )
  }
}
