internal import MailModel
internal import CommandLine
internal import Correspondence

/// The commands that write messages.
enum ComposeCommand {
  static var all: [CommandDefinition] { [compose, reply, replyAll, forward, resume] }

  private static let page = "See magnum-compose(1)."

  private static var compose: CommandDefinition {
    CommandDefinition(
      "compose",
      abstract: "Write a message.",
      discussion: "With - a draft is read from standard input: JSON with --json, else a message. "
        + page,
      initial: ComposeOptions(),
      globals: [.config, .account, .json],
      options: ComposeOptions.common,
      operands: .atMostOne("-"),
      check: { (options, line) throws(UsageMistake) in
        try options.check(line)
        guard line.operands.isEmpty || line.operands == ["-"] else {
          throw UsageMistake("unexpected argument \"\(line.operands[0])\"")
        }
      },
      changes: { options, _ in options.changes },
      run: { options, context in
        ComposeTask.composeDraft(options, context) { (task) throws(Explanation) in
          context.operands.isEmpty ? try task.new() : try task.given()
        }
      }
    )
  }

  private static var reply: CommandDefinition {
    answer("reply", "Answer a message.") { $0 }
  }

  private static var replyAll: CommandDefinition {
    answer("reply-all", "Answer all who got a message.") { options in
      var options = options
      options.all = true
      return options
    }
  }

  private static func answer(
    _ name: String,
    _ abstract: String,
    _ adapted: @escaping (ComposeOptions) -> ComposeOptions
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      discussion:
        "It is named by its file, or by a query as in magnum-query(7) that finds no other. "
        + page,
      initial: ComposeOptions(),
      globals: [.config, .account, .json],
      options: ComposeOptions.common + ComposeOptions.answering,
      operands: .many(
        "message",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, line) throws(UsageMistake) in try adapted(options).check(line) },
      changes: { options, _ in options.changes },
      run: { options, context in
        ComposeTask.composeDraft(adapted(options), context) { (task) throws(Explanation) in
          try task.answer(context.operands)
        }
      }
    )
  }

  private static var forward: CommandDefinition {
    CommandDefinition(
      "forward",
      abstract: "Forward a message.",
      discussion:
        "It is named by its file, or by a query as in magnum-query(7) that finds no other. "
        + page,
      initial: ComposeOptions(),
      globals: [.config, .account, .json],
      options: ComposeOptions.common + [
        .flag(
          "--as-attachment",
          sets: \.asAttachment,
          help: "Attach the message, in place of its text and its attachments."
        )
      ],
      operands: .many(
        "message",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { options, _ in options.changes },
      run: { options, context in
        ComposeTask.composeDraft(options, context) { (task) throws(Explanation) in
          try task.forward(context.operands)
        }
      }
    )
  }

  private static var resume: CommandDefinition {
    CommandDefinition(
      "resume",
      abstract: "Resume a draft.",
      discussion: "It is named by its file, a query, or its name in the list of what was left by "
        + "programs that did not come to their end; without any, that list is printed. " + page,
      initial: ComposeOptions(),
      globals: [.config, .account, .json],
      options: ComposeOptions.common,
      operands: .many("draft", completion: .namesOrFiles(.drafts), mayBeginWithDash: true),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { options, operands in !operands.isEmpty && options.changes },
      run: { options, context in
        if context.operands.isEmpty { return LeftDrafts(context).list() }
        return ComposeTask.composeDraft(options, context) { (task) throws(Explanation) in
          try task.resume(context.operands)
        }
      }
    )
  }
}
