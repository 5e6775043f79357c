internal import Platform
internal import SyncState

/// The journal of a mailbox that several connections fetch messages of.
///
/// `@unchecked`: the journal is used only while the lock is held, and by no other thread meanwhile.
final class SharedJournal: @unchecked Sendable {
  private let journal: Journal
  private let lock = Monitor(())

  /// Shares a journal, which is its owner's alone again once no connection fetches.
  init(_ journal: Journal) {
    self.journal = journal
  }

  /// Records facts; durable when it returns.
  func record(_ records: [StateRecord]) throws(SystemError) {
    try lock.withLock { _ throws(SystemError) in try journal.record(records) }
  }

  /// Looks at what is recorded; not to be kept, or the next record has to copy all of it.
  func read<Result>(_ body: (MailboxState) -> Result) -> Result {
    lock.withLock { _ in body(journal.state) }
  }
}
