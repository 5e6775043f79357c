internal import CommandLine
internal import Spool
internal import Submission

/// `magnum queue`: what waits to be sent, and what a person does about it.
enum QueueCommand {
  static var command: CommandDefinition {
    CommandDefinition(
      "queue",
      abstract: "See and change what waits to be sent.",
      discussion:
        "An entry is named by any part of its name that no other has. See magnum-queue(1).",
      subcommands: [
        QueueList.command, QueueShow.command, QueueFlush.command, retry, QueueEdit.command, hold,
        release, discard,
      ],
      default: "list"
    )
  }

  private static var retry: CommandDefinition {
    change("retry", "Put failed entries back into the queue.") {
      (outbox, item) throws(SpoolError) in try outbox.retry(item)
    }
  }

  private static var hold: CommandDefinition {
    change("hold", "Stop entries of the queue until they are released.") {
      (outbox, item) throws(SpoolError) in try outbox.hold(item)
    }
  }

  private static var release: CommandDefinition {
    change("release", "Let entries go on that are held.") {
      (outbox, item) throws(SpoolError) in try outbox.release(item)
    }
  }

  private static var discard: CommandDefinition {
    change("discard", "Remove entries for ever, unsent.") {
      (outbox, item) throws(SpoolError) in try outbox.discard(item)
    }
  }

  /// A command that does one thing to each entry that is named.
  private static func change(
    _ name: String,
    _ abstract: String,
    _ body: @escaping (Outbox, QueuedItem) throws(SpoolError) -> Void
  ) -> CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      initial: NoOptions(),
      globals: [.config, .account, .quiet],
      options: [],
      operands: .many("entry", minimum: 1, completion: .entries),
      run: { _, command in
        QueueContext.run(command) { (queue) throws(SpoolError) in
          try queue.each(body)
        }
      }
    )
  }
}
