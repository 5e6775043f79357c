internal import AgentPlan
internal import Configuration
internal import JSON
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import Triage

/// The tool `act`: what the planner and the journal of triage do, to messages of the view that are named by their ids.
struct ActTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let triage: Triage
  private let now: Int64

  init(_ mail: AgentMail, _ call: ToolCall, now: Int64) {
    (self.mail, self.call, self.now) = (mail, call, now)
    triage = Triage(mail.profile.configuration, stateHome: Environment.stateHome)
  }

  /// What is done, once it is decided: the record of the call stands between the two.
  struct Decision {
    /// The Message-IDs.
    let ids: [[UInt8]]
    fileprivate let plan: PlannedAct
    fileprivate let command: [UInt8]
  }

  // MARK: Deciding

  /// What the call asks for; nothing is changed.
  func decide() throws(ToolFailure) -> Decision {
    let verb = try ActVerb(call)
    let guardian = ActGuard(mail.profile, verb)
    try guardian.checkVerb(now: now)
    let finder = try finder()
    var targets: [Target] = []
    var seen: Set<String> = []
    for id in call.texts("ids") ?? [] where seen.insert(id).inserted {
      targets.append(try target(id, verb.verb, finder))
    }
    try guardian.checkTargets(targets)
    let plan = try mail.explained { () throws(Explanation) in
      try triage.plan(verb.verb, targets, finder)
    }
    guard plan.incomplete.isEmpty else { throw .refused }
    try guardian.check(plan.steps.map(\.step))
    return Decision(ids: targets.map(\.id), plan: plan, command: verb.command)
  }

  private func finder() throws(ToolFailure) -> TargetFinder {
    var rules = TargetRules()
    rules.folder = call.text("folder")
    // Which of several are meant is not guessed: they are counted here.
    rules.allCopies = true
    return try mail.explained { () throws(Explanation) in
      try TargetFinder(
        mail.profile.configuration,
        accounts: mail.profile.settings.accounts,
        rules,
        now: now
      )
    }
  }

  /// The message of an id with those of its files in the view that are meant.
  ///
  /// - Throws: `not-found`; `ambiguous` where several messages or copies may be meant.
  private func target(
    _ id: String,
    _ verb: TriageVerb,
    _ finder: TargetFinder
  ) throws(ToolFailure) -> Target {
    var found: [Target] = []
    for message in try mail.messages(id, limit: 3) { found.append(try mail.target(of: message)) }
    let chosen = try mail.explained { [found] () throws(Explanation) in
      try finder.choose(among: found, for: verb)
    }
    guard let only = chosen.first else {
      // What lies in Trash, Junk or Drafts is meant where it is named alone.
      throw call.text("folder") == nil ? .ambiguous : .notFound
    }
    guard chosen.count == 1, !verb.isMoving || only.files.count == 1 else { throw .ambiguous }
    return only
  }

  // MARK: Doing

  /// Carries a decision out.
  ///
  /// - Parameters:
  ///   - decision: what is done.
  ///   - begin: is called with the number of the act before anything is changed, nil where nothing has to be; what it throws
  ///     keeps it from being done.
  /// - Returns: the result.
  /// - Throws: why nothing is done.
  func carryOut(
    _ decision: Decision,
    _ begin: (Int?) throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> JSONValue {
    let (act, result) = try mail.carryOut(triage, decision.plan, decision.command, begin)
    let done = (result?.messages ?? 0) + decision.plan.unchanged
    return Self.result(act: act, done: done, left: decision.ids.count - done)
  }

  /// What a call gives; the number is nil where nothing was to be changed.
  static func result(act: Int?, done: Int, left: Int) -> JSONValue {
    var members = [ToolAnswer.version]
    if let act { members.append(("act", ToolAnswer.number(act))) }
    return .object(
      members + [("done", ToolAnswer.number(done)), ("left", ToolAnswer.number(max(0, left)))]
    )
  }
}

extension AgentMail {
  /// Does what triage may explain to a person, and an agent is told in a word.
  func explained<Value>(
    _ body: () throws(Explanation) -> Value
  ) throws(ToolFailure) -> Value {
    do throws(Explanation) {
      return try body()
    } catch {
      switch error.status {
      case .tryAgain, .noInput, .system: throw .again
      case .cannotCreate: throw .full
      default: throw .refused
      }
    }
  }

  /// Carries out an act of the agent.
  ///
  /// - Parameters:
  ///   - triage: what does it.
  ///   - plan: what is done.
  ///   - command: the words of it in the journal.
  ///   - undoing: the number of the act that it takes back; nil for none.
  ///   - begin: is called with its number before anything is changed, nil where nothing has to be.
  /// - Returns: its number, and what came of it; nil where nothing had to be changed, or is not known.
  /// - Throws: why nothing is done.
  func carryOut(
    _ triage: Triage,
    _ plan: PlannedAct,
    _ command: [UInt8],
    undoing: Int? = nil,
    _ begin: (Int?) throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> (act: Int?, result: Triage.Result?) {
    guard !plan.steps.isEmpty else {
      try begin(nil)
      return (nil, nil)
    }
    var (failure, begun): (ToolFailure?, Int?)
    do throws(Explanation) {
      let result = try triage.carryOut(
        plan,
        command: command,
        undoing: undoing,
        by: .agent(profile.settings.name)
      ) { (number) throws(Explanation) in
        do throws(ToolFailure) {
          try begin(number)
          begun = number
        } catch {
          failure = error
          throw Explanation(.cannotCreate, "the record cannot be written")
        }
      }
      return (result.act?.act.number, result)
    } catch {
      if let failure { throw failure }
      // Once it is in the journal it is finished, by the next command at the latest, and can be taken back.
      if let begun, isInJournal(begun, triage) { return (begun, nil) }
      return try explained { () throws(Explanation) in throw error }
    }
  }

  private func isInJournal(_ number: Int, _ triage: Triage) -> Bool {
    let acts = (try? triage.acts(atLeast: 1)) ?? []
    return acts.contains {
      $0.act.number == number && $0.act.origin == .agent(profile.settings.name)
    }
  }
}
