internal import Configuration
internal import IMAP
internal import MailModel
internal import Platform

/// Works off a run's mailboxes over one connection, or several where there is enough to do.
struct ConnectionPool {
  private let context: AccountContext
  private let dialer: Dialer
  private let ledger: RunLedger
  private let isQuickResync: Bool
  /// How many connections are open.
  private let live = Monitor(1)

  init(_ context: AccountContext, _ dialer: Dialer, _ ledger: RunLedger, isQuickResync: Bool) {
    self.context = context
    self.dialer = dialer
    self.ledger = ledger
    self.isQuickResync = isQuickResync
  }

  /// Mirrors the mailboxes in order; gives what ended the run early, nil when nothing did.
  ///
  /// The connection is closed when it returns.
  func run(
    _ mailboxes: [MirroredMailbox],
    on connection: Connection,
    retryDelays: [Double]
  ) -> SyncFailure? {
    let survey = LocalSurvey(context, ledger, isQuickResync: isQuickResync)
    let jobs = WorkPlan(mailboxes, survey).jobs
    let queue = JobQueue(jobs)
    startHelpers(queue, count: helperCount(jobs))
    let trash = mailboxes.first { $0.role == .trash }
    let failure = lead(connection, queue, retryDelays, trash)
    queue.close()
    // One that is still connecting finds nothing to do and goes by itself; nobody waits for it.
    queue.waitUntilIdle()
    return failure
  }

  // MARK: Connections

  /// Another connection costs several round trips: it must have enough mailboxes or messages to be worth it.
  private func helperCount(_ jobs: [Job]) -> Int {
    let messages = jobs.reduce(0) { $0 + $1.expectedMessages }
    guard jobs.count > 4 || jobs.count > 1 && messages > 200 else { return 0 }
    let limit = dialer.memory.traits.connectionLimit(now: Clock.now()) ?? .max
    return min(context.account.sync.connections, limit, jobs.count) - 1
  }

  private func startHelpers(_ queue: JobQueue, count: Int) {
    for number in 0..<count {
      _ = try? Thread.spawn(name: "connection \(number + 2)") { help(queue) }
    }
  }

  /// A further connection: it helps while it can, and its end is nobody's failure.
  private func help(_ queue: JobQueue) {
    let connection: Connection
    do throws(SyncFailure) {
      connection = try dialer.connect()
    } catch {
      return learn(error)
    }
    live.withLock { $0 += 1 }
    defer {
      connection.close()
      live.withLock { $0 -= 1 }
    }
    guard enableResync(connection) else { return }
    while let job = queue.next() {
      guard let failure = work(job, connection, queue) else { continue }
      return learn(failure, less: 1)
    }
  }

  /// Remembers how many connections the server allowed; `less` are those among the open ones that it ended.
  private func learn(_ failure: SyncFailure, less: Int = 0) {
    guard case .notNow(_, .connections, _) = failure else { return }
    let count = live.withLock { $0 } - less
    dialer.memory.note { $0.limitConnections(to: count, now: Clock.now()) }
  }

  private func enableResync(_ connection: Connection) -> Bool {
    guard isQuickResync else { return true }
    let response = try? connection.perform(MailboxListing.enableQuickResync)
    return response?.kind == .ok
  }

  private func lead(
    _ first: Connection,
    _ queue: JobQueue,
    _ retryDelays: [Double],
    _ trash: MirroredMailbox?
  ) -> SyncFailure? {
    var connection = first
    var trash = trash
    defer { connection.close() }
    var delays = retryDelays[...]
    while let job = queue.next() ?? again(trash.take(), queue) {
      guard let failure = work(job, connection, queue) else { continue }
      connection.close()
      do throws(SyncFailure) {
        connection = try redial(after: failure, &delays)
      } catch {
        return error
      }
    }
    return nil
  }

  /// Trash once more, where the run moved messages there: so they are here at once, and not gone until the next run.
  private func again(_ trash: MirroredMailbox?, _ queue: JobQueue) -> Job? {
    let current = ledger.current
    guard let trash, current.report.total.trashed > 0, !context.interruption.isRequested else {
      return nil
    }
    return queue.add(Job(mailboxes: [trash.again(current.summary.entries[trash.name.wire])]))
  }

  /// A new connection in place of a broken one; waits longer each time.
  private func redial(
    after failure: SyncFailure,
    _ delays: inout ArraySlice<Double>
  ) throws(SyncFailure) -> Connection {
    var failure = failure
    while failure.isLostConnection || failure.isProtocolViolation, let delay = delays.popFirst() {
      context.report(.step("connection lost, trying again in \(Int(delay)) s"))
      guard context.interruption.sleep(seconds: delay) else { throw .interrupted }
      do throws(SyncFailure) {
        let connection = try dialer.connect()
        guard enableResync(connection) else { throw failure }
        return connection
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Does one job; gives what makes the connection useless, nil when it can go on.
  private func work(
    _ job: Job,
    _ connection: Connection,
    _ queue: JobQueue
  ) -> SyncFailure? {
    let session = MailboxSession(
      connection,
      isQuickResync: isQuickResync,
      isWriting: context.isWriting
    )
    let sync = GroupSync(context, ledger, session)
    do throws(SyncFailure) {
      try sync.run(job.mailboxes)
      queue.finish()
      return nil
    } catch {
      if case .identityWanted = error, !dialer.memory.traits.needsIdentity {
        return workAgain(job, connection, queue)
      }
      guard error.isProtocolViolation else {
        queue.giveBack(job)
        return error
      }
      context.report(.problem(mailbox: job.display, error))
      ledger.markPartial()
      queue.finish()
      return error
    }
  }

  /// Tells the server the program's name, as it wants, then does the job.
  private func workAgain(
    _ job: Job,
    _ connection: Connection,
    _ queue: JobQueue
  ) -> SyncFailure? {
    dialer.memory.note { $0.needsIdentity = true }
    connection.identify()
    do throws(SyncFailure) {
      try connection.settle()
    } catch {
      queue.giveBack(job)
      return error
    }
    return work(job, connection, queue)
  }
}
