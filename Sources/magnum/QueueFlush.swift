internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue flush`.
struct QueueFlush {
  /// What its options ask for.
  struct Options {
    var trace = false
    var due = false
    var system = false
  }

  private let options: Options
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "flush",
      abstract: "Send what waits, now.",
      discussion: "What keeps an account from sending is tried again too.",
      initial: Options(),
      globals: [.config, .account, .quiet],
      options: [
        .flag(
          "--trace",
          sets: \.trace,
          help: "Print the conversation with the server, without secrets and messages."
        ),
        .flag(
          "--due",
          sets: \.due,
          help: "Only what is due, and only with accounts that nothing stops."
        ),
        .flag(
          "--system",
          sets: \.system,
          help: "As root, send what waits in the queues of all users without a home of their own."
        ),
      ],
      operands: .many("account"),
      run: { options, command in
        QueueContext.run(command) { (queue) throws(SpoolError) in
          try QueueFlush(options: options, queue: queue).run()
        }
      }
    )
  }

  /// The accounts that are named, by operands and by `--account`.
  private var accounts: [String] { queue.command.accountsNamed }

  private func run() throws(SpoolError) -> ExitStatus {
    Interruption.shared.watchSignals()
    if options.system {
      guard let configuration = SystemQueues.configuration(queue) else { return .configuration }
      return SystemQueues(queue).flush(configuration) {
        (configuration, outbox) throws(SpoolError) in
        try flush(configuration, outbox)
      }
    }
    guard let configuration = queue.configuration() else { return .configuration }
    var statuses = unknown(configuration)
    for outbox in queue.outboxes { statuses.append(try flush(configuration, outbox)) }
    return ExitStatus.gravest(of: statuses)
  }

  /// The status of each account that is named and not configured.
  private func unknown(_ configuration: Configuration) -> [ExitStatus] {
    accounts.filter { !AccountFlush.isPossible($0, configuration) }.map { name in
      queue.command.report(Explanation(unknownAccount: name, known: names(configuration)))
    }
  }

  /// Works on the queues of the accounts that are wanted; one that cannot be worked on leaves the others alone.
  private func flush(
    _ configuration: Configuration,
    _ outbox: Outbox
  ) throws(SpoolError) -> ExitStatus {
    let known = names(configuration)
    let found = try outbox.spools().map(\.account)
    var statuses: [ExitStatus] = []
    for name in known.filter(found.contains) + found.filter({ !known.contains($0) })
    where accounts.isEmpty || accounts.contains(name) {
      do throws(SpoolError) {
        statuses.append(
          known.contains(name)
            ? try flush(name, configuration, outbox) : try warn(name, configuration, outbox)
        )
        FailureNotices(configuration, outbox).deliver(of: name)
      } catch {
        statuses.append(queue.report(error))
      }
    }
    return ExitStatus.gravest(of: statuses)
  }

  /// Mail of an account that the configuration does not have any more must not be forgotten.
  private func warn(
    _ account: String,
    _ configuration: Configuration,
    _ outbox: Outbox
  ) throws(SpoolError) -> ExitStatus {
    let count = try AccountFlush(configuration, outbox).stranded(account)
    guard count > 0 else { return .success }
    queue.command.report(
      place: Printable.text(account.utf8),
      AccountFlush.strandedWords(count),
      hint: "magnum queue list says which"
    )
    return .partial
  }

  /// Those who send first, then those who only have mailboxes.
  private func names(_ configuration: Configuration) -> [String] {
    let senders = configuration.senders.map(\.name)
    let others = configuration.accounts.filter { $0.server != nil }.map(\.name)
    return senders + others.filter { !senders.contains($0) }
  }

  private func flush(
    _ account: String,
    _ configuration: Configuration,
    _ outbox: Outbox
  ) throws(SpoolError) -> ExitStatus {
    var flushOptions = AccountFlush.Options()
    flushOptions.queue.isForced = !options.due
    flushOptions.isTracing = options.trace
    if options.system { flushOptions.queue.schedule = .system }
    let console = queue.console
    let log = configuration.deliveryLog
    let flush = AccountFlush(configuration, outbox, options: flushOptions)
    let outcome = try flush.run(account, interruption: .shared) { event in
      switch event {
      case .attempted(let attempt): log.note(attempt)
      case .trace(let line): console.note(line)
      default: break
      }
    }
    if let words = outcome.delay?.text {
      queue.command.report(place: Printable.text(account.utf8), words)
    }
    return show(outcome.queue, account)
  }

  private func show(_ report: QueueReport, _ account: String) -> ExitStatus {
    let name = Printable.text(account.utf8)
    if case .busy = report.ending {
      queue.command.report(place: name, "another process works on the queue")
      return .tryAgain
    }
    if !queue.command.globals.quiet {
      queue.console.print("\(name)  \(report.sent) sent  \(report.waiting) waiting")
    }
    for id in report.failed {
      queue.command.report(place: name, "failed: \(id)", hint: "magnum queue show \(id)")
    }
    for entry in report.unreadable { queue.command.report(entry.problem.explanation) }
    guard let block = report.block else {
      guard let failure = report.failure, failure != .interrupted else {
        return report.failed.isEmpty && report.unreadable.isEmpty ? .success : .partial
      }
      // Nothing that stops the account for others: a file that this user cannot read.
      queue.command.report(place: name, FailureText.text(failure))
      return .configuration
    }
    queue.command.report(place: name, Printable.text(block.words))
    return switch block.reason {
    case .unreachable: .tryAgain
    case .secret: .refused
    case .unfit: .unavailable
    }
  }
}
