internal import MailModel
internal import CommandLine
internal import Terminal

/// `magnum attachments`: what goes with a message.
enum AttachmentsCommand {
  /// What the options ask for.
  struct Options {
    var part: String?
    var name: String?
    var directory: String?
    var decrypt: ShowOptions.Truth?
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "attachments",
      abstract: "List, save, fetch and open what is attached to a message.",
      discussion: "A message is named by its file, or by a query as in magnum-query(7) that finds "
        + "no other; save --to takes all that are found. See magnum-attachments(1).",
      subcommands: [
        subcommand("list", "List attachments.", chosen) {
          (options, context) throws(Explanation) in
          try AttachmentsTask(options, context).list()
        },
        subcommand("save", "Save attachments as files.", chosen + [directory]) {
          (options, context) throws(Explanation) in
          try AttachmentsTask.saveAll(options, context)
        },
        fetch,
        subcommand("open", "Open an attachment with the program for its type.", chosen) {
          (options, context) throws(Explanation) in
          try AttachmentsTask(options, context).open()
        },
      ],
      default: "list",
      otherNames: ["ls": "list", "get": "save", "extract": "save", "download": "fetch"]
    )
  }

  private static var fetch: CommandDefinition {
    subcommand("fetch", "Fetch attachments that are only on the server.", []) {
      (options, context) throws(Explanation) in
      try AttachmentsTask(options, context).fetch()
    }
  }

  private static var chosen: [CommandOption<Options>] {
    [
      .text("--part", value: "number", sets: \.part, help: "Only the part with this number."),
      .text(
        "--name",
        value: "pattern",
        sets: \.name,
        help: "Only parts whose names are like this, with * and ? as in a shell."
      ),
      .choice(
        "--decrypt",
        value: "truth",
        sets: \.decrypt,
        help: "Whether what is encrypted is decrypted first."
      ),
    ]
  }

  private static var directory: CommandOption<Options> {
    .text(
      "--to",
      value: "directory",
      completion: .directories,
      sets: \.directory,
      help: "Put the files there; by default, the current directory."
    )
  }

  private static func subcommand(
    _ name: String,
    _ abstract: String,
    _ options: [CommandOption<Options>],
    _ run: @escaping (Options, CommandContext) throws(Explanation) -> ExitStatus
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      initial: Options(),
      globals: name == "open" ? [.config, .account] : [.config, .account, .json],
      options: options,
      operands: .many(
        "message",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, _) throws(UsageMistake) in
        guard options.part == nil || options.name == nil else {
          throw UsageMistake("--part and --name exclude each other")
        }
      },
      changes: { _, _ in name == "fetch" },
      run: { options, context in
        context.reporting { () throws(Explanation) in try run(options, context) }
      }
    )
  }
}
