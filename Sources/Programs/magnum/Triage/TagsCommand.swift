internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

/// `magnum tags`: all tags, as a list or as text that makes them again.
struct TagsCommand {
  struct Options {
    var isReplacing = false
    var isDryRun = false
  }

  /// How many messages that are not there are named.
  private static let listLimit = 20

  /// The longest text that is read, in octets.
  private static let inputLimit = 1 << 30

  private let options: Options
  private let context: CommandContext

  private var console: Console { context.console }

  static var command: CommandDefinition {
    CommandDefinition(
      "tags",
      abstract: "List the tags of all messages, save and restore them.",
      discussion: "See magnum-tag(1).",
      subcommands: [
        subcommand("list", "List the tags, and how many messages have each.", [], json: true) {
          (task) throws(Explanation) in try task.list()
        },
        subcommand(
          "dump",
          "Print the tags of messages, as notmuch dump does.",
          [],
          operands: .many("query", completion: .names(.terms), mayBeginWithDash: true)
        ) { (task) throws(Explanation) in try task.dump() },
        subcommand(
          "restore",
          "Read what dump or notmuch dump printed from standard input.",
          [
            .flag(
              "--replace",
              sets: \.isReplacing,
              help: "Remove all tags that are not named from these messages."
            ),
            .flag(
              "-n",
              "--dry-run",
              sets: \.isDryRun,
              help: "Print what would be done, and do nothing."
            ),
          ],
          json: true
        ) { (task) throws(Explanation) in try task.restore() },
      ],
      default: "list"
    )
  }

  private static func subcommand(
    _ name: String,
    _ abstract: String,
    _ options: [CommandOption<Options>],
    json: Bool = false,
    operands: Operands = .none,
    _ run: @escaping (TagsCommand) throws(Explanation) -> ExitStatus
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      initial: Options(),
      globals: [.config, .account] + (json ? [.json] : []) + (name == "restore" ? [.quiet] : []),
      options: options,
      operands: operands,
      changes: { options, _ in name == "restore" && !options.isDryRun },
      run: { options, context in
        context.reporting { () throws(Explanation) in
          try run(TagsCommand(options: options, context: context))
        }
      }
    )
  }

  private func archive() throws(Explanation) -> TagArchive {
    let archive = try TagArchive(context.neededConfiguration(), accounts: context.globals.accounts)
    for reason in archive.leftOut { context.report(reason) }
    return archive
  }

  private func list() throws(Explanation) -> ExitStatus {
    let archive = try archive()
    for (tag, count) in try archive.counts() {
      if context.globals.json {
        var line = JSONLine()
        line.add("version", 1)
        line.add("tag", octets: tag)
        line.add("messages", count)
        console.print(octets: line.octets)
      } else {
        console.print("\(count)  \(Printable.text(tag))")
      }
    }
    return archive.leftOut.isEmpty ? .success : .partial
  }

  private func dump() throws(Explanation) -> ExitStatus {
    let archive = try archive()
    console.print(octets: TagLine.title)
    let query = context.operands.joined(separator: " ")
    try archive.each(foundBy: query) { console.print(octets: $0.octets) }
    return archive.leftOut.isEmpty ? .success : .partial
  }

  private func restore() throws(Explanation) -> ExitStatus {
    let configuration = try context.neededConfiguration()
    let archive = try archive()
    let restored = try archive.restore(try lines(), replacing: options.isReplacing)
    let complete: ExitStatus = archive.leftOut.isEmpty ? .success : .partial
    for id in restored.unknown.prefix(Self.listLimit) {
      context.report(place: "id:\(Printable.text(id))", "there is no such message")
    }
    for tag in restored.refused.prefix(Self.listLimit) {
      context.report("\"\(Printable.text(tag, limit: 60))\" is no tag, and is left out")
    }
    let rest = restored.unknown.count - Self.listLimit
    if rest > 0 { context.report("\(rest) more messages are not there") }
    let output = TriageOutput("tags restore", "tagged", configuration, context)
    if options.isDryRun {
      output.printPlanned(restored.plan)
      return complete
    }
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    for tag in LocalTags.first(in: restored.plan, configuration).prefix(Self.listLimit) {
      context.report(local: tag)
    }
    let result = try triage.carryOut(restored.plan, command: [UInt8]("tags restore".utf8))
    return ExitStatus.mostSevere(of: [
      output.print(result, unchanged: restored.plan.unchanged), complete,
    ])
  }

  private func lines() throws(Explanation) -> [TagLine] {
    let octets = try CommandContext.standardInput(limit: Self.inputLimit)
    guard !octets.isEmpty else { throw Explanation(.noInput, "standard input is empty") }
    var lines: [TagLine] = []
    var (number, others) = (0, 0)
    for line in octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      number += 1
      if TagLine.isOther(line) { others += 1 }
      do throws(TagLineError) {
        if let line = try TagLine(line) { lines.append(line) }
      } catch {
        throw Explanation(
          .data,
          "line \(number) is not a line of notmuch dump",
          hint: "nothing was changed; a line is: +tag +other -- id:MESSAGE-ID"
        )
      }
    }
    if others > 0 { reportOthers(others) }
    return lines
  }

  private func reportOthers(_ count: Int) {
    context.report(
      "left out: \(count == 1 ? "1 line" : "\(count) lines") about properties and settings of notmuch",
      hint: "named queries have their place in [search] of the configuration"
    )
  }
}
