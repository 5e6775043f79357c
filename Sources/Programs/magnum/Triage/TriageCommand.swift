internal import MailModel
internal import CommandLine
internal import Triage

/// `magnum read`, `archive` and the like: what is done to messages that are there.
enum TriageCommand {
  /// What the options ask for.
  struct Options {
    var rules = TargetRules()
    var isConfirmed = false
    var isDryRun = false
    var expunges = false
    var isBatch = false
    var removesAll = false
    /// When messages come back, or are looked at; nil where that is not asked for.
    var time: String?
    var isList = false
    var isCancel = false
    var runsCommands = false

    /// The folder by its name, as the option sets it.
    var folder: String? {
      get { rules.folder }
      set { rules.folder = newValue }
    }
  }

  static var all: [CommandDefinition] {
    [
      simple(.read, "Mark messages as read."),
      simple(.unread, "Mark messages as unread."),
      simple(.flag, "Flag messages."),
      simple(.unflag, "Take the flag off messages."),
      simple(.archive, "Move messages to the archive."),
      command(
        "delete",
        "Move messages to Trash.",
        options + [
          .flag(
            "--expunge",
            sets: \.expunges,
            help: "Delete messages that lie in Trash for good."
          )
        ]
      ) { options, context in
        TriageTask(options.expunges ? .expunge : .delete, options, context, context.operands).run()
      },
      withFolder("move", "Move messages to a folder.") { .move($0) },
      withFolder("copy", "Copy messages to a folder.") { .copy($0) },
      simple(.junk, "Move messages to Junk."),
      simple(.notjunk, "Move messages out of Junk."),
    ]
  }

  static var options: [CommandOption<Options>] {
    copies + [
      .flag(
        "--whole-thread",
        help: "Apply to all messages of the threads, in all folders.",
        does: { $0.rules.wholeThread = true }
      )
    ] + consent
  }

  /// Which copies of a message are meant.
  static var copies: [CommandOption<Options>] {
    [
      .text(
        "--folder",
        value: "folder",
        completion: .names(.folders),
        sets: \.folder,
        help: "Apply only to copies in this folder."
      ),
      .flag(
        "--all-copies",
        help: "Apply to all copies of a message.",
        does: { $0.rules.allCopies = true }
      ),
    ]
  }

  /// Checks a command on messages whose time is to come: one of three things is asked for.
  ///
  /// - Parameters:
  ///   - options: what is asked for.
  ///   - operands: the messages.
  ///   - name: the option for the time.
  /// - Throws: what is missing, or too much.
  static func checkLater(
    _ options: Options,
    _ operands: [String],
    _ name: String
  ) throws(UsageMistake) {
    let wishes = [options.time != nil, options.isList, options.isCancel].count { $0 }
    guard wishes == 1 else { throw UsageMistake("one of \(name), --list and --cancel is needed") }
    if options.isList, !operands.isEmpty { throw UsageMistake("--list takes no messages") }
    if !options.isList, operands.isEmpty { throw UsageMistake("no message is named") }
  }

  /// Whether it is done, and whether a person is asked before.
  static var consent: [CommandOption<Options>] {
    [
      .flag("--yes", sets: \.isConfirmed, help: "Do not ask, however many messages there are."),
      .flag("-n", "--dry-run", sets: \.isDryRun, help: "Print what would be done, and do nothing."),
    ]
  }

  private static func simple(_ verb: TriageVerb, _ abstract: String) -> CommandDefinition {
    command(verb.word, abstract, options) { options, context in
      TriageTask(verb, options, context, context.operands).run()
    }
  }

  private static func withFolder(
    _ name: String,
    _ abstract: String,
    _ verb: @escaping (String) -> TriageVerb
  ) -> CommandDefinition {
    command(name, abstract, options, isWithFolder: true) { options, context in
      let target = context.operands.first ?? ""
      guard !target.isEmpty else {
        return context.report(
          Explanation(.usage, "no folder is given", hint: "name it before the messages")
        )
      }
      let messages = [String](context.operands.dropFirst())
      return TriageTask(verb(target), options, context, messages).run()
    }
  }

  private static func command(
    _ name: String,
    _ abstract: String,
    _ options: [CommandOption<Options>],
    isWithFolder: Bool = false,
    _ run: @escaping (Options, CommandContext) -> ExitStatus
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      discussion: (isWithFolder ? "The folder comes first. " : "")
        + "Messages are named by their files, or by a query as in magnum-query(7); - reads "
        + "them from standard input, one a line. See magnum-triage(1).",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: options,
      operands: .many(
        isWithFolder ? "folder message" : "message",
        minimum: isWithFolder ? 2 : 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ).beginning(with: isWithFolder ? .names(.folders) : nil),
      changes: { options, _ in !options.isDryRun },
      run: run
    )
  }
}
