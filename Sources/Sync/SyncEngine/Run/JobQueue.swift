internal import Mailboxes
internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// The jobs of a run that still need a connection, shared by the account's connections.
final class JobQueue: Sendable {
  /// What a connection is to do.
  enum Work: Sendable {
    /// A job, which is finished or given back.
    case job(Job)
    /// Some of the messages that another one fetches, until `finish`.
    case help(SharedDownload)
  }

  private struct State: Sendable {
    var waiting: [Job]
    /// Those for which one more connection is wanted.
    var downloads: [SharedDownload] = []
    /// Connections with nothing to do.
    var idle = 0
    var running = 0
    var returned: Set<UInt64> = []
    var isClosed = false

    mutating func popWork() -> Work? {
      waiting.popLast().map(Work.job) ?? downloads.popLast().map(Work.help)
    }

    /// A worker is no longer at work.
    mutating func end() {
      running -= 1
      downloads.removeAll { !$0.takesHelp }
    }
  }

  private let state: Monitor<State>

  /// A queue in the order of work.
  init(_ jobs: [Job]) {
    state = Monitor(State(waiting: jobs.reversed()))
  }

  /// What is to be done next; waits while others are at work that may come back, nil when all is done.
  func next() -> Work? {
    state.withLock { $0.idle += 1 }
    let result = state.take { state -> Work?? in
      if state.isClosed { return .some(nil) }
      guard let work = state.popWork() else { return state.running == 0 ? .some(nil) : nil }
      state.running += 1
      return work
    }
    state.withLock { $0.idle -= 1 }
    return result ?? nil
  }

  /// Has one more connection fetch messages; false where none is idle, so that one is to be made.
  func offer(_ download: SharedDownload) -> Bool {
    state.update { state in
      guard !state.isClosed else { return true }
      state.downloads.append(download)
      return state.idle >= state.downloads.count
    }
  }

  /// Takes a further job upon itself; nil where no further job is to begin.
  func add(_ job: Job) -> Job? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.running += 1
      return job
    }
  }

  /// What was to be done is done, well or badly.
  func finish() {
    state.update { $0.end() }
  }

  /// The connection broke under a job: another one may take it.
  ///
  /// The second time it goes behind all others, so that one on which the server stumbles every time
  /// does not keep them from being mirrored; for the same reason a batch comes back in pieces.
  func giveBack(_ job: Job) {
    state.update {
      $0.end()
      for piece in job.pieces.reversed() {
        let isFirst = !job.isInseparable || $0.returned.insert(piece.id).inserted
        $0.waiting.insert(piece, at: isFirst ? $0.waiting.endIndex : 0)
      }
    }
  }

  /// No further job is to begin.
  func close() {
    state.update {
      $0.isClosed = true
      $0.downloads = []
    }
  }

  /// Waits until no worker is at work.
  func waitUntilIdle() {
    state.wait { $0.running == 0 }
  }
}

/// Mailboxes that are worked on together over one connection; as a rule just one.
struct Job: Sendable {
  /// In the order of work.
  let mailboxes: [MirroredMailbox]
  /// Whether they have to be seen together; if not, it is for the sake of speed that they are one job.
  let isInseparable: Bool

  init(_ mailbox: MirroredMailbox) {
    mailboxes = [mailbox]
    isInseparable = true
  }

  /// The job of a group, of the mailboxes by their ids.
  init(_ group: Schedule.Group, _ byID: [UInt64: MirroredMailbox]) {
    mailboxes = group.mailboxes.compactMap { byID[$0] }
    switch group {
    case .inseparable: isInseparable = true
    case .batch: isInseparable = mailboxes.count < 2
    }
  }

  /// The jobs that are left to do where it came to no end: of a batch each mailbox by itself.
  var pieces: [Job] { isInseparable ? [self] : mailboxes.map { Job($0) } }

  /// What tells it from other jobs of the run.
  var id: UInt64 { mailboxes.first?.id ?? 0 }

  /// What people call it; nil where it is several mailboxes.
  var display: String? { mailboxes.count == 1 ? mailboxes[0].path.display : nil }

  /// About how many messages are to be fetched.
  var expectedMessages: Int { mailboxes.reduce(0) { $0 + $1.expectedMessages } }
}

/// The jobs of a run: what a look at each mailbox without the server gave, and what `Schedule` makes of it.
struct WorkPlan {
  /// In the order of work.
  let jobs: [Job]

  /// `batches` says that the server answers questions about several mailboxes in one round trip, `isWindowed` that messages are
  /// chosen by their age.
  init(
    _ mailboxes: [MirroredMailbox],
    _ findings: [LocalSurvey.Finding],
    batches: Bool,
    isWindowed: Bool
  ) {
    let candidates = zip(mailboxes, findings).map { Self.candidate($0, $1, isWindowed) }
    let byID = mailboxes.keyed(by: \.id)
    jobs = Schedule.groups(candidates, batches: batches).map { Job($0, byID) }
  }

  private static func candidate(
    _ mailbox: MirroredMailbox,
    _ finding: LocalSurvey.Finding,
    _ isWindowed: Bool
  ) -> Schedule.Candidate {
    var (needsWork, hasAbsences, sources) = (false, false, Set<UInt64>())
    if case .work(let absences, let pending) = finding {
      (needsWork, hasAbsences, sources) = (true, absences, pending)
    }
    return Schedule.Candidate(
      mailbox: mailbox.id,
      needsWork: needsWork,
      hasAbsences: hasAbsences,
      // Of those that had to wait for a run that sees them together (`MoveRaceCheck`), none ends before the others do.
      mayHaveVanished: mailbox.mayHaveVanished || isWindowed && mailbox.entry?.isComplete == false,
      sources: sources,
      newMessages: mailbox.entry == nil ? mailbox.status?.messages ?? 0 : nil,
      expected: mailbox.entry == nil && mailbox.status?.messages == nil
        ? .max : mailbox.expectedMessages,
      recorded: mailbox.entry?.messages ?? 0
    )
  }
}
