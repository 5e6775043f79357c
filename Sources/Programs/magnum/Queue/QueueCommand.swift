internal import MailModel
internal import CommandLine
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue`: what waits to be sent, and what a person does about it.
enum QueueCommand {
  static var command: CommandDefinition {
    CommandDefinition(
      "queue",
      abstract: "List and change the queue of outgoing mail.",
      discussion:
        "An entry is named by any part of its name that no other has. See magnum-queue(1).",
      subcommands: [
        QueueList.command, QueueShow.command, QueueFlush.command, QueueEdit.command,
        QueueCancel.command,
      ] + QueueChange.all.map(\.command),
      default: "list"
    )
  }
}

/// A subcommand that does one thing to each entry that is named, and says so.
struct QueueChange {
  private let name: String
  private let abstract: String
  /// What it says that it has done.
  private let done: String
  /// What to do to have it undone, before the name of the entry; nil where nothing is lost.
  private var undone: String?
  /// How many characters of a name it takes at least, since a slip must not destroy anything.
  private var shortest = 1
  private var states = EntryState.wanted
  private var completion = Completion.names(.entries)
  /// Why it is not done to an entry, as the status that says so, which it has reported; nil where it is done.
  private var refusal: (QueueContext, Outbox, QueuedItem) throws(SpoolError) -> ExitStatus? = {
    (_, _, _) throws(SpoolError) in nil
  }
  /// Does it, and gives the entry that it was done to: perhaps what is left of the one that was named.
  private let body: (QueueContext, Outbox, QueuedItem) throws(SpoolError) -> EntryID

  static var all: [QueueChange] {
    [
      QueueChange(
        name: "retry",
        abstract: "Put failed entries back into the queue.",
        done: "queued"
      ) { (_, outbox, item) throws(SpoolError) in
        try outbox.retry(item)
        return item.id
      },
      QueueChange(
        name: "hold",
        abstract: "Hold entries until they are released.",
        done: "held"
      ) { (_, outbox, item) throws(SpoolError) in
        try outbox.hold(item)
        return item.id
      },
      QueueChange(
        name: "release",
        abstract: "Release held entries.",
        done: "queued",
        refusal: { (queue, outbox, item) throws(SpoolError) in
          try QueueRelease(queue, outbox).refusal(item)
        }
      ) { (queue, outbox, item) throws(SpoolError) in
        try QueueRelease(queue, outbox).release(item)
        return item.id
      },
      QueueChange(
        name: "discard",
        abstract: "Remove entries unsent; for a day they can be put back.",
        done: "discarded",
        undone: "it is kept for a day; to put it back: magnum queue undiscard",
        shortest: 6
      ) { (_, outbox, item) throws(SpoolError) in try outbox.discard(item) },
      QueueChange(
        name: "undiscard",
        abstract: "Restore discarded entries to the queue.",
        done: "put back",
        states: [.discarded],
        completion: .names(.discarded)
      ) { (_, outbox, item) throws(SpoolError) in
        try outbox.undiscard(item)
        return item.id
      },
    ]
  }

  var command: CommandDefinition {
    CommandDefinition(
      name,
      abstract: abstract,
      initial: NoOptions(),
      globals: [.config, .account, .json, .quiet],
      options: [],
      operands: .many("entry", minimum: 1, completion: completion),
      check: { (_, line) throws(UsageMistake) in try check(line.operands) },
      run: { _, command in
        QueueContext.runSubcommand(command) { (queue) throws(SpoolError) in try changeEntries(queue)
        }
      }
    )
  }

  private func check(_ names: [String]) throws(UsageMistake) {
    guard let short = names.first(where: { $0.utf8.count < shortest }) else { return }
    throw UsageMistake(
      "\"\(short)\" is too short to \(name) an entry",
      hint: "give its whole name, or at least \(shortest) characters of it"
    )
  }

  private func changeEntries(_ queue: QueueContext) throws(SpoolError) -> ExitStatus {
    try queue.each(in: states) { (outbox, item) throws(SpoolError) in
      if let refusal = try refusal(queue, outbox, item) { return refusal }
      say(item, try body(queue, outbox, item), queue)
      return .success
    }
  }

  private func say(_ item: QueuedItem, _ id: EntryID, _ queue: QueueContext) {
    if queue.command.globals.json {
      queue.console.print(octets: ChangeLine(item, name, of: id).json.octets)
    } else if !queue.command.globals.quiet {
      queue.console.print("\(done) \(id)  \(ItemLine(item, now: Clock.now()).summary)")
      if let undone { queue.console.writeNote("\(undone) \(id)") }
    }
  }
}
