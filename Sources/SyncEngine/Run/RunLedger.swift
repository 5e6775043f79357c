internal import Platform
internal import SyncPlan

/// What the connections of one account's run have brought about so far, put together.
final class RunLedger: Sendable {
  struct Contents: Sendable {
    var report: AccountReport
    var summary: Summary
    var deletions: Int
    /// The gravest failure that ended a connection, if any.
    var failure: SyncFailure?
  }

  private let contents: Monitor<Contents>

  init(_ report: AccountReport, _ summary: Summary) {
    contents = Monitor(Contents(report: report, summary: summary, deletions: 0))
  }

  /// Everything so far.
  var current: Contents { contents.withLock { $0 } }

  /// Adds what one mailbox brought, and what is now known of it; nil leaves the summary as it is.
  func add(_ report: MailboxReport, _ entry: Summary.Entry?) {
    contents.withLock {
      $0.report.add(report)
      if let entry { $0.summary.entries[entry.header.mailbox] = entry }
    }
  }

  /// Remembers that something failed.
  func markPartial() {
    contents.withLock { $0.report.markPartial() }
  }

  /// The brake's view of the account, of which `mailbox` is a part.
  func brake(recentInMailbox: Int, isReleased: Bool) -> Brake {
    contents.withLock {
      Brake(
        recentInMailbox: recentInMailbox,
        recentInAccount: $0.deletions + recentInMailbox,
        messagesInAccount: $0.summary.entries.values.reduce(0) { $0 + $1.messages },
        isReleased: isReleased
      )
    }
  }

  /// Counts deletions that are about to be carried out.
  func count(deletions: Int) {
    contents.withLock { $0.deletions += deletions }
  }
}
