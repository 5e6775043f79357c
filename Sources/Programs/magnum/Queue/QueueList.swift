internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue list`.
struct QueueList {
  /// What its options ask for.
  struct Options {
    var system = false
    var discarded = false
    var bounced = false
  }

  private let options: Options
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "list",
      abstract: "List queued, failed and held messages.",
      initial: Options(),
      globals: [.config, .account, .json],
      options: [
        .flag(
          "--discarded",
          sets: \.discarded,
          help: "List discarded entries that can be restored."
        ),
        .flag(
          "--bounced",
          sets: \.bounced,
          help: "List sent messages that did not reach a recipient."
        ),
        .flag("--system", sets: \.system, help: "As root, list the system's queues of all users."),
      ],
      operands: .many("account", completion: .names(.accounts)),
      check: { (options, _) throws(UsageMistake) in
        if options.bounced, options.discarded || options.system {
          throw UsageMistake("--bounced goes with neither --discarded nor --system")
        }
      },
      changes: { _, _ in false },
      run: { options, command in
        QueueContext.runSubcommand(command) { (queue) throws(SpoolError) in
          try QueueList(options: options, queue: queue).run()
        }
      }
    )
  }

  private var accounts: [String] { queue.command.accountsNamed }

  private func run() throws(SpoolError) -> ExitStatus {
    if options.bounced { return BouncedList(queue: queue).showMessages() }
    if options.system, !SystemQueues.isAllowed(queue) { return .usage }
    let outboxes = options.system ? Outbox.shared : queue.outboxes
    var statuses = [check(outboxes)]
    for outbox in outboxes { statuses.append(show(outbox)) }
    if !queue.command.globals.json, !options.discarded {
      for outbox in outboxes {
        try outbox.asUser { () throws(SpoolError) in try showBlocks(outbox) }
      }
    }
    return ExitStatus.mostSevere(of: statuses)
  }

  private func show(_ outbox: Outbox) -> ExitStatus {
    let listing = queue.listing(
      of: outbox,
      accounts.isEmpty ? nil : accounts,
      in: options.discarded ? [.discarded] : EntryState.wanted
    )
    let now = Clock.now()
    for item in listing.items {
      let line = ItemLine(item, now: now, user: options.system ? outbox.user : nil)
      if queue.command.globals.json {
        queue.console.print(octets: line.json.octets)
      } else {
        for text in line.texts { queue.console.print(text) }
      }
    }
    return listing.problems.isEmpty ? .success : .partial
  }

  /// A word that names no account may be a misspelt subcommand: an empty list would be a wrong answer.
  private func check(_ outboxes: [Outbox]) -> ExitStatus {
    var status = ExitStatus.success
    for name in accounts where !isKnown(name, outboxes) {
      status = queue.command.report(
        Explanation(
          .usage,
          "unknown account or subcommand '\(name)'",
          hint: "see: magnum queue --help"
        )
      )
    }
    return status
  }

  private func isKnown(_ name: String, _ outboxes: [Outbox]) -> Bool {
    if outboxes.contains(where: { (try? $0.spool(of: name).exists()) ?? false }) { return true }
    guard let configuration = try? queue.command.configuration() else { return false }
    return AccountFlush.isPossible(name, configuration)
  }

  private func showBlocks(_ outbox: Outbox) throws(SpoolError) {
    for spool in try outbox.spools() where accounts.isEmpty || accounts.contains(spool.account) {
      guard let block = try? spool.block() else { continue }
      queue.console.print(BlockLine.text(block, spool.account, now: Clock.now()))
    }
  }
}

/// Why an account does not send for a while, in a line.
enum BlockLine {
  static func text(_ block: SendingBlock, _ account: String, now: Int64) -> String {
    let words = Printable.text(block.words)
    let name = Printable.text(account.utf8)
    return switch block.reason {
    case .unreachable: "\(name): next attempt in \(HumanFormat.age(block.until - now)): \(words)"
    case .secret, .unfit:
      "\(name): stopped: \(words); when that is put right: magnum queue flush \(name)"
    }
  }
}
