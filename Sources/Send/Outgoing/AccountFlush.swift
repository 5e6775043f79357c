package import Configuration
package import Platform
package import Spool
internal import SpoolPlan
package import Submission
internal import MailStore
internal import MailboxActions

/// A run over the queue of an account with all that belongs to it: copies of what was sent, and a message to the user
/// about what failed.
package struct AccountFlush: Sendable {
  /// How it went.
  package struct Outcome: Sendable {
    /// How the queue stands.
    package let queue: QueueReport
    /// What kept it from doing all that is to be done in mailboxes; nil when nothing did.
    package let delay: MailboxDelay?
    /// Why the log of deliveries could not be written, once a day; nil where it could, or that was told.
    package let unlogged: SystemError?
  }

  /// How it is run.
  package struct Options: Sendable {
    /// How the queue is worked on.
    package var queue = QueueOptions()
    /// The most seconds to wait for replies that decide nothing; nil: what the RFC says.
    package var stepLimit: Int?
    /// The seconds that a slow server is waited for in all, beyond what is usual; nil: without end.
    package var budget: Double?
    /// Seconds for connecting to the IMAP server.
    package var connectLimit = 30.0
    /// Whether the conversations with the servers are to be reported.
    package var isTracing = false
    /// The log of deliveries, where it was opened for several runs; nil to have it opened.
    package var journal: DeliveryJournal?

    /// The usual ways.
    package init() {}

    /// Those of a run for which a person waits who wants something else.
    package static var brief: Options {
      var options = Options()
      (options.stepLimit, options.budget) = (60, 300)
      return options
    }
  }

  private let configuration: Configuration
  private let outbox: Outbox
  private let options: Options

  package init(_ configuration: Configuration, _ outbox: Outbox, options: Options = Options()) {
    self.configuration = configuration
    self.outbox = outbox
    self.options = options
  }

  /// Whether the account can work on a queue: it can send, or has mailboxes on a server.
  package static func isPossible(_ account: String, _ configuration: Configuration) -> Bool {
    configuration.sender(named: account) != nil
      || configuration.account(named: account)?.server != nil
  }

  /// How many entries of the account's queue nothing works on: all where no such account is configured, and what is to
  /// be sent where it cannot send.
  package func stranded(_ account: String) throws(SpoolError) -> Int {
    guard configuration.sender(named: account) == nil, !isRootsWork(account) else { return 0 }
    guard Self.isPossible(account, configuration) else {
      return try outbox.spool(of: account).entries(.queue).count
    }
    return try outbox.items(of: [account], in: [.queue]).count { item in
      if case .send? = item.content?.entry.action { true } else { false }
    }
  }

  /// Whether root's timer sends what waits there, with an account of the system, whose configuration the user may not be able to
  /// read.
  private func isRootsWork(_ account: String) -> Bool {
    guard outbox.root.parent == SpoolPlace.system, !configuration.isSystem else { return false }
    do throws(ConfigurationError) {
      let system = try Configuration.load(explicit: ConfigurationEnvironment.systemFile)
      return system.sender(named: account)?.shared.allow(outbox.user) ?? false
    } catch {
      return error.isOfPermissions
    }
  }

  /// What to say of entries that nothing works on.
  package static func strandedWords(_ count: Int) -> String {
    "\(count) waiting, and the configuration has no such account that can send"
  }

  /// Works on the queue of one account.
  ///
  /// - Throws: `SpoolError` when the spool cannot be worked on.
  package func flushQueue(
    _ account: String,
    interruption: Interruption,
    report: @escaping @Sendable (QueueEvent) -> Void
  ) throws(SpoolError) -> Outcome {
    let sender = configuration.sender(named: account)
    let journal = options.journal ?? DeliveryJournal(configuration.deliveryLog)
    let performer = MailboxPerformer(
      connection(account, interruption, report),
      keepsOwnCopy: sender?.copy == .always
    )
    let queue = try outbox.flush(
      account,
      by: sender,
      isShared: configuration.isSystem,
      options: options.queue,
      stepLimit: options.stepLimit,
      budget: options.budget.map { WaitBudget(seconds: $0) },
      isTracing: options.isTracing,
      performer: performer,
      interruption: interruption
    ) { event in
      if case .attempted(let attempt) = event { journal.recordAttempt(attempt) }
      report(event)
    }
    return Outcome(
      queue: queue,
      delay: performer.delay,
      unlogged: options.journal == nil ? journal.dueFailure(outbox.root) : nil
    )
  }

  private func connection(
    _ account: String,
    _ interruption: Interruption,
    _ report: @escaping @Sendable (QueueEvent) -> Void
  ) -> AccountConnection? {
    guard !options.queue.sendsOnly, let account = configuration.account(named: account),
      account.server != nil
    else { return nil }
    return AccountConnection(
      account,
      of: configuration.accounts,
      isForced: options.queue.isForced,
      stateHome: Environment.stateHome,
      connectLimit: options.connectLimit,
      isTracing: options.isTracing,
      interruption: interruption
    ) { event in
      if case .trace(let line) = event { report(.trace(line)) }
    }
  }
}
