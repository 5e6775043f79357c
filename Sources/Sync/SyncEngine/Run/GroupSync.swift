internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Octets
internal import SyncPlan
internal import SyncState

/// Mirrors mailboxes that have to be seen together, since messages may have moved between them; often
/// it is just one.
///
/// Reads all of them, has them planned as a whole, and carries the plans out: records, pushes,
/// downloads, deletions last.
///
/// Used by one thread.
final class GroupSync {
  let context: AccountContext
  let runState: RunState
  let store: any MailStore
  /// Has one more connection fetch messages.
  let askForHelp: @Sendable (SharedDownload) -> Void
  /// What the steps came to so far.
  private(set) var outcome = StepOutcome()
  /// The mailboxes that could not be read.
  private(set) var unread: Set<MailboxName> = []
  /// Whether what broke the connection is not tried again, so that another connection does better.
  private(set) var doesOtherwise = false
  /// The mailboxes, by id, of which the report of the run has what came of them.
  private var reported: Set<UInt64> = []

  init(
    _ context: AccountContext,
    _ runState: RunState,
    _ store: any MailStore,
    askForHelp: @escaping @Sendable (SharedDownload) -> Void
  ) {
    self.context = context
    self.runState = runState
    self.store = store
    self.askForHelp = askForHelp
  }

  /// Mirrors the mailboxes in order.
  ///
  /// One that fails is reported and left alone. What was done is durable when it returns, and when it throws.
  ///
  /// - Throws: `SyncFailure` that ends the connection.
  func syncMailboxes(_ mailboxes: [MirroredMailbox]) throws(SyncFailure) {
    let group = try open(mailboxes)
    // All of them are looked at again, together with the one that turned out to be another mailbox.
    if mailboxes.contains(where: context.facts.isPutOff) { return }
    defer { for mailbox in group where !isReported(mailbox) { reportUnfinished(mailbox) } }
    let outOfWindow = OutOfWindowListing(context.mailboxes, store, group)
    try each(group) { mailbox, _ throws(SyncFailure) in try outOfWindow.list(in: mailbox) }
    ConsistentScan(group).rereadMaildirs()
    if !context.options.isDryRun { try resolveLeftovers(group) }
    try plan(group)
    guard !context.options.isDryRun else {
      for mailbox in group { reportPlanned(mailbox) }
      return
    }
    let tags = TagKeeping(context, group)
    try execute(group)
    try keepNames(group)
    try resolveMissingUploads(group)
    try all(group) { mailboxes, outcome in noteKeywords(of: mailboxes, &outcome) }
    try merging { outcome in tags.updateTags(after: self.outcome, &outcome) }
    try finish(group)
  }

  /// The server begins to answer for all of them while it is looked what is here.
  private func open(_ mailboxes: [MirroredMailbox]) throws(SyncFailure) -> [OpenMailbox] {
    let all = mailboxes.map { ($0, MailboxOpening(context.mailboxes, store, $0)) }
    // What is open last need not be opened once more to move or remove its messages.
    let openings = all.filter { !$0.1.hasFileless } + all.filter(\.1.hasFileless)
    let takesNew = takesNewMessages(of: mailboxes)
    let questions = openings.compactMap { $0.1.expectedQuestion(takesNew: takesNew) }
    if questions.contains(where: { $0.newMessages > 0 }) { willDoOtherwise() }
    try store.expect(questions)
    var group: [OpenMailbox] = []
    for (mailbox, opening) in openings {
      context.report(.state(.headers))
      do throws(SyncFailure) {
        let opened = try opening.open()
        if opened.isRematched { noteRematch(of: opened) }
        reportMissing(opened)
        group.append(opened)
      } catch {
        guard !error.endsRun else { throw error }
        unread.insert(mailbox.name)
        if !context.facts.isPutOff(mailbox) { report(error, mailbox) }
        try store.drainAnswers()
      }
    }
    let places = Dictionary(first: mailboxes.enumerated().map { ($1.id, $0) })
    return group.sorted { (places[$0.mailbox.id] ?? 0) < (places[$1.mailbox.id] ?? 0) }
  }

  /// Whether all messages above UIDNEXT are to be fetched whole, as far as counts show.
  ///
  /// No message is gone from a mailbox of the group that may have been moved to another one, and no connection broke, which one
  /// of them may have caused.
  private func takesNewMessages(of mailboxes: [MirroredMailbox]) -> Bool {
    context.mailboxes.fetchesAll && !context.hasBroken
      && !mailboxes.contains(where: \.mayHaveVanished)
  }

