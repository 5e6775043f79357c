internal import CommandLine
internal import Configuration
internal import MailModel
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Syncing
internal import Terminal

/// `magnum queue flush`.
struct QueueFlush {
  /// What its options ask for.
  struct Options {
    var trace = false
    var due = false
    var system = false
  }

  /// How many entries of an account are reported by their names.
  private static let limit = 20

  private let options: Options
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "flush",
      abstract: "Send queued messages now.",
      discussion: "What keeps an account from sending is tried again too.",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .flag(
          "--trace",
          sets: \.trace,
          help: "Print the conversation with the server, without secrets and messages."
        ),
        .flag(
          "--due",
          sets: \.due,
          help: "Send only entries that are due, for accounts that are not blocked."
        ),
        .flag(
          "--system",
          sets: \.system,
          help: "As root, send what waits in the queues of all users without a home of their own."
        ),
      ],
      operands: .many("account", completion: .names(.accounts)),
      run: { options, command in
        QueueContext.runSubcommand(command) { (queue) throws(SpoolError) in
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
      // Opened by root, before anything is done in a user's name.
      let journal = DeliveryJournal(configuration.deliveryLog)
      let status = SystemQueues(queue).flush(configuration) {
        (configuration, outbox) throws(SpoolError) in
        try flush(configuration, outbox, journal)
      }
      if let error = journal.dueFailure(SpoolPlace.rootForSystemAccounts()) {
        queue.command.report(Explanation(unlogged: error))
      }
      return status
    }
    guard let configuration = queue.configuration() else { return .configuration }
    var statuses = unknown(configuration) + doWhatIsDue(configuration)
    for outbox in queue.outboxes { statuses.append(try flush(configuration, outbox)) }
    return ExitStatus.mostSevere(of: statuses)
  }

  /// Does what is to be done about messages whose time is there; gives the status of each that could not be.
  private func doWhatIsDue(_ configuration: Configuration) -> [ExitStatus] {
    let stage = LaterStage(configuration, stateHome: Environment.stateHome)
    var statuses: [ExitStatus] = []
    for account in configuration.accounts
    where accounts.isEmpty || accounts.contains(account.name) {
      for outcome in stage.doWhatIsDue(account, reminds: false) {
        switch outcome {
        case .woken(let count): printWoken(count, account)
        case .reminded: continue
        case .problem(let problem): statuses.append(queue.command.report(problem))
        }
      }
      do throws(SyncFailure) {
        try stage.runPostSync(account)
      } catch {
        statuses.append(queue.command.report(error.explanation(account: account.name)))
      }
    }
    return statuses
  }

  private func printWoken(_ count: Int, _ account: Account) {
    guard !queue.command.globals.quiet, !queue.command.globals.json else { return }
    let name = Printable.text(account.name.utf8, limit: 100)
    queue.console.print("\(name)  \(LaterWords.woken(count))")
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
    _ outbox: Outbox,
    _ journal: DeliveryJournal? = nil
  ) throws(SpoolError) -> ExitStatus {
    let known = names(configuration)
    let found = try outbox.spools().map(\.account)
      .filter { accounts.isEmpty || accounts.contains($0) }
    var statuses: [ExitStatus] = []
    for name in known where found.contains(name) && mayUse(name, configuration, outbox) {
      do throws(SpoolError) {
        statuses.append(try flush(name, configuration, outbox, journal))
        if !sendsOnly(outbox) { FailureNotices(configuration, outbox).deliver(of: name) }
      } catch {
        statuses.append(queue.report(error))
      }
    }
    let others = found.filter { !known.contains($0) || !mayUse($0, configuration, outbox) }
    return ExitStatus.mostSevere(of: statuses + [warn(others, configuration, outbox)])
  }

  /// Whether root may send what the user has put there: users who can write into a queue of their own must not send with
  /// the password of another's account.
  private func mayUse(
    _ account: String,
    _ configuration: Configuration,
    _ outbox: Outbox
  ) -> Bool {
    guard options.system, let sender = configuration.sender(named: account) else { return true }
    return sender.shared.allow(outbox.user)
  }

  /// Whether the queue is another user's: root sends what that user may send, and does nothing else for the user, who has no
  /// mailboxes of the account.
  private func sendsOnly(_ outbox: Outbox) -> Bool { options.system && outbox.user != 0 }

  /// Mail that cannot be sent, since the configuration has no such account, or not for this user, must not be forgotten.
  ///
  /// Of several accounts at once: any user may make directories of any names, and root's log must not grow with them.
  private func warn(
    _ accounts: [String],
    _ configuration: Configuration,
    _ outbox: Outbox
  ) -> ExitStatus {
    let waiting = accounts.map { ($0, (try? outbox.spool(of: $0).entries(.queue).count) ?? 0) }
      .filter { $0.1 > 0 }
    guard let (name, _) = waiting.first else { return .success }
    let count = waiting.reduce(0) { $0 + $1.1 }
    let others = waiting.count > 1 ? " and \(waiting.count - 1) others" : ""
    queue.command.report(
      place: shown(name, outbox) + others,
      AccountFlush.isPossible(name, configuration)
        ? "\(count) waiting, and the account is not for this user"
        : AccountFlush.strandedWords(count),
      hint: "magnum queue list\(options.system ? " --system" : "") says which"
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
    _ outbox: Outbox,
    _ journal: DeliveryJournal?
  ) throws(SpoolError) -> ExitStatus {
    var flushOptions = AccountFlush.Options()
    flushOptions.queue.isForced = !options.due
    flushOptions.isTracing = options.trace
    if options.system { flushOptions.queue.schedule = .system }
    flushOptions.queue.sendsOnly = sendsOnly(outbox)
    let console = queue.console
    flushOptions.journal = journal
    let flush = AccountFlush(configuration, outbox, options: flushOptions)
    let outcome = try flush.flushQueue(account, interruption: .shared) { event in
      if case .trace(let line) = event { console.writeNote(line) }
    }
    let name = shown(account, outbox)
    if queue.command.globals.json {
      let line = FlushLine(outcome, account, user: options.system ? outbox.user : nil)
      console.print(octets: line.json.octets)
    }
    if let words = outcome.delay?.text { queue.command.report(place: name, words) }
    if let error = outcome.unlogged { queue.command.report(Explanation(unlogged: error)) }
    return show(outcome.queue, name)
  }

  /// The account, with its user where the queues of several are worked on.
  private func shown(_ account: String, _ outbox: Outbox) -> String {
    Printable.text(account.utf8, limit: 100) + (options.system ? " of user \(outbox.user)" : "")
  }

  private func show(_ report: QueueReport, _ name: String) -> ExitStatus {
    if case .busy = report.ending {
      queue.command.report(place: name, "another process works on the queue")
      return .tryAgain
    }
    if !queue.command.globals.quiet, !queue.command.globals.json {
      queue.console.print("\(name)  \(report.sent) sent  \(report.waiting) waiting")
    }
    for id in report.uncopied.prefix(Self.limit) {
      queue.command.report(
        place: name,
        "\(UncopiedWords.text(nil)): \(id)",
        hint: "magnum queue show \(id)"
      )
    }
    for id in report.failed.prefix(Self.limit) {
      queue.command.report(place: name, "failed: \(id)", hint: "magnum queue show \(id)")
    }
    for entry in report.unreadable.prefix(Self.limit) {
      queue.command.report(entry.problem.explanation)
    }
    let more = [report.uncopied.count, report.failed.count, report.unreadable.count]
      .reduce(0) { $0 + max(0, $1 - Self.limit) }
    if more > 0 { queue.command.report(place: name, "\(more) more like these") }
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
