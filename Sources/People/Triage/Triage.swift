package import MailModel
package import Configuration
internal import Correspondence
internal import Maildir
package import Platform
internal import SyncState

/// What people do to messages that they have: durable in the journal first, then in the files, then in the index.
///
/// The files are the truth, and the sync tells the server what they show, as with any client of a Maildir. The journal is
/// there for what they cannot show: what an act was that a crash cut short, and how it was before.
package struct Triage {
  /// What came of an act.
  package struct Result: Sendable {
    /// The act; nil where nothing was to be done.
    package var act: RecordedAct?
    /// How many messages it is about all of whose steps were taken.
    package var messages = 0
    /// The steps that were not taken, by their numbers from 0, since their files were gone.
    package var left: [Int] = []
    /// The steps that were not tried, by their numbers from 0, since one before them of the same message was not taken.
    package var skipped: [Int] = []
    /// The steps that could not be taken, by their numbers from 0, and why.
    package var failed: [(step: Int, error: SystemError)] = []
    /// What could not be done of an act before it that was cut short; nil for nothing.
    package var earlier: Remainder?
    /// Why searches do not show yet what was done, for each account of which they do not.
    package var unindexed: [Explanation] = []

    /// What could not be done of it; nil where all could, as far as the files were there.
    package var remainder: Remainder? {
      guard let act, let first = failed.first else { return nil }
      return Remainder(act: act, count: failed.count, error: first.error)
    }

    /// The steps that were not taken, by their numbers from 0.
    var undone: Set<Int> { Set(left + skipped + failed.map(\.step)) }
  }

  /// What could not be done of an act.
  package struct Remainder: Sendable {
    package let act: RecordedAct
    /// How many of its steps could not be taken.
    package let count: Int
    /// Why the first of them could not.
    package let error: SystemError

    /// What is to be said of it where the act had been cut short.
    package var explanation: Explanation {
      let number = act.act.number
      return Explanation(
        .partial,
        place: "act \(number)",
        "it was cut short, and could not be finished: \(error.description)",
        hint: "magnum log \(number) lists what was done of it"
      )
    }
  }

  let configuration: Configuration
  private let journal: ActJournal
  let now: @Sendable () -> Int64

  /// Acts on the mail of a configuration.
  package init(
    _ configuration: Configuration,
    stateHome: Path,
    now: @escaping @Sendable () -> Int64 = Clock.now
  ) {
    self.configuration = configuration
    journal = ActJournal(stateHome: stateHome)
    self.now = now
  }

  /// What a verb would do to messages; nothing is changed.
  ///
  /// - Parameters:
  ///   - verb: what is done.
  ///   - targets: the messages.
  ///   - finder: what found them.
  ///   - edit: the tags and flags that they get and lose too where they are moved within their account.
  /// - Returns: the steps.
  /// - Throws: that an account has no folder for them.
  package func plan(
    _ verb: TriageVerb,
    _ targets: [Target],
    _ finder: TargetFinder,
    and edit: TagEdit? = nil
  ) throws(Explanation) -> PlannedAct {
    let sorted = Set(configuration.rules.flatMap(\.accounts))
    var planner = ActPlanner(verb, and: edit, sorted: sorted, configuration.accounts) {
      finder.folders(of: $0)
    }
    return try planner.plan(targets)
  }

  /// What rules would do to messages; nothing is changed.
  ///
  /// - Parameters:
  ///   - rules: the rules.
  ///   - query: the messages that they look at; nil for the newest that have arrived.
  ///   - accounts: the accounts whose messages these are; none for all.
  ///   - targets: which files of messages are meant.
  ///   - asking: whether the programs of rules are run.
  /// - Returns: the steps, and the rules that each comes from.
  /// - Throws: a mistake in the query; why an index cannot be read; that it is not clear which files are meant.
  package func plan(
    _ rules: RuleSet,
    _ query: String?,
    accounts: [String],
    _ targets: TargetRules,
    asking: RuleAsking
  ) throws(Explanation) -> RulePlan {
    let scope: RuleSorting.Scope =
      if let query {
        .query(try configuration.query(query, now: rules.now))
      } else {
        .newest(Self.newestLimit)
      }
    var plan = RulePlan()
    for account in try configuration.accounts(named: accounts) where account.isIndexed {
      guard rules.rules.contains(where: { $0.accounts.contains(account.name) })
      else { continue }
      var sorting = try RuleSorting(account, rules, scope, targets, asking)
      try sorting.add(to: &plan)
    }
    return plan
  }

  /// How many messages of an account are looked at where none are named.
  private static let newestLimit = 100

  /// Does it; durable on return, and visible in the files and the index.
  ///
  /// - Parameters:
  ///   - plan: what is to be done.
  ///   - command: the words of the command, for people.
  ///   - undoing: the number of the act that it takes back; nil for none.
  ///   - origin: who asks for it.
  ///   - begin: is told the number of the act before that is written down; what it throws keeps it from being done.
  /// - Returns: what came of it.
  /// - Throws: that it could not be written down, or that messages are not whole that have to be: then nothing is done.
  package func carryOut(
    _ plan: PlannedAct,
    command: [UInt8],
    undoing: Int? = nil,
    by origin: ActOrigin = .person,
    _ begin: (_ number: Int) throws(Explanation) -> Void = { (_) throws(Explanation) in }
  ) throws(Explanation) -> Result {
    guard !plan.steps.isEmpty else { return Result() }
    let partial = PartialFiles(configuration.accounts)
    for file in plan.incomplete { try partial.checkWhole(file: file.path, "not passed on") }
    let writer = try writer(finishing: false)
    let earlier = try finishUnfinished(writer)
    let steps = plan.steps.map(\.step)
    let chains = try chains(of: steps, undoing: undoing)
    try begin(writer.nextNumber)
    let act = try explaining(.cannotCreate) { () throws(SystemError) in
      try writer.begin(command, steps, undoing: undoing, by: origin, now: now())
    }
    var result = try takeSteps(act, plan.steps.map(\.seen), chains, writer)
    result.messages = plan.messages(without: result.undone)
    result.earlier = earlier?.remainder
    let others = earlier?.unindexed ?? []
    result.unindexed += others.filter { !result.unindexed.map(\.place).contains($0.place) }
    return result
  }

  /// Brings an act to its end that a crash cut short.
  ///
  /// - Returns: what came of it; nil where there was none.
  /// - Throws: that the journal cannot be read, or another process keeps it.
  @discardableResult
  package func finish() throws(Explanation) -> Result? {
    guard journal.isThere else { return nil }
    return try finishUnfinished(try writer(finishing: false))
  }

  private func finishUnfinished(_ writer: ActJournal.Writer) throws(Explanation) -> Result? {
    try writer.unfinished.map { (act) throws(Explanation) in try finish(act, writer) }
  }

  /// The acts, the newest first.
  ///
  /// - Throws: that the journal cannot be read.
  package func acts(atLeast limit: Int) throws(Explanation) -> [RecordedAct] {
    try explaining(.noInput) { () throws(SystemError) in try journal.acts(atLeast: limit) }
  }

  /// The last act of a person before another one that is in effect and that can be taken back, as a whole or in part.
  ///
  /// - Throws: that the journal cannot be read.
  package func actBefore(_ later: RecordedAct) throws(Explanation) -> RecordedAct? {
    try actsOfPersons().first { act in
      act.act.number < later.act.number && Self.isOfPerson(act.act) && !act.standing.isEmpty
        && act.act.steps.contains { step in
          if case .removal = step.change { false } else { true }
        }
    }
  }

  /// Whether a person asked for an act, which does not take back another one.
  ///
  /// What an agent or a rule did last is not what a person wants to take back without naming it.
  private static func isOfPerson(_ act: Act) -> Bool { act.undoing == nil && act.origin == .person }

  /// The acts as far back as the last ones of a person, however many others there are.
  private func actsOfPersons() throws(Explanation) -> [RecordedAct] {
    try explaining(.noInput) { () throws(SystemError) in
      try journal.acts(atLeast: Self.undoDepth, where: Self.isOfPerson)
    }
  }

  /// How many acts of agents a time has seen in an account.
  ///
  /// - Parameters:
  ///   - account: the name of the account in which they changed messages.
  ///   - start: the beginning, in seconds since 1970.
  /// - Returns: the acts that are in the journal, whatever became of them.
  /// - Throws: that the journal cannot be read.
  package func agentActs(in account: String, since start: Int64) throws(Explanation) -> Int {
    let acts = try explaining(.noInput) { () throws(SystemError) in
      try journal.acts(since: start)
    }
    return acts.count { recorded in
      guard case .agent = recorded.act.origin else { return false }
      return recorded.act.steps.contains { $0.account == account }
    }
  }

  /// How often rules did something to messages that came, from a moment on.
  ///
  /// - Parameter start: the moment, in seconds since 1970.
  /// - Returns: by rule and account, the number of messages and when it did so last, in seconds since 1970.
  /// - Throws: that the journal cannot be read.
  package func ruleUse(since start: Int64) throws(Explanation) -> RuleUse {
    let acts = try explaining(.noInput) { () throws(SystemError) in
      try journal.acts(since: start)
    }
    return RuleUse(acts.map(\.act))
  }

  /// The rules that rest since servers refuse what they do; those of before the configuration was written do not count.
  ///
  /// - Throws: that the journal cannot be read.
  package func restingRules() throws(Explanation) -> RestingRules {
    guard hasJournal else { return RestingRules([]) }
    return try explaining(.noInput) { () throws(SystemError) in
      let modified = try FileSystem.status(configuration.path)?.fingerprint.modified ?? 0
      let start = max(modified / 1_000_000_000, now() - RestingRules.memory)
      return RestingRules(try journal.acts(since: start))
    }
  }

  /// How an act would be taken back; nothing is changed.
  ///
  /// - Parameter number: the act; nil for a person's last that is in effect, and does not itself take back another.
  /// - Returns: the way back.
  /// - Throws: that there is no such act, or it is taken back already.
  package func planUndo(_ number: Int?) throws(Explanation) -> UndoPlan {
    try finish()
    let acts = try number == nil ? actsOfPersons() : acts(atLeast: .max)
    let chosen = acts.first { act in
      guard let number else { return Self.isOfPerson(act.act) && !act.standing.isEmpty }
      return act.act.number == number
    }
    guard let chosen else {
      throw Explanation(
        .partial,
        number.map { "there is no act \($0)" } ?? "there is nothing to undo",
        hint: number == nil ? nil : "magnum log lists them"
      )
    }
    if let other = chosen.undoneBy, chosen.standing.isEmpty {
      throw Explanation(
        .partial,
        "act \(chosen.act.number) is undone already",
        hint: "magnum undo \(other) does it again"
      )
    }
    let undone = acts.first { $0.act.number == chosen.act.undoing }
    var planner = UndoPlanner(configuration.accounts)
    var undo = try explaining(.noInput) { () throws(SystemError) in
      try planner.plan(chosen, undone: undone)
    }
    var copies = SyncedCopies(configuration.accounts)
    undo.remnants = try copies.remnants(of: undo.plan.steps.map(\.step))
    return undo
  }

  /// How many acts of persons are looked at for the last that is in effect: months are read whole.
  private static let undoDepth = 100

  // MARK: Steps

  var hasJournal: Bool { journal.isThere }

  var accounts: [Account] { configuration.accounts }

  func writer(finishing: Bool = true) throws(Explanation) -> ActJournal.Writer {
    let found = try explaining(.cannotCreate) { () throws(SystemError) in try journal.writer() }
    guard let found else {
      throw Explanation(
        .tryAgain,
        place: journal.directory.display,
        "another command is at work",
        hint: "try again when it has ended"
      )
    }
    if finishing { _ = try finishUnfinished(found) }
    return found
  }

  private func finish(
    _ act: RecordedAct,
    _ writer: ActJournal.Writer
  ) throws(Explanation) -> Result {
    let steps = act.act.steps
    let chains = try chains(of: steps, undoing: act.act.undoing)
    let unseen = [ScannedFile?](repeating: nil, count: steps.count)
    var result = try takeSteps(act, unseen, chains, writer)
    let undone = Set(result.undone.map { chains.file(of: steps[$0]) })
    result.messages = Set(steps.map(chains.file)).subtracting(undone).count
    // What was done before the crash is no longer a change, and the index may lack it.
    let names = Set(steps.map(\.account))
    for account in configuration.accounts where names.contains(account.name) && account.isIndexed {
      result.unindexed.removeAll { $0.place == account.name }
      result.unindexed += [IndexNote.scan(account)].compactMap { $0 }
    }
    return result
  }

  /// Which steps belong together: where copies are removed, the act that is taken back tells whose they are.
  private func chains(of steps: [ActStep], undoing: Int?) throws(Explanation) -> StepChains {
    let own = Act(number: 0, time: 0, command: [], steps: steps)
    let removes = steps.contains { if case .removal = $0.change { true } else { false } }
    guard removes, let undoing else { return StepChains([own]) }
    let undone = try acts(atLeast: .max).first { $0.act.number == undoing }
    return StepChains([own] + [undone?.act].compactMap { $0 })
  }

  private func takeSteps(
    _ act: RecordedAct,
    _ seen: [ScannedFile?],
    _ chains: StepChains,
    _ writer: ActJournal.Writer
  ) throws(Explanation) -> Result {
    var result = Result(act: act)
    var (taker, chains) = (StepTaker(configuration.accounts), chains)
    taker.prepare(act.act.steps)
    for (number, step) in act.act.steps.enumerated() {
      guard !chains.isStopped(at: step) else {
        result.skipped.append(number)
        continue
      }
      switch taker.takeStep(step, seen: seen[number]) {
      case .taken: continue
      case .left: result.left.append(number)
      case .failed(let error): result.failed.append((number, error))
      }
      chains.stop(at: step)
    }
    let unsettled = try explaining(.system) { () throws(SystemError) in try taker.flushChanges() }
    for (step, error) in unsettled {
      let number = act.act.steps.firstIndex(of: step) ?? 0
      if !result.failed.contains(where: { $0.step == number }) {
        result.failed.append((number, error))
      }
    }
    // Before the act is concluded: one that is not has the index look at the files again.
    result.unindexed = updateIndexes(taker.changes)
    // Where this is lost, all is found to be done.
    try? writer.finishAct(
      act,
      leaving: result.undone.sorted(),
      failed: result.failed.map { ($0.step, [UInt8]($0.error.description.utf8)) },
      skipped: result.skipped
    )
    return result
  }

  /// Updates the indexes after changes; gives why some could not be updated.
  @discardableResult
  func updateIndexes(_ changes: [String: [MaildirChange]]) -> [Explanation] {
    changes.sorted { $0.key < $1.key }.compactMap { name, changes in
      guard let account = configuration.account(named: name), account.isIndexed else { return nil }
      return IndexNote.applyChanges(changes, of: account)
    }
  }
}
