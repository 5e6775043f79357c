internal import MailModel
internal import Configuration
internal import IMAPStore
internal import MailStore
internal import Maildir
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import SyncPlan
internal import SyncState
internal import Syncing
internal import WatchPlan

/// The thread of one watched account: does what `AccountWatch` decides, and tells it what came of that.
final class AccountLoop: Sendable {
  let account: Account
  let inbox = Inbox()
  let status = AccountStatus()
  /// The syncs that other programs wait for.
  let requests = SyncRequests()

  private let setting: WatchSetting
  private let configuration: Configuration
  private let interruption: Interruption
  private let loginState: LoginState
  private let own = OwnChanges()
  private let work: Monitor<AccountWork>
  let hooks: SyncHooks
  private let texts = TextWorker()
  private let calls: Calls
  /// The root as it was before the folders were watched.
  private let rootMonitor: MaildirRootMonitor
  /// When something is to be done about messages.
  let later = Monitor(LaterTimer())

  /// What the thread calls where others have to do something.
  struct Calls: Sendable {
    /// The watch is to end, since it was to be for one sync only.
    var finished: @Sendable () -> Void
    /// The account's folders may be others than those that were watched.
    var foldersAreBack: @Sendable () -> Void
  }

  init(
    _ account: Account,
    _ configuration: Configuration,
    _ setting: WatchSetting,
    _ interruption: Interruption,
    _ hooks: HookRunner,
    _ calls: Calls
  ) {
    self.account = account
    self.configuration = configuration
    self.setting = setting
    self.interruption = interruption
    self.hooks = SyncHooks(account, setting, hooks)
    self.calls = calls
    rootMonitor = MaildirRootMonitor(account.maildir)
    loginState = LoginState(AccountPlaces.memory(of: account, in: setting.stateHome))
    work = Monitor(AccountWork(account, configuration, setting))
  }

  /// Watches until the end is asked for.
  func watchAccount() {
    defer { status.noteEnd() }
    defer { requests.end() }
    let session = session()
    defer { session.close() }
    let listening = MailboxListening(interruption) { [inbox] in inbox.put(.news(.serverChange)) }
    defer { listening.end() }
    var watch = AccountWatch(poll: setting.poll, now: .now)
    var (hasSynced, rootMonitor) = (false, rootMonitor)
    while !interruption.isRequested {
      handleItems(inbox.takeItems(), &watch, listening)
      requests.admit { watch.demand($0.demand, now: .now) }
      doWhatIsDue()
      switch watch.next(now: .now, loginDelay: loginState.delay) {
      case .sync(let step):
        let end = sync(step, session, &watch)
        if session.isConnected { listening.listen(to: session.listeners) }
        if rootMonitor.isAnother(after: end) { calls.foldersAreBack() }
        let isDone = if case .done = end { true } else { false }
        if isDone, hasSynced, setting.isOnce { return finish() }
        hasSynced = hasSynced || isDone
      case .check:
        session.checkAlive(within: AccountWatch.signLimit)
        watch.checked(isConnected: session.isConnected, now: .now, chance: chance)
      case .listen(let until, let gathering): listen(until, gathering, session, &watch)
      case .rest(let until): rest(until)
      }
    }
  }

  /// What was to be done once is done when the commands that follow it have ended.
  private func finish() {
    hooks.waitUntilIdle()
    texts.waitUntilIdle()
    calls.finished()
  }

  private var chance: Double { .random(in: 0...1) }

  private func session() -> AccountSession {
    var session = AccountSession.Setting(
      account,
      of: configuration.accounts,
      stateHome: setting.stateHome,
      interruption: interruption
    ) { [self] in observe($0) }
    session.before = { [self] in current.begin($0) }
    session.requests = { [self] in current.requests(of: $0) }
    session.arriving = current.arriving(account)
    var options = SyncOptions()
    options.isTracing = setting.isTracing
    let loginState = loginState
    session.wrap = { RateLimitedServer($0, loginState) }
    return AccountSession(session, options: options, keepsConnection: true)
  }

  var current: AccompanyingWork { work.withLock { $0.work } }

  private func observe(_ event: SyncEvent) {
    guard status.phase == .syncing else { return passOn(event) }
    if case .state(.folders) = event.kind {
      status.noteSync(hasReachedServer: true)
    } else {
      status.noteSync()
    }
    switch event.kind {
    case .changed(let changes): own.recordChanges(changes)
    case .making(let directory): own.noteMaking(directory)
    default: break
    }
    current.handleEvent(event)
  }

