internal import MailModel
internal import MailStore
internal import Mailboxes
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// Reports what a plan leaves as it is until something is done about it.
struct BlockedDifferences {
  private let context: AccountContext
  private let ledger: RunLedger

  init(_ context: AccountContext, _ ledger: RunLedger) {
    self.context = context
    self.ledger = ledger
  }

  /// Reports those of one mailbox; gives how many there are.
  ///
  /// As long as there are any the run is not complete; in words they are reported when their number changed. What the
  /// deletion guard blocks is reported elsewhere.
  func report(_ plan: MailboxPlan, of mailbox: MirroredMailbox) -> Int {
    let causes = plan.blocked.filter { $0.isBlocked && $0.cause != .massDeletion }.map(\.cause)
    guard !causes.isEmpty else { return 0 }
    ledger.markPartial()
    guard causes.count != mailbox.entry?.blocked else { return causes.count }
    let counts = Dictionary(grouping: causes) { $0 }.mapValues(\.count)
    for (cause, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      context.report(
        .problem(mailbox: mailbox.path.display, .mailbox(.blocked(count: count, cause)))
      )
    }
    return causes.count
  }
}
