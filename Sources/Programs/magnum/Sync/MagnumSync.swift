internal import CommandLine

/// The program magnum-sync: options in, one run of the engine, its events out, an exit status.
enum MagnumSync {
  /// What the name magnum-sync stands for.
  static var program: SuiteProgram { SuiteProgram(command, named: "magnum-sync") }

  /// The options, each defined here and nowhere else.
  static var command: CommandDefinition {
    CommandDefinition(
      "magnum-sync",
      abstract: "Mirror IMAP mailboxes into Maildir folders, once.",
      discussion: "Without arguments all accounts are synced. See magnum-sync(1).",
      initial: RunOptions(),
      globals: [.config, .account, .json, .quiet, .verbose],
      options: [
        .flag("-n", "--dry-run", sets: \.dryRun, help: "Print what would be done, and do nothing."),
        .flag(
          "--pull",
          sets: \.pull,
          help: "Change nothing on the server, whatever the configuration says."
        ),
        .flag(
          "--scan",
          sets: \.scan,
          help: "Compare every file and message, whatever the last run remembers."
        ),
        .flag(
          "--trace",
          sets: \.trace,
          help: "Print the protocol, without secrets and message bodies."
        ),
        .flag("--list-mailboxes", sets: \.listMailboxes, help: "Only list the server's mailboxes."),
        .texts(
          "--allow-mass-delete",
          value: "account/mailbox",
          completion: .names(.mailboxes),
          addsTo: \.allowMassDelete,
          help: "Override the deletion guard for this mailbox in this run."
        ),
        .texts(
          "--fetch-again",
          value: "account/mailbox",
          completion: .names(.mailboxes),
          addsTo: \.fetchAgain,
          help: "Fetch messages of this mailbox again that were removed here by mistake."
        ),
      ],
      operands: .many("account[/mailbox-pattern]", completion: .names(.mailboxes)),
      check: { (options, _) throws(UsageMistake) in try options.check() },
      changes: { options, _ in !options.dryRun && !options.listMailboxes },
      run: { options, context in SyncCommand(options, context).run() }
    )
  }
}

/// What the options of magnum-sync ask for.
struct RunOptions {
  var dryRun = false
  var pull = false
  var scan = false
  var trace = false
  var listMailboxes = false
  var allowMassDelete: [String] = []
  var fetchAgain: [String] = []

  func check() throws(UsageMistake) {
    for (name, targets) in [
      ("--allow-mass-delete", allowMassDelete), ("--fetch-again", fetchAgain),
    ] {
      for target in targets where target.split(separator: "/", maxSplits: 1).count < 2 {
        throw UsageMistake("\(name) needs ACCOUNT/MAILBOX, not \"\(target)\"")
      }
    }
    if let both = fetchAgain.first(where: allowMassDelete.contains) {
      throw UsageMistake("--allow-mass-delete and --fetch-again exclude each other: \"\(both)\"")
    }
  }
}
