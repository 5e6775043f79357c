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
        operands: "tag message"
      ) { context throws(Explanation) in
        // Behind `--` a query may begin with a minus.
        let first = context.operandsBeforeDashes.flatMap { $0 > 0 ? $0 : nil }
        let tags = context.operands.prefix(first ?? .max).prefix(while: TagEdit.isOne)
        guard !tags.isEmpty else {
          throw Explanation(
            .usage,
            "no tag is given",
            hint: "+work sets a tag, -work takes it away"
          )
        }
        return (Array(tags), Array(context.operands.dropFirst(tags.count)))
      },
      command("mute", "Tag threads as muted.") { context throws(Explanation) in
        (["+muted"], thread(context.operands))
      },
      command("unmute", "Take the tag muted off threads.") { context throws(Explanation) in
        (["-muted"], thread(context.operands))
      },
    ]
  }

  /// All messages of the threads that words find something in.
  private static func thread(_ words: [String]) -> [String] {
    words == ["-"] ? words : ["thread:{\(words.joined(separator: " "))}"]
  }

  private static func command(
    _ name: String,
    _ abstract: String,
    _ about: String = "",
    operands: String = "message",
    _ words: @escaping (CommandContext) throws(Explanation) -> (tags: [String], messages: [String])
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      discussion: about + "Messages are named by their files, or by a query as in magnum-query(7); "
        + "- reads them from standard input, one a line. See magnum-tag(1).",
      initial: TriageCommand.Options(),
      globals: [.config, .account, .json, .quiet],
      options: TriageCommand.options.filter {
        !$0.description.names.contains("--all-copies")
          && !$0.description.names.contains("--whole-thread")
      },
      operands: .many(
        operands,
        minimum: 1,
        completion: name == "tag" ? .names(.tags) : .files,
        mayBeginWithDash: true
      ),
      run: { options, context in
        do throws(Explanation) {
          let (tags, messages) = try words(context)
          guard !messages.isEmpty else { throw Explanation(.usage, "no message is given") }
          return TriageTask(.tag(try TagEdit(tags)), options, context, messages).run()
        } catch {
          return context.report(error)
        }
      }
    )
  }
}
