internal import Configuration
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncPlan
internal import SyncState

/// Works off a run's mailboxes over one connection, or several where there is enough to do.
struct ConnectionPool {
  private let context: AccountContext
  private let server: any MailServer
  private let runState: RunState
  /// How many connections are open.
  private let live = Monitor(1)
  /// How many were asked for.
  private let wanted = Monitor(1)

  init(_ context: AccountContext, _ server: any MailServer, _ runState: RunState) {
    self.context = context
    self.server = server
    self.runState = runState
  }

  /// Mirrors the mailboxes in order; gives the connection that is still open, on which nothing is under way.
  ///
  /// What was read in `prefetched` is not read again.
  ///
  /// - Throws: what ended the run early; the connection is closed then.
  func syncMailboxes(
    _ mailboxes: [MirroredMailbox],
    on store: any MailStore,
    _ prefetched: PrefetchedReading?,
    retryDelays: [Double]
  ) throws(SyncFailure) -> any MailStore {
    let traits = store.traits
    var survey = LocalSurvey(
      context.mailboxes,
      runState,
      tellsVanished: traits.tellsVanished,
      mayHaveVanished: mailboxes.contains(where: \.mayHaveVanished),
      prefetched: prefetched
    )
    let findings = mailboxes.map { mailbox in
      let finding = survey.look(at: mailbox)
      if case .settled(let settlement?) = finding { reportSettlement(settlement, of: mailbox) }
      return finding
    }
    prefetched?.end()
    let jobs = WorkPlan(
      mailboxes,
      findings,
      batches: traits.batchesQuestions,
      isWindowed: context.mailboxes.fetchSince != nil
    ).jobs
    let queue = JobQueue(jobs)
    startHelpers(queue, traits, count: helperCount(jobs))
    var trash = mailboxes.first { $0.role == .trash }
    if let trash { context.trash.takesPart(trash) }
    defer {
      queue.close()
      // One that is still connecting finds nothing to do and goes by itself; it is not waited for.
      queue.waitUntilIdle()
    }
    let open = try lead(store, queue, retryDelays) { again(trash.take(), queue) }
    // Where Trash was asked about in vain.
    try? open.expect([])
    return open
  }

  /// Reports a mailbox in which nothing is to be done though its files changed.
  private func reportSettlement(_ settlement: LocalSurvey.Settlement, of mailbox: MirroredMailbox) {
    let (plan, name) = (settlement.plan, mailbox.path.display)
    if !plan.blocked.isEmpty { context.report(.planned(mailbox: name, plan, moves: [:])) }
    var report = MailboxReport(mailbox: name)
    report.add(plan.blocked)
    var entry = settlement.entry
    entry.blocked = BlockedDifferences(context, runState).report(plan, of: mailbox)
    runState.add(report, entry, deletions: 0)
    context.report(.mailbox(report))
  }

  // MARK: Connections

  private var limit: Int {
    min(context.account.sync.connections, server.connectionLimit ?? .max)
  }

  /// Another connection costs several round trips: it must have enough mailboxes or messages to be worth it.
  private func helperCount(_ jobs: [Job]) -> Int {
    let messages = jobs.reduce(0) { $0 + $1.expectedMessages }
    guard jobs.count > 4 || jobs.count > 1 && messages > 200 else { return 0 }
    return jobs.count - 1
  }

  /// Starts so many further connections, as far as the account may have more.
  private func startHelpers(_ queue: JobQueue, _ traits: StoreTraits, count: Int) {
    for _ in 0..<count {
      let number = wanted.withLock { wanted -> Int? in
        guard wanted < limit else { return nil }
        wanted += 1
        return wanted
      }
      guard let number else { return }
      _ = try? Thread.spawn(name: "connection \(number)") { help(queue, traits) }
    }
  }

