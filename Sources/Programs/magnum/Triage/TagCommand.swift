internal import MailModel
internal import CommandLine
internal import Triage

/// `magnum tag`, `mute` and `unmute`: the tags of messages.
enum TagCommand {
  static var all: [CommandDefinition] {
    [
      command(
        "tag",
        "Change the tags of messages.",
        "Tags come first: +work sets one, -todo takes one away. ",
        more: [
          .flag(
            "--batch",
            sets: \.isBatch,
            help: "Read lines +TAG -TAG -- QUERY from standard input, tags percent-encoded."
          ),
          .flag(
            "--remove-all",
            sets: \.removesAll,
            help: "Remove all other tags, and the flags that tags stand for."
          ),
        ],
        operands: .many("tag message", completion: .namesOrFiles(.edits), mayBeginWithDash: true)
      ) { options, context in
        options.isBatch
          ? TagBatch(options, context).applyOrders()
          : changeTags(options, context) { () throws(Explanation) in try words(options, context) }
      },
      command("mute", "Tag threads as muted.") { options, context in
        changeTags(ofThreads(options), context) { (["+muted"], context.operands) }
      },
      command("unmute", "Take the tag muted off threads.") { options, context in
        changeTags(ofThreads(options), context) { (["-muted"], context.operands) }
      },
    ]
  }

  private static func words(
    _ options: TriageCommand.Options,
    _ context: CommandContext
  ) throws(Explanation) -> (tags: [String], messages: [String]) {
    // Behind `--` a query may begin with a minus.
    let first = context.operandsBeforeDashes.flatMap { $0 > 0 ? $0 : nil }
    let tags = context.operands.prefix(first ?? .max).prefix(while: TagEdit.isOne)
    guard !tags.isEmpty || options.removesAll else {
      throw Explanation(.usage, "no tag is given", hint: "+work sets a tag, -work takes it away")
    }
    return (Array(tags), Array(context.operands.dropFirst(tags.count)))
  }

  private static func changeTags(
    _ options: TriageCommand.Options,
    _ context: CommandContext,
    _ words: () throws(Explanation) -> (tags: [String], messages: [String])
  ) -> ExitStatus {
    do throws(Explanation) {
      let (tags, messages) = try words()
      guard !messages.isEmpty else {
        throw Explanation(.usage, "name a message: a file or a query")
      }
      let edit = try TagEdit(tags, replacing: options.removesAll)
      return TriageTask(.tag(edit), options, context, messages).run()
    } catch {
      return context.report(error)
    }
  }

  /// Options that mean all messages of the threads in which something is named.
  private static func ofThreads(_ options: TriageCommand.Options) -> TriageCommand.Options {
    var options = options
    options.rules.wholeThread = true
    return options
  }

  private static func command(
    _ name: String,
    _ abstract: String,
    _ about: String = "",
    more: [CommandOption<TriageCommand.Options>] = [],
    operands: Operands = .many(
      "message",
      minimum: 1,
      completion: .namesOrFiles(.terms),
      mayBeginWithDash: true
    ),
    _ run: @escaping (TriageCommand.Options, CommandContext) -> ExitStatus
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      discussion: about + "Messages are named by their files, or by a query as in magnum-query(7); "
        + "- reads them from standard input, one a line. See magnum-tag(1).",
      initial: TriageCommand.Options(),
      globals: [.config, .account, .json, .quiet],
      options: more
        + TriageCommand.options.filter {
          !$0.description.names.contains("--all-copies")
            && !$0.description.names.contains("--whole-thread")
        },
      operands: operands,
      check: { (options, line) throws(UsageMistake) in
        if options.isBatch, !line.operands.isEmpty {
          throw UsageMistake("--batch takes tags and queries from standard input alone")
        }
      },
      changes: { options, _ in !options.isDryRun },
      run: run
    )
  }
}
