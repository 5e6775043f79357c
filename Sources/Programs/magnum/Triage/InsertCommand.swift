internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Triage

/// `magnum insert`: a message on standard input put into a folder as it is.
enum InsertCommand {
  struct Options {
    var folder: String?
    var makesFolder = false
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "insert",
      abstract: "Put a message from standard input into a folder.",
      discussion:
        "The message stays as it is. It is unread unless -unread is given; +draft marks a draft, "
        + "and other tags are set. See magnum-triage(1).",
      initial: Options(),
      globals: [.config, .account],
      options: [
        .text(
          "--folder",
          value: "folder",
          completion: .names(.mailboxes),
          sets: \.folder,
          help: "Put it into this folder; without it, into the inbox."
        ),
        .flag(
          "--create-folder",
          sets: \.makesFolder,
          help: "Create the folder if it does not exist."
        ),
      ],
      operands: .many("tag", completion: .names(.tags), mayBeginWithDash: true),
      check: { (_, line) throws(UsageMistake) in
        guard let word = line.operands.first(where: { !TagEdit.isOne($0) }) else { return }
        throw UsageMistake("\"\(word)\" is no tag: +work sets one")
      },
      run: { options, context in
        context.reporting { () throws(Explanation) in try insertMessage(options, context) }
      }
    )
  }

  private static func insertMessage(
    _ options: Options,
    _ context: CommandContext
  ) throws(Explanation) -> ExitStatus {
    let configuration = try context.neededConfiguration()
    let insertion = try Insertion(
      configuration,
      try account(configuration, context.globals.accounts),
      folder: [UInt8]((options.folder ?? "").utf8),
      making: options.makesFolder,
      context.operands
    )
    if let problem = try insertion.insert(try ComposeTask.givenMessage(configuration)) {
      return context.report(problem)
    }
    return .success
  }

  /// The account that is named; else the one that sends where none is.
  private static func account(
    _ configuration: Configuration,
    _ names: [String]
  ) throws(Explanation) -> Account {
    let accounts = try configuration.accounts(named: names)
    let usual = configuration.defaultSender.flatMap { configuration.account(named: $0.name) }
    if names.isEmpty, let usual { return usual }
    guard let first = accounts.first else {
      throw Explanation(.configuration, "no account has a Maildir")
    }
    return first
  }
}
