internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Octets
internal import Platform
internal import Syncing
internal import Terminal
internal import Triage

/// One command on messages: finds them, asks where they are very many, does it, and says what was done.
struct TriageTask {
  /// The longest list of messages that is read, in octets.
  private static let inputLimit = 256 << 20

  private let verb: TriageVerb
  private let options: TriageCommand.Options
  private let context: CommandContext
  private let words: [String]
  /// What is recorded for a later time, and what was done in words; nil for nothing.
  private let later: (request: LaterRequest, past: String)?

  init(
    _ verb: TriageVerb,
    _ options: TriageCommand.Options,
    _ context: CommandContext,
    _ words: [String],
    later request: LaterRequest? = nil,
    past: String = ""
  ) {
    self.verb = verb
    self.options = options
    self.context = context
    self.words = words
    later = request.map { ($0, past) }
  }

  func run() -> ExitStatus { context.reporting { () throws(Explanation) in try carryOut() } }

  private func carryOut() throws(Explanation) -> ExitStatus {
    let configuration = try context.neededConfiguration()
    let finder = try TargetFinder(
      configuration,
      accounts: context.globals.accounts,
      options.rules,
      now: Clock.now()
    )
    let targets = try targets(finder)
    if targets.isEmpty { return nothing() }
    reportGuesses(finder.guessed)
    let complete: ExitStatus = finder.leftOut.isEmpty ? .success : .partial
    try later?.request.check(targets, finder)
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    var plan = try triage.plan(verb, targets, finder)
    let output = TriageOutput(verb.word, later?.past ?? verb.past, configuration, context)
    if options.isDryRun {
      output.printPlanned(plan)
      return complete
    }
    guard try isConfirmed(plan.messages) else {
      context.console.writeNote("nothing is changed")
      return .partial
    }
    if !plan.incomplete.isEmpty {
      try fetchWhole(plan.incomplete, configuration)
      plan = try triage.plan(verb, targets, finder)
    }
    let localTags = LocalTags.first(in: plan, configuration)
    if !context.globals.quiet { for tag in localTags { context.report(local: tag) } }
    let result = try triage.carryOut(
      plan,
      command: Self.command(verb, later?.request.kind, words)
    ) { (number) throws(Explanation) in try later?.request.record(targets, act: number) }
    if let later, plan.steps.isEmpty { return try record(targets, later) }
    return ExitStatus.mostSevere(of: [output.print(result, unchanged: plan.unchanged), complete])
  }

  /// Messages that lie there already only get a time: another one than before, or one of this machine.
  private func record(
    _ targets: [Target],
    _ later: (request: LaterRequest, past: String)
  ) throws(Explanation) -> ExitStatus {
    try later.request.record(targets, act: 0)
    if !context.globals.json, !context.globals.quiet {
      let messages = targets.count == 1 ? "1 message" : "\(targets.count) messages"
      context.console.print("\(messages) \(later.past)")
    }
    return .success
  }

  /// Has messages fetched whole that are to be passed on, while nothing is done to any yet.
  private func fetchWhole(
    _ files: [TargetFile],
    _ configuration: Configuration
  ) throws(Explanation) {
    // What a program reads on standard output is what was done to messages.
    let isQuiet = context.globals.json || context.globals.quiet
    let fetch = try AttachmentsFetch(
      files.map { (MessageFile($0.path), $0.account) },
      configuration,
      context
    )
    do throws(Explanation) {
      try fetch.fetchAttachments(reportedAs: .text(isQuiet ? .quiet : .normal))
    } catch {
      var explanation = error
      explanation.what += "; nothing was \(verb.past)"
      // The server did not give it this time.
      if error.status == .partial { explanation.status = .tryAgain }
      throw explanation
    }
  }

  /// The messages that are named; says which accounts were not looked through before anything is done.
  private func targets(_ finder: TargetFinder) throws(Explanation) -> [Target] {
    defer { for reason in finder.leftOut { context.report(reason) } }
    guard words == ["-"] else { return try finder.targets(words, for: verb) }
    let lines = try CommandContext.standardInput(limit: Self.inputLimit)
    let named = lines.split(separator: ASCII.lineFeed).map { [UInt8]($0) }
    return try finder.targets(lines: named, for: verb)
  }

  /// Standard input names no message, as the output of a search that finds none does.
  private func nothing() -> ExitStatus {
    if !context.globals.json, !context.globals.quiet, !options.rules.mayFindNothing {
      context.console.print("nothing to do: no message is named")
    }
    return .success
  }

  private func reportGuesses(_ count: Int) {
    guard count > 0, !context.globals.quiet else { return }
    let messages = count == 1 ? "1 message is" : "\(count) messages are"
    context.report(
      "\(messages) left out: only the subject joins \(count == 1 ? "it" : "them") to the thread",
      hint: "magnum-search lists the thread; name such messages by id:"
    )
  }

  /// The words of a command as they were typed, for the log.
  private static func command(
    _ verb: TriageVerb,
    _ kind: LaterEntry.Kind?,
    _ words: [String]
  ) -> [UInt8] {
    if kind == .remind { return [UInt8](("remind " + words.joined(separator: " ")).utf8) }
    var all = [verb.word]
    switch verb {
    case .expunge: all.append("--expunge")
    case .move(let folder), .copy(let folder): all.append(folder)
    case .tag(let edit): all += edit.words
    case .unsnooze: all.append("--cancel")
    default: break
    }
    return [UInt8]((all + words).joined(separator: " ").utf8)
  }

  private func isConfirmed(_ count: Int) throws(Explanation) -> Bool {
    if options.isConfirmed || count == 0 { return true }
    let canAsk = context.console.canAsk && !context.globals.json
    // What is deleted for good cannot be taken back.
    let limit = verb != .expunge ? CommandContext.unaskedLimit : canAsk ? 0 : 1
    let messages = count == 1 ? "1 message" : "\(count) messages"
    return try context.confirms(
      count,
      "\(verb.order(messages))?",
      unasked: limit,
      since: verb == .expunge ? "\(count) messages are to be deleted for good" : nil
    )
  }
}

extension CommandContext {
  /// More messages than these are not changed without a question.
  static let unaskedLimit = 200

  /// Whether a change of that many messages may be made, which is asked where there are more than a limit.
  ///
  /// - Throws: that it cannot be asked; `reason` says why it would have to be, nil for the number of messages.
  func confirms(
    _ count: Int,
    _ question: String,
    unasked limit: Int = unaskedLimit,
    since reason: String? = nil
  ) throws(Explanation) -> Bool {
    guard count > limit else { return true }
    guard console.canAsk, !globals.json else {
      throw Explanation(
        .usage,
        reason ?? "\(count) messages, more than \(limit)",
        hint: "--yes does it, --dry-run prints what would be done"
      )
    }
    return console.confirm(question)
  }
}
