internal import ArgumentParser
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue flush`.
struct QueueFlush: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flush",
    abstract: "Send what waits, now.",
    discussion: "What keeps an account from sending is tried again too."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Print the conversation with the server, without secrets and messages.")
  var trace = false

  @Flag(name: .long, help: "Only what is due, and only with accounts that nothing stops.")
  var due = false

  @Flag(
    name: .long,
    help: "As root, send what waits in the queues of all users without a home of their own."
  )
  var system = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Argument(help: ArgumentHelp("Only these accounts.", valueName: "account"))
  var accounts: [String] = []

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      Interruption.shared.watchSignals()
      guard let configuration = desk.load(global.path) else { return .configuration }
      guard system else { return try flush(configuration, desk.outbox, desk) }
      return try SystemQueues(desk).flush(configuration) {
        (configuration, outbox) throws(SpoolError) in
        try flush(configuration, outbox, desk)
      }
    }
  }

  private func flush(
    _ configuration: Configuration,
    _ outbox: Outbox,
    _ desk: QueueDesk
  ) throws(SpoolError) -> ExitStatus {
    var statuses: [ExitStatus] = []
    for name in accounts where !AccountFlush.isPossible(name, configuration) {
      desk.complain(name, "no such account that can send, or has mailboxes on a server")
      statuses.append(.usage)
    }
    for name in names(configuration) where accounts.isEmpty || accounts.contains(name) {
      guard try outbox.spool(of: name).exists() else { continue }
      statuses.append(try flush(name, configuration, outbox, desk))
      FailureNotices(configuration, outbox).deliver(of: name)
    }
    return ExitStatus.gravest(of: statuses)
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
    _ outbox: Outbox,
    _ desk: QueueDesk
  ) throws(SpoolError) -> ExitStatus {
    var options = AccountFlush.Options()
    options.queue.isForced = !due
    options.isTracing = trace
    if system { options.queue.schedule = .system }
    let console = desk.console
    let log = configuration.deliveryLog
    let flush = AccountFlush(configuration, outbox, options: options)
    let outcome = try flush.run(account, interruption: .shared) { event in
      switch event {
      case .attempted(let attempt): log.note(attempt)
      case .trace(let line): console.note(line)
      default: break
      }
    }
    if let words = outcome.delay?.text {
      desk.complain(Printable.text(account.utf8), words)
    }
    return tell(outcome.queue, account, desk)
  }

  private func tell(_ report: QueueReport, _ account: String, _ desk: QueueDesk) -> ExitStatus {
    let name = Printable.text(account.utf8)
    if case .busy = report.ending {
      desk.complain(name, "another process works on the queue")
      return .tryAgain
    }
    if !quiet { desk.console.print("\(name)  \(report.sent) sent  \(report.waiting) waiting") }
    for id in report.failed {
      desk.complain(name, "failed: \(id)", hint: "magnum queue show \(id)")
    }
    guard let block = report.block else {
      guard let failure = report.failure, failure != .interrupted else {
        return report.failed.isEmpty ? .success : .partial
      }
      // Nothing that stops the account for others: a file that this user cannot read.
      desk.complain(name, FailureText.text(failure))
      return .configuration
    }
    desk.complain(name, Printable.text(block.words))
    return switch block.reason {
    case .unreachable: .tryAgain
    case .secret: .refused
    case .unfit: .unavailable
    }
  }
}
