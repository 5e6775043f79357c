package import MailModel
package import MailStore
internal import SyncPlan

/// What a run did in one account.
package struct AccountReport: Sendable {
  /// How the account's run ended.
  package enum Outcome: Sendable {
    /// Everything that was to be done is done.
    case complete
    /// Some mailbox cannot be had for now; the rest is done.
    case postponed
    /// Some mailbox or message failed, or the deletion guard blocked deletions.
    case partial
    /// The account's run ended early.
    case failed(SyncFailure)
  }

  /// What an account that limits it has fetched in a day.
  package struct Day: Hashable, Sendable {
    /// Octets that may be fetched.
    package let limit: UInt64
    /// Octets that were fetched, by all runs and programs.
    package let octets: UInt64
    /// When the day ends, in seconds since 1970.
    package let end: Int64

    package init(limit: UInt64, octets: UInt64, end: Int64) {
      self.limit = limit
      self.octets = octets
      self.end = end
    }
  }

  /// Mailboxes without a folder here, which the account does not make.
  package struct LeftOut: Hashable, Sendable {
    /// Their names, as people read them.
    package var mailboxes: [String] = []
    /// The messages in them; nil where the server did not say.
    package var messages: UInt64? = 0

    /// None yet.
    package init() {}
  }

  /// The account's name in the configuration.
  package let account: String
  /// How the run ended.
  package var outcome: Outcome = .complete
  /// Whether all mailboxes of the account took part.
  package var isWhole = true
  /// Whether nothing was pushed, whatever was to be.
  package var isPullOnly = false
  /// The sums over all mailboxes; its mailbox name is empty.
  package var total = MailboxReport(mailbox: "")
  /// The day in which messages were left for another one; nil where none were.
  package var day: Day?
  /// Mailboxes that are mirrored.
  package var mailboxes = 0
  /// What is not mirrored since it has no folder.
  package var leftOut = LeftOut()
  /// Seconds from start to end.
  package var seconds = 0.0

  package init(account: String) {
    self.account = account
  }

  /// Whether the account's run ended early.
  package var hasFailed: Bool {
    if case .failed = outcome { true } else { false }
  }

  /// Whether nothing failed, and nothing has to wait.
  package var isComplete: Bool {
    if case .complete = outcome { true } else { false }
  }

  /// Whether files came, changed or went.
  package var hasChangedFiles: Bool {
    total.fetched + total.flags + total.removed + total.relocated > 0
      || !total.arrivals.messages.isEmpty
  }

  /// Adds what one mailbox brought.
  package mutating func add(_ mailbox: MailboxReport) {
    total.add(mailbox)
    if mailbox.failed > 0 || mailbox.blocked[.massDeletion] != nil { markPartial() }
  }

  /// Adds what a later run brought; how it ended is left out.
  package mutating func add(_ later: AccountReport) {
    total.add(later.total)
    // What was left at first is among what is left now, or has been fetched.
    total.left = later.total.left
    day = later.day
  }

  /// Adds what a later run brought, and how it ended where that is worse.
  mutating func add(withOutcome later: AccountReport) {
    add(later)
    seconds += later.seconds
    switch later.outcome {
    case .complete: break
    case .postponed: markPostponed()
    case .partial: markPartial()
    case .failed: outcome = later.outcome
    }
  }

  /// Remembers that not everything was done.
  package mutating func markPartial() {
    switch outcome {
    case .complete, .postponed: outcome = .partial
    case .partial, .failed: break
    }
  }

  /// Remembers that something has to wait.
  package mutating func markPostponed() {
    if case .complete = outcome { outcome = .postponed }
  }
}

extension ExitStatus {
  /// The status of one account's run.
  package init(_ outcome: AccountReport.Outcome) {
    switch outcome {
    case .complete: self = .success
    case .postponed: self = .tryAgain
    case .partial: self = .partial
    case .failed(let failure): self = ExitStatus(failure)
    }
  }
}
