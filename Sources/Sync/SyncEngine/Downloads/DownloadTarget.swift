internal import Mailboxes
internal import Platform
internal import SyncState

/// Where messages of one mailbox go that are fetched.
struct DownloadTarget: Sendable {
  let mailbox: MirroredMailbox
  /// The path of its Maildir.
  let directory: Path
  /// Where they are recorded.
  let journal: SharedJournal
  /// Which of its messages may be fetched today; nil is all.
  let allowance: FetchAllowance?
  /// Takes new messages before they are recorded; nil where nothing does.
  let arriving: ArrivalObserver?
  /// Takes what happens.
  let report: @Sendable (SyncEvent.Kind) -> Void

  /// Where messages of a mailbox go that is worked on.
  init(
    _ mailbox: OpenMailbox,
    _ allowance: FetchAllowance?,
    arriving: ArrivalObserver? = nil,
    _ report: @escaping @Sendable (SyncEvent.Kind) -> Void
  ) {
    self.allowance = allowance
    self.arriving = arriving
    self.mailbox = mailbox.mailbox
    self.report = report
    directory = mailbox.directory
    journal = SharedJournal(mailbox.journal)
  }
}

/// What was fetched over one connection.
package struct DownloadResult: Sendable {
  /// Messages that are durable and recorded.
  package internal(set) var messages = 0
  /// Those of them of which only parts are here.
  package internal(set) var partial = 0
  /// Those of them that are new to the user.
  package internal(set) var new = 0
  /// What post-sync is told of them.
  package internal(set) var arrivals = Arrivals()
  /// Their octets on the wire.
  package internal(set) var octets: UInt64 = 0
  /// Messages that did not work out, each of which was reported.
  package internal(set) var failed = 0
}

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

  /// Records facts of several mailboxes, each of which is named once, and makes them durable together; gives for each what failed.
  ///
  /// No other thread has more than one of the locks at the same time.
  static func record(
    _ changes: [(journal: SharedJournal, records: [StateRecord])]
  ) -> [SystemError?] {
    locked(changes.map(\.journal)[...]) {
      Journal.record(changes.map { ($0.journal.journal, $0.records) })
    }
  }

  private static func locked<Result>(
    _ journals: ArraySlice<SharedJournal>,
    _ body: () -> Result
  ) -> Result {
    guard let first = journals.first else { return body() }
    return first.lock.withLock { _ in locked(journals.dropFirst(), body) }
  }

  /// Looks at what is recorded; not to be kept, or the next record has to copy all of it.
  func read<Result>(_ body: (MailboxState) -> Result) -> Result {
    lock.withLock { _ in body(journal.state) }
  }
}
