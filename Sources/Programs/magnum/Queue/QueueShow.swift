internal import MailModel
internal import CommandLine
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue show`.
struct QueueShow {
  /// What its options ask for.
  struct Options {
    var raw = false
  }

  static var command: CommandDefinition {
    CommandDefinition(
      "show",
      abstract: "Show an entry: its header, what happened to it, and its message.",
      initial: Options(),
      globals: [.config, .account, .json],
      options: [
        .flag("--raw", sets: \.raw, help: "Print the message as it is, and nothing else.")
      ],
      operands: .one("entry", completion: .names(.entries)),
      check: { (options, line) throws(UsageMistake) in
        if options.raw, line.globals.json {
          throw UsageMistake("--json and --raw exclude each other")
        }
      },
      changes: { _, _ in false },
      run: { options, command in
        QueueContext.runSubcommand(command) { (queue) throws(SpoolError) in
          try QueueShow().showEntry(options, queue)
        }
      }
    )
  }

  private func showEntry(_ options: Options, _ queue: QueueContext) throws(SpoolError) -> ExitStatus
  {
    try queue.with(queue.command.operands.first ?? "") { (outbox, item) throws(SpoolError) in
      guard let stored = try item.spool.load(item.id, in: item.state) else {
        throw .noEntry(item.id)
      }
      if queue.command.globals.json {
        queue.console.print(octets: try json(stored, item).octets)
      } else if options.raw {
        try Self.print(stored.message ?? [], queue.console)
      } else {
        try show(stored, item, queue.console)
      }
      // What cannot be noted is no reason not to show it.
      if item.isUnseenWithoutCopy { try? outbox.noteSeen(item) }
      return .success
    }
  }

  /// The entry as in a list, with what happened to it and its message.
  private func json(_ stored: StoredEntry, _ item: QueuedItem) throws(SpoolError) -> JSONLine {
    var line = ItemLine(item, now: Clock.now()).json
    line.add("log", octets: (item.content?.log ?? []).map { Array($0.line.dropLast()) })
    if stored.message != nil { line.add("message", octets: try stored.wholeMessage) }
    return line
  }

  private static func print(_ message: any OctetSource, _ console: Console) throws(SpoolError) {
    do throws(SourceError) {
      try console.print(content: message)
    } catch {
      throw .message(error)
    }
  }

  private func show(
    _ stored: StoredEntry,
    _ item: QueuedItem,
    _ console: Console
  ) throws(SpoolError) {
    console.print("State: \(item.isSentWithoutCopy ? "sent, no copy kept" : item.state.rawValue)")
    for line in lines(stored.entry.header) { console.print(line) }
    for record in item.content?.log ?? [] { console.print("  " + text(record.line)) }
    guard stored.message != nil else { return }
    console.print("")
    for line in lines(try stored.wholeMessage) { console.print(line) }
  }

  /// Lines that cannot steer the terminal.
  private func lines(_ octets: [UInt8]) -> [String] {
    octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).dropLast()
      .map { Printable.text($0, limit: 2000) }
  }

  private func text(_ line: [UInt8]) -> String { Printable.text(line.dropLast(), limit: 2000) }
}
