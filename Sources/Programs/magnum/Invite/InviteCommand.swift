internal import CommandLine
internal import Invitations
internal import MailModel

/// `magnum invite`: invitations shown, and answered.
enum InviteCommand {
  /// What the options ask for.
  struct Options {
    /// The address to answer with; nil for the one that is invited.
    var address: String?
    var note: String?
    var isConfirmed = false
    var isDryRun = false
    /// Whether a cancellation is written into the calendar.
    var saves = false
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "invite",
      abstract: "Show and answer invitations.",
      discussion: "See magnum-invite(1).",
      subcommands: [show] + InvitationAnswer.allCases.map(answer),
      otherNames: [
        "yes": "accept", "no": "decline", "maybe": "tentative", "view": "show", "reject": "decline",
      ]
    )
  }

  private static let discussion =
    "The message is named by its file, or by a query as in magnum-query(7) that finds no other. "
    + "See magnum-invite(1)."

  private static var message: Operands {
    .many("message", minimum: 1, completion: .namesOrFiles(.terms), mayBeginWithDash: true)
  }

  private static var show: CommandDefinition {
    CommandDefinition(
      "show",
      abstract: "Show what a message says of an event, and what changed.",
      discussion: discussion,
      initial: Options(),
      globals: [.config, .account, .json],
      options: [
        .flag("--save", sets: \.saves, help: "Mark the event of a cancellation in the calendar.")
      ],
      operands: message,
      changes: { options, _ in options.saves },
      run: { options, context in
        context.reporting { () throws(Explanation) in
          try InviteTask(options, context).show()
        }
      }
    )
  }

  private static func answer(_ answer: InvitationAnswer) -> CommandDefinition {
    CommandDefinition(
      word(answer),
      abstract: abstract(answer),
      discussion: discussion,
      initial: Options(),
      globals: [.config, .account, .json],
      options: [
        .text(
          "--as",
          value: "address",
          sets: \.address,
          help: "Answer with this address of yours, also if it is not invited."
        ),
        .text("--note", value: "text", sets: \.note, help: "Add a comment for the organizer."),
        .flag("--yes", sets: \.isConfirmed, help: "Do not ask, whatever is unusual."),
        .flag("-n", "--dry-run", sets: \.isDryRun, help: "Print the answer, and do nothing."),
      ],
      operands: message,
      check: { (options, _) throws(UsageMistake) in
        if options.address?.isEmpty == true { throw UsageMistake("--as names no address") }
      },
      changes: { options, _ in !options.isDryRun },
      run: { options, context in
        context.reporting { () throws(Explanation) in
          try InviteTask(options, context).send(answer)
        }
      }
    )
  }

  private static func word(_ answer: InvitationAnswer) -> String {
    switch answer {
    case .accepted: "accept"
    case .declined: "decline"
    case .tentative: "tentative"
    }
  }

  private static func abstract(_ answer: InvitationAnswer) -> String {
    switch answer {
    case .accepted: "Accept an invitation."
    case .declined: "Decline an invitation."
    case .tentative: "Accept an invitation tentatively."
    }
  }
}
