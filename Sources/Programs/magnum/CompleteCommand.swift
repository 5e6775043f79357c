internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Syncing
internal import Terminal

/// `magnum complete`: the names with which shells complete command lines, one a line.
///
/// It prints no errors, since it runs while a command line is being typed.
enum CompleteCommand {
  static var command: CommandDefinition {
    let questions = CompletionQuestion.allCases.map(\.rawValue)
    return CommandDefinition(
      "complete",
      abstract: "Print names for the completion of command lines.",
      initial: NoOptions(),
      globals: [.config],
      options: [],
      operands: .one(questions.joined(separator: "|")),
      check: { (_, line) throws(UsageMistake) in
        guard line.operands.first.flatMap(CompletionQuestion.init) == nil else { return }
        throw UsageMistake("it is one of: \(questions.joined(separator: ", "))")
      },
      changes: { _, _ in false },
      run: { _, context in
        for name in names(context) where name.allSatisfy({ $0 >= ASCII.space && $0 != 0x7F }) {
          context.console.print(octets: name + [ASCII.lineFeed])
        }
        return .success
      }
    ).hidden
  }

  private static func names(_ context: CommandContext) -> [[UInt8]] {
    guard let question = context.operands.first.flatMap(CompletionQuestion.init) else { return [] }
    switch question {
    case .entries: return entries(in: EntryState.wanted)
    case .discarded: return entries(in: [.discarded])
    case .accounts:
      return configured(context) { AccountNames.all(in: $0).map { Array($0.utf8) } }
    case .mailboxes: return configured(context, mailboxes)
    case .agents: return configured(context) { $0.agents.map { Array($0.name.utf8) } }
    case .rules: return configured(context) { $0.rules.map { Array($0.name.utf8) } }
    case .templates: return configured(context, ComposeTask.templateNames)
    case .tags: return configured(context) { vocabulary($0).tags }
    case .terms: return configured(context, terms)
    case .folders: return configured(context, folders)
    case .edits:
      return configured(context) { configuration in
        let tags = vocabulary(configuration).tags
        return [ASCII.plus, ASCII.minus].flatMap { sign in tags.map { [sign] + $0 } }
          + terms(configuration)
      }
    case .drafts:
      let left = (try? Composition.abandoned()) ?? []
      return left.map(\.directory.lastComponent) + configured(context, terms)
    }
  }

  private static func configured(
    _ context: CommandContext,
    _ names: (Configuration) -> [[UInt8]]
  ) -> [[UInt8]] {
    (try? context.configuration()).map(names) ?? []
  }

  private static func entries(in states: [EntryState]) -> [[UInt8]] {
    let outbox = Outbox(root: SpoolPlace.root(), user: geteuid())
    return ((try? outbox.listing(in: states))?.items ?? []).map { $0.id.octets }
  }

  private static func mailboxes(_ configuration: Configuration) -> [[UInt8]] {
    configuration.accounts.filter { $0.server != nil }.flatMap { account in
      let standing = try? AccountStanding(account, stateHome: Environment.stateHome)
      let name = Array(account.name.utf8)
      return [name] + (standing?.names ?? []).map { name + [ASCII.slash] + $0 }
    }
  }

  /// Folders by their names; where there are several accounts, also behind those.
  private static func folders(_ configuration: Configuration) -> [[UInt8]] {
    var names: Set<[UInt8]> = []
    for account in configuration.accounts {
      let standing = try? AccountStanding(account, stateHome: Environment.stateHome)
      var own = Set(standing?.names ?? [])
      own.formUnion((try? SearchSet([account], stemming: nil).vocabulary().folders) ?? [])
      names.formUnion(own)
      guard configuration.accounts.count > 1 else { continue }
      names.formUnion(own.map { Array(account.name.utf8) + [ASCII.slash] + $0 })
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Tags and folders as queries name them; what would need quotation marks is left out.
  private static func terms(_ configuration: Configuration) -> [[UInt8]] {
    let (tags, folders) = vocabulary(configuration)
    let terms =
      tags.map { [UInt8](ascii: "tag:") + $0 } + folders.map { [UInt8](ascii: "folder:") + $0 }
    let queries = configuration.search.queries.keys.sorted().map { [UInt8]("query:\($0)".utf8) }
    return (terms + queries).filter { term in !term.contains { " \"()".utf8.contains($0) } }
  }

  private static func vocabulary(
    _ configuration: Configuration
  ) -> (tags: [[UInt8]], folders: [[UInt8]]) {
    var (tags, folders): (Set<Tag>, Set<[UInt8]>) = ([], [])
    // One at a time: an account that has no index yet keeps nothing of the others back.
    for account in configuration.accounts {
      let words = try? SearchSet([account], stemming: nil).vocabulary()
      tags.formUnion(words?.tags ?? [])
      folders.formUnion(words?.folders ?? [])
    }
    return (
      tags.sorted().map { Array($0.rawValue.utf8) },
      folders.sorted { $0.lexicographicallyPrecedes($1) }
    )
  }
}
