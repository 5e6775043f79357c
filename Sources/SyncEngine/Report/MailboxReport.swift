package import SyncPlan

/// What a run did in one mailbox.
package struct MailboxReport: Hashable, Sendable {
  /// The name for people: decoded, safe to print.
  package var mailbox: String
  /// Messages fetched.
  package var new = 0
  /// Octets fetched.
  package var octets: UInt64 = 0
  /// Files whose flags changed.
  package var flags = 0
  /// Files removed.
  package var removed = 0
  /// Files recognised as messages of the server without fetching them.
  package var bound = 0
  /// Files that were synced once and are kept apart now.
  package var orphaned = 0
  /// Messages that failed and are tried again next time.
  package var failed = 0
  /// Differences that were left alone, by cause.
  package var held: [HeldBack.Cause: Int] = [:]

  /// Nothing happened yet in a mailbox.
  package init(mailbox: String) {
    self.mailbox = mailbox
  }

  /// Whether there is anything to say.
  package var isQuiet: Bool {
    new == 0 && flags == 0 && removed == 0 && bound == 0 && orphaned == 0 && failed == 0
      && held.isEmpty
  }
}

extension MailboxReport {
  /// Adds differences that were left alone.
  mutating func add(_ differences: [HeldBack]) {
    for difference in differences { held[difference.cause, default: 0] += 1 }
  }

  /// Adds what a plan would do, for a run that only says so.
  mutating func add(planned plan: MailboxPlan) {
    for action in plan.actions {
      switch action.kind {
      case .download(let message):
        new += 1
        octets += message.size ?? 0
      case .setLocalFlags: flags += 1
      case .removeLocal: removed += 1
      case .bind: bound += 1
      case .orphan: orphaned += 1
      case .agree, .forget, .store, .append, .moveRemote, .removeRemote: break
      }
    }
  }
}