  /// What the last run left open.
  private func resolveLeftovers(_ group: [OpenMailbox]) throws(SyncFailure) {
    try each(group) { mailbox, outcome throws(SyncFailure) in
      var resolver = IntentResolver(context, store)
      defer { outcome.merge(resolver.outcome) }
      try resolver.resolveIntents(mailbox, in: group)
    }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      var resolver = IntentResolver(context, store)
      defer { outcome.merge(resolver.outcome) }
      try resolver.expungePending(mailbox, in: group)
    }
    let completed = CompletedFiles(group)
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try completed.correctRecords(mailbox, &outcome)
    }
    let returned = try ReturnedPartialFiles(context, group)
    try each(group) { mailbox, _ throws(SyncFailure) in try returned.correctRecords(mailbox) }
    let movedFiles = MovedFilesByKey(store, group)
    try each(group) { mailbox, _ throws(SyncFailure) in try movedFiles.recordMoves(mailbox) }
    let fetches = UnrecordedFetches(context.mailboxes, runState, group)
    try each(group) { mailbox, _ throws(SyncFailure) in try fetches.recordFetches(mailbox) }
  }

  // MARK: Steps

  /// Does a step in every mailbox; one in which it fails is reported and left alone from then on.
  func each(
    _ group: [OpenMailbox],
    _ step: (OpenMailbox, inout StepOutcome) throws(SyncFailure) -> Void
  ) throws(SyncFailure) {
    for mailbox in group where !mailbox.hasFailed {
      do throws(SyncFailure) {
        try merging { outcome throws(SyncFailure) in try step(mailbox, &outcome) }
      } catch {
        guard !error.endsConnection else { throw error }
        giveUp(mailbox, error)
        try store.drainAnswers()
      }
    }
  }

  /// Does a step in all mailboxes at once; those in which it fails are reported and left alone from then on.
  func all(
    _ group: [OpenMailbox],
    _ step: ([OpenMailbox], inout StepOutcome) throws(SyncFailure) -> [MailboxFailure]
  ) throws(SyncFailure) {
    let open = group.filter { !$0.hasFailed }
    guard !open.isEmpty else { return }
    var failures: [MailboxFailure] = []
    try merging { outcome throws(SyncFailure) in failures = try step(open, &outcome) }
    for (mailbox, failure) in failures where !mailbox.hasFailed {
      guard !failure.endsConnection else { throw failure }
      giveUp(mailbox, failure)
    }
    if !failures.isEmpty { try store.drainAnswers() }
  }

  /// Adds what a step came to, also where it failed in the midst, and says what did not work out.
  func merging(
    _ step: (inout StepOutcome) throws(SyncFailure) -> Void
  ) throws(SyncFailure) {
    var outcome = StepOutcome()
    defer {
      self.outcome.merge(outcome)
      for (mailbox, part) in outcome.parts {
        if !part.refusals.isEmpty { context.report(.refused(part.refusals)) }
        for failure in part.failures {
          context.report(.problem(mailbox: mailbox.mailbox.path.display, failure))
        }
      }
    }
    try step(&outcome)
  }

  private func noteRematch(of mailbox: OpenMailbox) {
    outcome[mailbox].counts.rematched = mailbox.state.messages.count
    outcome[mailbox].counts.detached = mailbox.state.detached.count
  }

  /// The next run has to look at a mailbox again, whatever comes of this one.
  func leaveIncomplete(_ mailbox: OpenMailbox) {
    outcome[mailbox].isComplete = false
  }

  /// What broke the connection is not tried again.
  func willDoOtherwise() { doesOtherwise = true }

  /// The report of the run has what came of a mailbox.
  func noteReported(_ mailbox: OpenMailbox) {
    reported.insert(mailbox.mailbox.id)
  }

  private func isReported(_ mailbox: OpenMailbox) -> Bool {
    reported.contains(mailbox.mailbox.id)
  }

  /// Nothing more is tried in a mailbox in this run.
  func giveUp(_ mailbox: OpenMailbox, _ failure: SyncFailure) {
    report(failure, mailbox.mailbox)
    mailbox.giveUp()
  }

  private func report(_ failure: SyncFailure, _ mailbox: MirroredMailbox) {
    context.report(.problem(mailbox: mailbox.path.display, failure))
    if failure.isPostponedMailbox { runState.markPostponed() } else { runState.markPartial() }
  }

  private func reportMissing(_ mailbox: OpenMailbox) {
    let remote = mailbox.remote
    guard remote.missing > 0 else { return }
    let problem = MailboxProblem.listIncomplete(missing: remote.missing, of: Int(remote.exists))
    report(.mailbox(problem), mailbox.mailbox)
  }
}