  /// What is reported between syncs: not that another connection is made, which begins no sync.
  private func passOn(_ event: SyncEvent) {
    switch event.kind {
    case .step, .trace: current.handleEvent(event)
    default: break
    }
  }

  // MARK: Steps

  private func sync(
    _ step: SyncStep,
    _ session: AccountSession,
    _ watch: inout AccountWatch
  ) -> SyncEnd {
    status.noteSync()
    own.forget()
    let requested = requests.takeAll()
    let begun = AccountWork(
      account,
      configuration,
      setting,
      reportingTo: requested.map(\.reporter),
      after: work.withLock { $0 }
    )
    work.withLock { $0 = begun }
    let report = status.heartbeat.watching {
      begun.work.finishActs()
      return session.sync(options(step))
    }
    work.withLock { $0.finishSync(report) }
    hooks.runHooks(begun.work.placed(report)) { [self] in current }
    if begun.work.hasFilters {
      texts.runWork { [interruption] in begun.extractTexts(interruption) }
    }
    let outcome = RequestOutcome(
      report,
      others: begun.work.statuses,
      hadConnection: !step.connects,
      isEnding: interruption.isRequested || Interruption.shared.isRequested
    )
    for request in requested { outcome.tell(request) }
    let end = SyncEnd(report)
    watch.synced(end, isConnected: session.isConnected, now: .now, chance: chance)
    if case .done = end { watch.found(changes: report.total.changes > 0) }
    let wait = report.day.map { Double($0.end - TestTime.ofDays()) }
    watch.left(for: wait, now: .now)
    watch.queued(for: begun.work.queueDelay(of: account), now: .now)
    setTimer(begun.work)
    Memory.release()
    Memory.releaseProgramPages()
    return end
  }

  private func options(_ step: SyncStep) -> SyncOptions {
    var options = SyncOptions()
    options.postponesRemovals = step.postponesRemovals
    options.copies = step.isQuiet ? .quiet : step.postponesRemovals ? .busy : .byClock
    options.isTracing = setting.isTracing
    if step.isAsked {
      options.selections = [SyncOptions.Selection(account: account.name, patterns: [])]
    }
    return options
  }

  private func listen(
    _ until: Moment,
    _ gathering: Moment,
    _ session: AccountSession,
    _ watch: inout AccountWatch
  ) {
    if status.phase != .listening { setting.observer(.listening(account: account.name)) }
    status.noteWait(.listening, until: until)
    let order = WaitOrder(
      until: limited(until).deadline,
      gathering: gathering.deadline,
      waker: inbox.waker
    )
    do throws(SyncFailure) {
      let end = try session.wait(order)
      watch.listened(end == .changed ? .changed : .quiet, now: .now, chance: chance)
    } catch {
      let words = error.explanation(account: account.name).what
      observe(SyncEvent(account: account.name, kind: .step(words)))
      watch.listened(.lost, now: .now, chance: chance)
    }
  }

  private func rest(_ until: Moment) {
    let seconds = until - .now
    if status.phase != .waiting {
      let isOutOfLogins = loginState.delay > 0
      setting.observer(
        .waiting(account: account.name, seconds: seconds, isOutOfLogins: isOutOfLogins)
      )
    }
    status.noteWait(.waiting, until: until)
    // Who waits may use a log-in of its own, of which none is left here.
    if loginState.delay > 0 { for request in requests.takeAll() { request.decline() } }
    inbox.waker.wait(until: limited(until).deadline, interruption: interruption)
  }

  // MARK: Requests

  /// Has the account synced for another program, which sent that line; nil where no sync is made for it.
  func begin(_ line: ArraySlice<UInt8>) -> SyncRequest? {
    guard let asked = WatchRequest(line), asked.configuration == configuration.checksum,
      let request = try? SyncRequest(asked, account, setting.stateHome)
    else { return nil }
    requests.add(request)
    inbox.waker.wake()
    return request
  }

  // MARK: News

  private func handleItems(
    _ items: [Inbox.Item],
    _ watch: inout AccountWatch,
    _ listening: MailboxListening
  ) {
    for item in items {
      switch item {
      case .news(let news): if watch.recordNews(news, now: .now) { listening.check() }
      case .file(let mark): if !own.takeMark(mark) { watch.recordNews(.localChange, now: .now) }
      case .directory(let path):
        if !own.take(directory: path) { watch.recordNews(.localChange, now: .now) }
      }
    }
  }
}
