package import Configuration
internal import IMAPStore
package import MailModel
package import MailStore
internal import Maildir
package import Platform
internal import SyncPlan
package import SyncState
internal import Transport

/// Runs the command that an account has for the end of a sync, after one that changed files.
package typealias PostSyncHook = @Sendable (Account, AccountReport) throws(SyncFailure) -> Void

/// Takes messages that are new in an account, before a batch of them is visible or on record.
///
/// What it does has to be durable when it returns: a run that is killed right behind it fetches the messages again, and one that
/// is killed later does not. Where it throws, the batch is not recorded.
package typealias ArrivalObserver =
  @Sendable (_ batch: [ArrivingMessages]) throws(SystemError) -> Void

/// What of an account lasts longer than one of its syncs: the connection to its server, and the secret that it was given.
///
/// The account is locked during a sync only, and each sync reads anew what is recorded of the mailboxes: another program may
/// have synced the account in between. Used by one thread at a time.
package final class AccountSession {
  /// What the syncs of a session have in common; see `SyncRun.syncAccounts`.
  package struct Setting: Sendable {
    /// The account, which has a server.
    package var account: Account
    /// All accounts there are.
    package var configured: [Account]
    /// Where Magnum remembers things about accounts apart from their mail.
    package var stateHome: Path
    /// Ends all waiting.
    package var interruption: Interruption
    /// Called before anything is done for the account in a sync.
    package var before: @Sendable (Account) -> Void = { _ in }
    /// The messages of the account that the spool is to move or to remove; nil where that cannot be told.
    package var requests: @Sendable (Account) -> [MessageReference]? = { _ in [] }
    /// Takes new messages before they are recorded; nil where nothing does.
    package var arriving: ArrivalObserver?
    /// Runs `post-sync`; nil where the syncs do not wait for it.
    package var postSync: PostSyncHook?
    /// Seconds to wait before a connection that was lost in a sync is made anew, one for each attempt.
    package var retryDelays = [5.0, 15.0, 45.0]
    /// Makes the way to the server; nil is the one that the account names.
    package var server: SyncRun.ServerMaker?
    /// Puts another server before it, which passes on what it is asked.
    package var wrap: @Sendable (any MailServer) -> any MailServer = { $0 }
    /// Gives the time by which is counted what the account fetches in a day, in seconds since 1970.
    package var clock: @Sendable () -> Int64 = { TestTime.ofDays() }
    /// Takes what happens.
    package var observer: SyncObserver

    package init(
      _ account: Account,
      of configured: [Account],
      stateHome: Path,
      interruption: Interruption,
      observer: @escaping SyncObserver
    ) {
      self.account = account
      self.configured = configured
      self.stateHome = stateHome
      self.interruption = interruption
      self.observer = observer
    }
  }

  /// Turns off, once in a process, the rules that a test does without.
  private static let switchedOff: Void = SyncRule.turnOff(FaultPoint.rulesOff)

  private let setting: Setting
  private let memory: Path
  private let connection: AccountServer

  /// A session that has no connection yet.
  ///
  /// - Parameters:
  ///   - setting: what its syncs have in common.
  ///   - options: whether all of them are dry runs, and whether the lines of the protocol are reported.
  ///   - keepsConnection: whether the connection stays open between syncs.
  package init(_ setting: Setting, options: SyncOptions, keepsConnection: Bool) {
    _ = Self.switchedOff
    self.setting = setting
    memory = AccountPlaces.memory(of: setting.account, in: setting.stateHome)
    connection = AccountServer(
      setting.wrap(Self.server(setting, options, memory)),
      keepsConnection: keepsConnection && !options.isDryRun
    )
  }

  /// Whether a connection is open.
  package var isConnected: Bool { connection.open != nil }

  /// Syncs the account; gives what it came to, also where it failed.
  ///
  /// What the report says is done is durable.
  package func sync(_ options: SyncOptions) -> AccountReport {
    AccountSync(
      { self.context(options) },
      connection,
      memory: memory,
      before: setting.before,
      postSync: setting.postSync,
      retryDelays: setting.retryDelays
    ).syncAccount()
  }

  /// The account's mailboxes, to be looked at: nothing is locked, recorded or changed on either side.
  ///
  /// - Throws: where the server cannot be asked, or what is recorded cannot be read.
  package func read(_ options: SyncOptions) throws(SyncFailure) -> AccountReading {
    var options = options
    options.isDryRun = true
    return try AccountSync({ [options] in self.context(options) }, connection, memory: memory)
      .read()
  }

  /// Waits until something may have changed in INBOX since the last sync began, or as the order says.
  ///
  /// A change is told once; the caller syncs because of it. Nothing is locked meanwhile. Where the server names a limit, it is
  /// remembered for the next sync.
  ///
  /// - Throws: where the connection is gone, or there is none.
  package func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd {
    guard let store = connection.open else { throw .transport(.closed) }
    var order = order
    do throws(SyncFailure) {
      if !connection.watched.isOpen, try openWatched(store) { order.isChanged = true }
      return try store.wait(order)
    } catch {
      connection.close()
      throw connection.server.postponed(error)
    }
  }

  /// What listens to the mailboxes that the account names for that, as the last sync found them on the server; at most
  /// `MailboxListener.limit`.
  ///
  /// None where no connection is open, or where `wait` tells of all mailboxes anyway.
  package var listeners: [MailboxListener] {
    guard let store = connection.open, !store.tellsAll, let listing = connection.listing else {
      return []
    }
    let traits = store.traits
    let patterns = setting.account.sync.idleMailboxes
    let wanted = listing.mailboxes.filter { mailbox in
      mailbox.isSelectable && mailbox.name != connection.watched.name
        && patterns.contains { $0.matches(anyOf: mailbox.names) }
    }
    return wanted.prefix(MailboxListener.limit).map {
      MailboxListener(connection.server, traits, $0.name, listing)
    }
  }

  /// Asks the server for a sign of life; where none comes within so many seconds the connection is given up.
  package func checkAlive(within seconds: Double) {
    do throws(SyncFailure) {
      try connection.open?.checkAlive(within: seconds)
    } catch {
      connection.close()
      _ = connection.server.postponed(error)
    }
  }

  /// Gives whether something may have changed.
  private func openWatched(_ store: any MailStore) throws(SyncFailure) -> Bool {
    do throws(SyncFailure) {
      let pushes = setting.account.sync.pushes && connection.server.reasonToPull == nil
      let mailbox = try store.open(connection.watched.name, forChanges: pushes)
      return connection.watched.isChanged(mailbox)
    } catch {
      guard !error.endsConnection else { throw error }
      connection.watched.fail()
      return false
    }
  }

  /// What the server offers, without touching anything on either side.
  package func probe(_ options: SyncOptions) throws(SyncFailure) -> ServerFacts {
    try AccountSync({ self.context(options) }, connection, memory: memory).probe()
  }

  /// The mailboxes of a server with labels; see `SyncRun.labelPlaces`.
  func labelPlaces(_ options: SyncOptions) throws(SyncFailure) -> [LabelPlace] {
    try AccountSync({ self.context(options) }, connection, memory: memory).labelPlaces()
  }

  /// Ends the connection.
  package func close() {
    connection.close()
  }

  private func context(_ options: SyncOptions) -> AccountContext {
    var options = options
    if connection.server.reasonToPull != nil { options.isPullOnly = true }
    let places = AccountPlaces(of: setting.account)
    let (account, requests, clock) = (setting.account, setting.requests, setting.clock)
    let limit = options.isDryRun ? nil : account.sync.dailyLimit
    return AccountContext(
      account: account,
      options: options,
      store: places.store,
      tree: places.tree,
      trees: setting.configured.map { AccountPlaces(of: $0).tree },
      meter: limit.map { FetchMeter(memory: memory, limit: $0, clock: clock) },
      requests: { requests(account) },
      arriving: setting.arriving,
      interruption: setting.interruption,
      observer: setting.observer
    )
  }

  private static func server(
    _ setting: Setting,
    _ options: SyncOptions,
    _ memory: Path
  ) -> any MailServer {
    let (name, observer) = (setting.account.name, setting.observer)
    let report = { @Sendable (event: StoreEvent) in
      observer(SyncEvent(account: name, kind: SyncEvent.Kind(event)))
    }
    if let server = setting.server { return server(setting.account, report) }
    return MailServers.server(
      of: setting.account,
      memory: memory,
      isRemembering: !options.isDryRun,
      isTracing: options.isTracing,
      interruption: setting.interruption,
      report: report
    )
  }
}

extension SyncEvent.Kind {
  /// What happens on the way to a server, as an event of the run.
  init(_ event: StoreEvent) {
    self =
      switch event {
      case .connecting: .state(.connecting)
      case .authenticating: .state(.authenticating)
      case .refreshingToken: .state(.tokenRefresh)
      case .listing: .state(.folders)
      case .step(let text): .step(text)
      case .trace(let line): .trace(line)
      }
  }
}
