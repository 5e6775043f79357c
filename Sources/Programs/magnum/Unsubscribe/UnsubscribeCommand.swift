internal import CommandLine
internal import MailModel

/// `magnum unsubscribe`: a mailing list left, in the way that one of its messages offers.
enum UnsubscribeCommand {
  /// What the options ask for.
  struct Options {
    var isDryRun = false
    var isConfirmed = false
    var isUnverified = false
    var from: String?
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "unsubscribe",
      abstract: "Unsubscribe from the mailing list of a message.",
      discussion:
        "The message is named by its file, or by a query as in magnum-query(7) that finds one "
        + "message. See magnum-unsubscribe(1).",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .flag("--yes", sets: \.isConfirmed, help: "Do not ask for confirmation."),
        .flag(
          "--unverified",
          sets: \.isUnverified,
          help: "With --yes: even if the message may be forged."
        ),
        .text(
          "--from",
          value: "address",
          sets: \.from,
          help: "Send the message from this address of your own."
        ),
        .flag(
          "-n",
          "--dry-run",
          sets: \.isDryRun,
          help: "Print what would be done, and do nothing."
        ),
      ],
      operands: .many(
        "message",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      changes: { options, _ in !options.isDryRun },
      run: { options, context in
        context.reporting { () throws(Explanation) in
          try UnsubscribeTask(options, context).leaveList()
        }
      }
    )
  }
}
