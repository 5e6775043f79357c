internal import Configuration
internal import Glibc
internal import MailModel
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission

/// Sends what waits before anything is fetched; whatever goes wrong with that, the fetch goes on.
struct OutboxStage: Sendable {
  private let configuration: Configuration
  private let reporter: any Reporter
  private let outboxes = SpoolPlace.roots().map { Outbox(root: $0, user: geteuid()) }
  private let found = Monitor([ExitStatus]())

  init(_ configuration: Configuration, _ reporter: any Reporter) {
    self.configuration = configuration
    self.reporter = reporter
  }

  /// What came of the queues, for the status of the program.
  var statuses: [ExitStatus] { found.withLock { $0 } }

  /// Sends with the accounts that are not synced, and says what waits in queues that nothing works on; gives the names of all
  /// these.
  func flushOthers(than accounts: [Account]) -> [String] {
    let synced = accounts.filter { $0.server != nil }.map(\.name)
    let others = configuration.senders.map(\.name).filter { !synced.contains($0) }
    for sender in others { flush(sender) }
    return others + warnOfStranded()
  }

  /// The names of accounts that are no longer in the configuration, but have mail, which must not be forgotten.
  ///
  /// What lies in the system's place may be root's to send.
  private func warnOfStranded() -> [String] {
    let own = outboxes.filter { $0.root.parent != SpoolPlace.system }
    return own.flatMap { outbox in
      let accounts = ((try? outbox.spools()) ?? []).map(\.account)
      return accounts.filter { isStranded($0, outbox) }
    }
  }

  private func isStranded(_ account: String, _ outbox: Outbox) -> Bool {
    guard !AccountFlush.isPossible(account, configuration),
      let count = try? AccountFlush(configuration, outbox).stranded(account), count > 0
    else { return false }
    reporter.reportOutbox(OutboxReport(account: account, stranded: count))
    return true
  }

  /// Works on the queue of an account, if there is anything in it.
  func flush(_ account: String) {
    guard !Interruption.shared.isRequested, AccountFlush.isPossible(account, configuration) else {
      return
    }
    for outbox in outboxes { flush(account, outbox) }
  }

  private func flush(_ account: String, _ outbox: Outbox) {
    do throws(SpoolError) {
      guard try outbox.spool(of: account).exists() else { return }
      let outcome = try work(account, outbox)
      FailureNotices(configuration, outbox).deliver(of: account)
      let items = try outbox.items(of: [account], in: [.failed])
      let report = OutboxReport(
        account: account,
        secret: configuration.sender(named: account).map { OfferedSecret($0) },
        outcome: outcome,
        failed: items.count { !$0.isSentWithoutCopy },
        uncopied: items.count(where: \.isUnseenWithoutCopy)
      )
      found.withLock { $0.append(report.status) }
      reporter.reportOutbox(report)
    } catch {
      let report = OutboxReport(account: account, error: error)
      found.withLock { $0.append(report.status) }
      reporter.reportOutbox(report)
    }
  }

  /// Seconds until the first entry of an account's queue is due, 0 where one is; nil where none waits for its time.
  func delay(of account: String) -> Double? {
    let now = Clock.now()
    let first = outboxes.compactMap { (try? due(account, $0, now)) ?? nil }.min()
    return first.map { Double(max(0, $0 - now)) }
  }

  private func due(
    _ account: String,
    _ outbox: Outbox,
    _ now: Int64
  ) throws(SpoolError) -> Int64? {
    let spool = outbox.spool(of: account)
    guard try spool.exists() else { return nil }
    let block = try spool.block()
    var moments: [Int64] = []
    for item in try outbox.items(of: [account], in: [.queue]) {
      guard let step = item.content?.progress.next(now: now, .standard) else { continue }
      if let moment = Self.moment(of: step, block, now) { moments.append(moment) }
    }
    return moments.min()
  }

  private static func moment(of step: NextStep, _ block: SendingBlock?, _ now: Int64) -> Int64? {
    switch step {
    case .wait(let until): return until
    case .send:
      guard let block else { return now }
      // What a person has to mend is no matter of time.
      return block.reason == .unreachable ? max(now, block.until) : nil
    case .perform, .split, .giveUp, .fail, .hold, .finish: return now
    }
  }

  /// The messages of an account that entries of its queue are to move or to remove; nil where that cannot be told.
  func requests(of account: String) -> [MessageReference]? {
    do throws(SpoolError) {
      var messages: [MessageReference] = []
      for outbox in outboxes {
        messages += try SpooledRequests(outbox.spool(of: account)).departing()
      }
      return messages
    } catch {
      return nil
    }
  }

  /// Works on the queue; nil where there is nothing to be done.
  private func work(
    _ account: String,
    _ outbox: Outbox
  ) throws(SpoolError) -> AccountFlush.Outcome? {
    guard try outbox.spool(of: account).hasWork() else { return nil }
    // No fetch is to wait long for a server that sends.
    let flush = AccountFlush(configuration, outbox, options: .brief)
    return try flush.flushQueue(account, interruption: .shared) { _ in }
  }
}
