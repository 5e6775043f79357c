package import Configuration
package import SyncEngine
package import Triage

/// Shows the events of a run; may be called from several threads.
package protocol Reporter: Sendable {
  /// Something happened in a sync.
  func reportEvent(_ event: SyncEvent)

  /// An account's queue was worked on.
  func reportOutbox(_ outbox: OutboxReport)

  /// An account's mail is being indexed: so many messages of so many are done.
  func indexing(_ account: String, _ done: Int, of total: Int)

  /// An account's mail was indexed, or could not be.
  func indexed(_ account: String, _ outcome: Indexing.Outcome)

  /// Filters made text of attachments of an account, or could not.
  func extracted(_ account: String, _ report: FilterReport)

  /// What a person did was taken back here, since the server refuses it.
  func returned(_ step: ReturnedStep)

  /// Something is to be said of the rules of an account.
  func sorted(_ account: String, _ outcome: RuleOutcome)

  /// Something was done about messages of an account whose time was there, or could not be.
  func reportLater(_ account: String, _ outcome: LaterOutcome)

  /// Something is to be said of messages of an account that did not reach a recipient.
  func bounced(_ account: String, _ outcome: BounceOutcome)
}

/// Shows the events of a run to several.
package struct ReporterGroup: Reporter {
  private let reporters: [any Reporter]

  package init(_ reporters: [any Reporter]) {
    self.reporters = reporters
  }

  /// Reports an event of a sync to all.
  package func reportEvent(_ event: SyncEvent) {
    for reporter in reporters { reporter.reportEvent(event) }
  }

  /// Reports to all that a queue was worked on.
  package func reportOutbox(_ outbox: OutboxReport) {
    for reporter in reporters { reporter.reportOutbox(outbox) }
  }

  /// Tells all how far the indexing is.
  package func indexing(_ account: String, _ done: Int, of total: Int) {
    for reporter in reporters { reporter.indexing(account, done, of: total) }
  }

  /// Tells all what came of the indexing.
  package func indexed(_ account: String, _ outcome: Indexing.Outcome) {
    for reporter in reporters { reporter.indexed(account, outcome) }
  }

  /// Tells all what filters made of attachments.
  package func extracted(_ account: String, _ report: FilterReport) {
    for reporter in reporters { reporter.extracted(account, report) }
  }

  /// Tells all what was taken back.
  package func returned(_ step: ReturnedStep) {
    for reporter in reporters { reporter.returned(step) }
  }

  /// Tells all what came of rules.
  package func sorted(_ account: String, _ outcome: RuleOutcome) {
    for reporter in reporters { reporter.sorted(account, outcome) }
  }

  /// Reports to all what was done about messages whose time was there.
  package func reportLater(_ account: String, _ outcome: LaterOutcome) {
    for reporter in reporters { reporter.reportLater(account, outcome) }
  }

  /// Tells all what came of reports of failures.
  package func bounced(_ account: String, _ outcome: BounceOutcome) {
    for reporter in reporters { reporter.bounced(account, outcome) }
  }
}