  /// A further connection: it helps while it can, and its end is no failure.
  private func help(_ queue: JobQueue, _ traits: StoreTraits) {
    let store: any MailStore
    do throws(SyncFailure) {
      store = try server.openAnother(like: traits, isWriting: context.isWriting)
    } catch {
      return server.learn(from: error, connections: live.withLock { $0 })
    }
    live.withLock { $0 += 1 }
    defer {
      store.close()
      live.withLock { $0 -= 1 }
    }
    while let work = queue.next() {
      guard let failure = perform(work, store, queue) else { continue }
      return server.learn(from: failure, connections: live.withLock { $0 } - 1)
    }
  }

  private func lead(
    _ first: any MailStore,
    _ queue: JobQueue,
    _ retryDelays: [Double],
    last: () -> Job?
  ) throws(SyncFailure) -> any MailStore {
    var store = first
    let traits = first.traits
    var delays = ReconnectDelays(retryDelays)
    while let work = queue.next() ?? last().map(JobQueue.Work.job) {
      guard let failure = perform(work, store, queue) else { continue }
      store.close()
      let fetched = context.fetches.withLock { $0.answers }
      delays.noteLoss(after: context.uploads.attempts, besides: fetched)
      store = try reopen(after: failure, traits, &delays)
    }
    return store
  }

  /// Trash once more, where the run moved messages there: so they are here at once, and not gone until the next run.
  ///
  /// Not where a move was left undone: what arrived in Trash may be that message, and the next run sees both together.
  private func again(_ trash: MirroredMailbox?, _ queue: JobQueue) -> Job? {
    let current = runState.current
    guard let trash, current.report.total.trashed > 0, !context.interruption.isRequested,
      case .complete = current.report.outcome, !current.hasOpenMoves
    else { return nil }
    let entry = current.summary.entries[trash.name.wire]
    let gained = UInt32(clamping: current.report.total.trashed)
    return queue.add(Job(trash.again(entry, gaining: gained)))
  }

  /// A new connection in place of a broken one; waits longer each time.
  private func reopen(
    after failure: SyncFailure,
    _ traits: StoreTraits,
    _ delays: inout ReconnectDelays
  ) throws(SyncFailure) -> any MailStore {
    var failure = failure
    while failure.isBreak, let delay = delays.next() {
      context.report(.step("connection lost, trying again in \(Int(delay)) s"))
      guard context.interruption.sleep(seconds: delay) else { throw .interrupted }
      do throws(SyncFailure) {
        return try server.openAnother(like: traits, isWriting: context.isWriting)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Gives what makes the connection useless, nil when it can go on.
  private func perform(
    _ work: JobQueue.Work,
    _ store: any MailStore,
    _ queue: JobQueue
  ) -> SyncFailure? {
    switch work {
    case .job(let job): return self.work(job, store, queue)
    case .help(let download):
      defer { queue.finish() }
      return download.help(over: store)
    }
  }

  /// Does one job; gives what makes the connection useless, nil when it can go on.
  private func work(_ job: Job, _ store: any MailStore, _ queue: JobQueue) -> SyncFailure? {
    let traits = store.traits
    let attempts = context.nextAttempts
    let sync = GroupSync(context, runState, store) { download in
      if !queue.offer(download) { startHelpers(queue, traits, count: 1) }
    }
    do throws(SyncFailure) {
      try sync.syncMailboxes(job.mailboxes)
      queue.finish()
      return nil
    } catch {
      do throws(SyncFailure) {
        if try store.recover(from: error) { return work(job, store, queue) }
      } catch {
        queue.giveBack(job)
        return error
      }
      let doesOtherwise = sync.doesOtherwise || context.triesOtherwise(than: attempts)
      if error.isBreak { context.breaks.withLock { $0 += 1 } }
      guard error.isProtocolViolation, job.isInseparable, !doesOtherwise else {
        queue.giveBack(job)
        return error
      }
      context.report(.problem(mailbox: job.display, error))
      runState.markPartial()
      queue.finish()
      return error
    }
  }
}
