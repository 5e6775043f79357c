internal import Configuration
package import Platform
package import Spool
internal import SpoolPlan

/// One run over the queue of an account: everything that is due is done, and once more what came meanwhile.
///
/// It has the turn in the queue all the time, and the lock of an entry only as long as that is worked on.
///
/// The order of writes is what keeps mail from being lost or doubled:
/// 1. `sending` is durable in the log before the end of a message is sent.
/// 2. The server's answer is durable in the log before anything else is said or done.
/// 3. The entry of those who were refused is durable before their own is done with.
/// 4. An entry leaves the queue when no recipient and no step is open, its log after it.
///
/// Between the final dot and 2. lies the one window in which a crash makes a second message.
///
/// Behind the dot go the commands of the next message up to DATA, where the server takes that: they give the server nothing.
/// That message is found without its lock and is locked at its turn, so commands about it are carried out meanwhile; its text
/// goes behind 1. of its own, and behind 2. of the one before. Where its log says something else by then, the connection is
/// given up.
///
/// Where the server takes messages as chunks (`PipeliningRules`), up to eight go at once: 1. holds for all of them before the
/// first goes, under the locks of all, and 2. for each answer as it comes. So up to eight are in the window together, each by
/// its log; the others of the queue stay free to be held, changed and cancelled.
package final class QueueRun {
  let spool: Spool
  let submitter: Submitter?
  let options: QueueOptions
  let interruption: Interruption
  let report: (QueueEvent) -> Void
  var performer: (any StepPerformer)?

  var connection: SubmissionConnection?
  var result = QueueReport()

  /// Whether nothing more can be sent in this run.
  var isStopped = false

  /// The recipients for whom entries were offered to the server in this run: even a person waits after that.
  var offered: [EntryID: Set<Int>] = [:]

  /// Entries that there is nothing more to do for in this run.
  var settled: Set<EntryID> = []

  /// Entries that a run over some entries leaves alone: those that were there before it.
  ///
  /// What comes meanwhile is left to this run by who hands it in, and finds the queue taken.
  private var passedOver: Set<EntryID> = []

  /// Messages that were refused for now in an earlier run: they wait until all others had their turn in this one.
  var late: Set<EntryID> = []

  /// Messages that are offered for one recipient at a time: at one of theirs the server hung up.
  var singly: Set<EntryID> = []

  /// What was under way when the connection was lost last: a message, and the first recipient that it was offered for;
  /// `nil` once a server has served one to its end.
  var lost: Offer?

  /// The entries that this round comes to from here on, in its order.
  var upcoming: ArraySlice<EntryID> = []

  /// Entries whose messages went together with the one that is worked on, and which are worked on next.
  var landed: [FlightMember] = []

  /// Entries whose logs have names that are sure to last.
  var logged: Set<EntryID> = []

  /// The entry that comes next, as the server was told of it; `nil` where it was told of none.
  var ahead: ReadyEntry?

  /// What was seen of the server, behind the end of messages.
  var experience = PipeliningRules.Experience.none

  struct Offer: Equatable {
    let entry: EntryID
    let recipient: Int?
  }

  /// What was in the way before this run connected; `nil` for nothing, and once a server has served a message.
  var previous: SendingBlock?

  /// Read when the first entry for a message of the server comes.
  var claims: MessageClaims?

  /// Entries that are done, and whose logs are still to go.
  let retired: RetiredEntries

  /// Seconds to wait for a process that changes an entry, and for the end of a turn that does not take this run's message.
  static let lockTimeout = 60.0

  /// A run.
  ///
  /// - Parameters:
  ///   - spool: the account's spool, prepared.
  ///   - submitter: sends; without one, for an account that only has mailboxes, what is to be sent stays.
  ///   - options: how it is worked on.
  ///   - performer: does the work on the IMAP server; without one that is left for later.
  ///   - interruption: ends the run between two messages.
  ///   - report: is told what happens.
  package init(
    _ spool: Spool,
    _ submitter: Submitter?,
    options: QueueOptions = QueueOptions(),
    performer: (any StepPerformer)? = nil,
    interruption: Interruption,
    report: @escaping (QueueEvent) -> Void
  ) {
    self.spool = spool
    self.submitter = submitter
    self.options = options
    self.performer = performer
    self.interruption = interruption
    self.report = report
    retired = RetiredEntries(spool)
  }

  /// Works on the queue, and says how it stands then.
  ///
  /// - Throws: `SpoolError` when the spool cannot be worked on; what was done stays done.
  package func processQueue() throws(SpoolError) -> QueueReport {
    defer {
      hangUp()
      retired.finish()
    }
    if let only = options.only { passedOver = Set(try spool.entries(.queue)).subtracting(only) }
    let timeout = options.fresh == nil ? 0 : Self.lockTimeout
    if let turn = try QueueTurn.acquire(spool, timeout: timeout) {
      defer { withExtendedLifetime(turn) {} }
      try begin()
      try round()
      // A process that added an entry so far has found the turn taken, and left the entry to this one. What comes from here on
      // is the next one's: else a run would never end while new mail keeps coming.
      turn.close()
      try round()
    } else {
      result.ending = .busy
    }
    if interruption.isRequested { result.ending = .interrupted }
    result.waiting = try spool.entries(.queue).count
    return result
  }

  private func begin() throws(SpoolError) {
    guard let work = try LockedSpool.acquire(spool, timeout: Self.lockTimeout) else {
      throw .busy(spool.path)
    }
    try work.tidy()
    // Who hands in a message works on the queue, too: that does not show that anything runs by itself.
    if options.fresh == nil { spool.noteRun() }
    guard let submitter, let block = try spool.block(), !options.isForced,
      block.holds(now: Clock.now(), digest: submitter.sender.digest, options.schedule)
    else { return }
    // What was handed in just now earns an attempt, unless a person is needed.
    if options.fresh != nil, block.reason == .unreachable { return }
    result.block = block
    isStopped = true
    report(.blocked(block, nil))
  }

  /// Works on what is there and was not worked on yet, once.
  private func round() throws(SpoolError) {
    let due = try candidates()
    if due.count > 1 { retired.freeInBackground() }
    // What is late has its turn behind all others.
    for _ in 1...2 {
      upcoming = due[...]
      while let id = upcoming.popFirst() {
        try takeFresh(among: due)
        guard !interruption.isRequested else { break }
        guard !settled.contains(id), !isLate(id) else { continue }
        settled.insert(id)
        try processEntry(id)
        try workOnLanded()
        try retired.removeManyLogs()
      }
    }
    try retired.removeLogs()
  }

  /// Where a connection was lost, the message handed in just now is the next one, so that older ones never keep it from
  /// its attempt.
  private func takeFresh(among due: [EntryID]) throws(SpoolError) {
    guard lost != nil, let id = options.fresh, due.contains(id), !interruption.isRequested,
      settled.insert(id).inserted
    else { return }
    try processEntry(id)
    try workOnLanded()
  }

  /// Whether a message is to wait for those that no server has said anything against: two at which connections break off
  /// would else be the first of each run, and the last.
  ///
  /// Asked again it is not.
  private func isLate(_ id: EntryID) -> Bool {
    guard !late.contains(id) else { return false }
    // A log that cannot be understood is reported where the entry is worked on.
    guard let log = try? spool.log(of: id), log.contains(where: \.fact.isRefusalForNow) else {
      return false
    }
    late.insert(id)
    return true
  }

  private func candidates() throws(SpoolError) -> [EntryID] {
    try spool.entries(.queue).filter { id in
      !settled.contains(id) && !passedOver.contains(id)
    }
  }

  func hangUp() {
    connection?.close()
    (connection, ahead) = (nil, nil)
  }
}
