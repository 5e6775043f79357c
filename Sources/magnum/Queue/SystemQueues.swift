internal import CommandLine
internal import Configuration
internal import Outgoing
internal import Platform
internal import Spool
internal import Submission

/// The queues of the system's accounts, worked on by root in the name of each user.
struct SystemQueues {
  private let queue: QueueContext

  init(_ queue: QueueContext) {
    self.queue = queue
  }

  /// The system's configuration, unless another one is named; nil, and reported, where it is missing or wrong.
  static func configuration(_ queue: QueueContext) -> Configuration? {
    let named = queue.command.globals.config.map { Path($0) }
    do throws(ConfigurationError) {
      return try Configuration.load(explicit: named ?? ConfigurationEnvironment.systemFile)
    } catch {
      queue.command.report(error.explanation)
      return nil
    }
  }

  /// Whether this is root; reports where it is not.
  static func isAllowed(_ queue: QueueContext) -> Bool {
    if UserIdentity.effective == 0 { return true }
    queue.command.report("--system is for root")
    return false
  }

  /// Works on all of them; one that cannot be worked on leaves the others alone.
  ///
  /// Secrets are fetched by root before, since the users may not be able to read them. Root's own queue comes last: it
  /// takes reports on what failed in the others.
  func flush(
    _ configuration: Configuration,
    _ body: (Configuration, Outbox) throws(SpoolError) -> ExitStatus
  ) -> ExitStatus {
    guard Self.isAllowed(queue) else { return .usage }
    let configuration = configuration.withSecrets { sender, error in
      queue.command.report(place: sender.name, error.message, hint: error.hint)
    }
    var statuses: [ExitStatus] = []
    for outbox in Outbox.allShared(configuration.messageSizeLimit) where outbox.user != 0 {
      statuses.append(run(outbox, configuration, body))
    }
    for outbox in Outbox.allShared(configuration.messageSizeLimit) where outbox.user == 0 {
      statuses.append(run(outbox, configuration, body))
    }
    return ExitStatus.gravest(of: statuses)
  }

  private func run(
    _ outbox: Outbox,
    _ configuration: Configuration,
    _ body: (Configuration, Outbox) throws(SpoolError) -> ExitStatus
  ) -> ExitStatus {
    do throws(SpoolError) {
      try Spool.check(root: outbox.root, user: outbox.user)
      let status = try outbox.asUser { () throws(SpoolError) in try body(configuration, outbox) }
      for sender in configuration.senders where sender.shared.allow(outbox.user) {
        try report(on: outbox, sender)
      }
      return status
    } catch {
      return queue.report(error)
    }
  }

  /// Puts reports on what failed into root's queue.
  ///
  /// The entry says that it was reported when the report is durable: better twice than never.
  private func report(on outbox: Outbox, _ sender: Sender) throws(SpoolError) {
    guard let mail = FailureMail(sender) else { return }
    let own = Outbox(root: SpoolPlace.rootForSystemAccounts(user: 0), user: 0)
    let reports = try outbox.asUser { () throws(SpoolError) in try mail.reports(of: outbox) }
    for report in reports {
      try mail.enqueue(report, in: own)
      try outbox.asUser { () throws(SpoolError) in
        for item in report.items { try outbox.noteReported(item) }
      }
    }
  }
}
