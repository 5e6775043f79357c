internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

/// One command on messages: finds them, asks where they are very many, does it, and says what was done.
struct TriageTask {
  /// More messages than these are not changed without a question.
  private static let unaskedLimit = 200

  /// The longest list of messages that is read, in octets.
  private static let inputLimit = 256 << 20

  private let verb: TriageVerb
  private let options: TriageCommand.Options
  private let context: CommandContext
  private let words: [String]

  init(
    _ verb: TriageVerb,
    _ options: TriageCommand.Options,
    _ context: CommandContext,
    _ words: [String]
  ) {
    self.verb = verb
    self.options = options
    self.context = context
    self.words = words
  }

  func run() -> ExitStatus {
    do throws(Explanation) {
      return try carryOut()
    } catch {
      return context.report(error)
    }
  }

  private func carryOut() throws(Explanation) -> ExitStatus {
    let configuration = try configuration()
    let finder = try TargetFinder(
      configuration,
      accounts: context.globals.accounts,
      options.rules,
      now: Clock.now()
    )
    let targets = try targets(finder)
    let complete: ExitStatus = finder.leftOut.isEmpty ? .success : .partial
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    let plan = try triage.plan(verb, targets, finder)
    let output = TriageOutput(verb.word, verb.past, configuration, context)
    if options.isDryRun {
      output.printPlanned(plan)
      return complete
    }
    guard try isConfirmed(plan.messages) else { return .partial }
    let result = try triage.carryOut(plan, command: Self.command(verb, words))
    return ExitStatus.gravest(of: [output.print(result, plan), complete])
  }

  private func configuration() throws(Explanation) -> Configuration {
    do throws(ConfigurationError) {
      return try context.configuration()
    } catch {
      throw error.explanation
    }
  }

  /// The messages that are named; says which accounts were not looked through before anything is done.
  private func targets(_ finder: TargetFinder) throws(Explanation) -> [Target] {
    defer { for reason in finder.leftOut { context.report(reason) } }
    guard words == ["-"] else { return try finder.targets(words, for: verb) }
    let lines: [UInt8]
    do throws(SystemError) {
      lines = try FileSystem.contents(of: Descriptor(adopting: 0), limit: Self.inputLimit)
    } catch {
      throw Explanation(.noInput, "standard input: \(error.reason)")
    }
    let named = lines.split(separator: ASCII.lineFeed).map { [UInt8]($0) }
    guard !named.isEmpty else { throw Explanation(.noInput, "standard input is empty") }
    return try finder.targets(lines: named, for: verb)
  }

  /// The words of a command as they were typed, for the log.
  private static func command(_ verb: TriageVerb, _ words: [String]) -> [UInt8] {
    var all = [verb.word]
    switch verb {
    case .expunge: all.append("--expunge")
    case .move(let folder), .copy(let folder): all.append(folder)
    case .tag(let edit): all += edit.words
    default: break
    }
    return [UInt8]((all + words).joined(separator: " ").utf8)
  }

  private func isConfirmed(_ count: Int) throws(Explanation) -> Bool {
    guard count > Self.unaskedLimit, !options.isConfirmed else { return true }
    guard isatty(0) == 1, isatty(2) == 1, !context.globals.json else {
      throw Explanation(
        .usage,
        "\(count) messages, more than \(Self.unaskedLimit)",
        hint: "--yes does it, --dry-run prints what would be done"
      )
    }
    context.console.note("\(count) messages are to be \(verb.past). Do that? [y/N]")
    return readLine()?.lowercased().hasPrefix("y") == true
  }
}
