internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// What the connections of one account's run have brought about so far, put together.
final class RunState: AccountRecords {
  struct Contents: Sendable {
    var report: AccountReport
    var summary: Summary
    /// Whether a message was to follow its file, or a file its message, and did not.
    var hasOpenMoves = false
    /// What waits for another day, by mailbox: one that is looked at again says so again.
    var left: [[UInt8]: LeftMessages] = [:]
    /// Removals that are being carried out, over all connections.
    var removals = 0
    /// The mailboxes, by id, that take part.
    var present: Set<UInt64> = []
    /// Those that were opened.
    var seen: Set<UInt64> = []
    /// Whether a message that a mailbox lost may wait for what becomes of its file.
    var hasOpenLosses = false
  }

  private let contents: Monitor<Contents>

  /// What the run before left.
  private let previous: Summary
  /// The same of each mailbox, by its id.
  private let entriesBefore: [UInt64: Summary.Entry]

  init(_ report: AccountReport, _ summary: Summary) {
    previous = summary
    entriesBefore = summary.entries.values.keyed(by: \.header.id)
    contents = Monitor(Contents(report: report, summary: summary))
  }

  /// Everything so far.
  var current: Contents { contents.withLock { $0 } }

  /// What waits for another day.
  var left: LeftMessages {
    current.left.values.reduce(into: LeftMessages()) { $0.add($1) }
  }

  var entries: [Summary.Entry] { Array(current.summary.entries.values) }

  /// Adds what one mailbox brought, and what is now known of it.
  ///
  /// `deletions` are those that the deletion guard is to remember.
  func add(_ report: MailboxReport, _ entry: Summary.Entry, deletions: Int) {
    // What was postponed on purpose is no sign of something that no run mends.
    let isPostponed =
      report.blocked[.postponed] != nil || report.blocked[.mayHaveMoved] != nil
      || report.blocked[.copied] != nil
      || report.left.messages > 0
    let entry = isPostponed ? entry : counted(entry)
    contents.withLock {
      Self.add(report, deletions, to: &$0)
      $0.left[entry.header.mailbox] = report.left
      var entry = entry
      // As the run before left them, until this one comes to its end.
      let known = recent(in: entry.header.id, validity: entry.header.validity)
      entry.recent = known ?? RecentMessages()
      $0.summary.entries[entry.header.mailbox] = entry
    }
  }

  /// Remembers the mailboxes that have no folder and get none.
  func noteLeftOut(_ mailboxes: [MirroredMailbox]) {
    var leftOut = AccountReport.LeftOut()
    for mailbox in mailboxes {
      leftOut.mailboxes.append(mailbox.path.display)
      let messages = mailbox.status?.messages.map { UInt64($0) }
      leftOut.messages = leftOut.messages.flatMap { sum in messages.map { sum + $0 } }
    }
    contents.withLock { $0.report.leftOut = leftOut }
  }

  /// Remembers that a mailbox was opened, and whether all is done about the messages that it lost.
  func noteLook(at entry: Summary.Entry, hasOpenLosses: Bool) {
    contents.withLock {
      $0.seen.insert(entry.header.id)
      if hasOpenLosses { $0.hasOpenLosses = true }
    }
  }

  /// Remembers which mailboxes take part, by id.
  func notePresent(_ mailboxes: some Sequence<UInt64>) {
    contents.withLock { $0.present.formUnion(mailboxes) }
  }

  /// Remembers that some mailboxes were not looked at.
  func noteUnseen() {
    contents.withLock { $0.hasOpenLosses = true }
  }

  func recent(in mailbox: UInt64, validity: UInt32) -> RecentMessages? {
    guard let before = entriesBefore[mailbox], before.header.validity == validity else {
      return nil
    }
    return before.recent
  }

  /// Notes which messages of the mailboxes are recent from now on.
  ///
  /// Only a run of all mailboxes that did all about the messages which they lost brings anything forward: the new place of one
  /// may still have to be found.
  ///
  /// - Parameters:
  ///   - isWhole: whether the run looked at all mailboxes.
  ///   - facts: what it was told before it opened any, and what it moved.
  func noteRecent(isWhole: Bool, _ facts: AccountFacts) {
    contents.withLock {
      for (name, entry) in $0.summary.entries {
        var recent = entry.recent
        if isWhole, !$0.hasOpenLosses {
          bringForward(&recent, entry, facts)
          recent.isSeen = $0.seen.contains(entry.header.id)
          recent.isLeftOut = !recent.isSeen && !$0.present.contains(entry.header.id)
        }
        recent.sent.formUnion(sent(to: MailboxName(wire: name), facts))
        recent.sent = recent.sent.filter { $0 >= recent.first }
        $0.summary.entries[name]?.recent = recent
      }
    }
  }

  private func bringForward(
    _ recent: inout RecentMessages,
    _ entry: Summary.Entry,
    _ facts: AccountFacts
  ) {
    let before = entriesBefore[entry.header.id]?.header
    let known = before.flatMap { $0.validity == entry.header.validity ? $0.uidNext : nil } ?? 1
    // Under another name it may have been another mailbox that was listed.
    let isListed = before == nil || before?.mailbox == entry.header.mailbox
    let listed = facts.firstListed[MailboxName(wire: entry.header.mailbox)]
    let isSame = isListed && listed?.validity == entry.header.validity
    recent.first = known
    recent.listed = isSame ? max(known, listed?.uidNext ?? 0) : known
  }

  /// The messages that the run moved to a mailbox and that were not new where they came from.
  private func sent(to mailbox: MailboxName, _ facts: AccountFacts) -> [UInt32] {
    facts.moved[mailbox, default: []].filter { move in
      guard let source = recent(in: move.source, validity: move.validity) else { return false }
      return !source.mayBeNew(move.uid)
    }.map(\.newUID)
  }

  /// Adds what was done in a mailbox that did not come to its end.
  func add(unfinished report: MailboxReport, deletions: Int) {
    contents.withLock { Self.add(report, deletions, to: &$0) }
  }

  private static func add(_ report: MailboxReport, _ deletions: Int, to contents: inout Contents) {
    contents.report.add(report)
    let hour = Clock.now() / 3600
    if deletions > 0 { contents.summary.deletions[hour, default: 0] += deletions }
  }

  /// The entry with the runs before counted in which something was left undone.
  private func counted(_ entry: Summary.Entry) -> Summary.Entry {
    guard !entry.isComplete, let before = previous.entries[entry.header.mailbox] else {
      return entry
    }
    var counted = entry
    counted.unfinishedRuns = max(
      entry.unfinishedRuns,
      min(before.unfinishedRuns + 1, Summary.Entry.runLimit)
    )
    return counted
  }

  /// Takes over what became of mailboxes and folders as a whole.
  func replace(_ summary: Summary) {
    contents.withLock { $0.summary = summary }
  }

  /// Remembers that a message was to follow its file, or a file its message, and did not.
  func noteOpenMove() {
    contents.withLock { $0.hasOpenMoves = true }
  }

  /// Remembers that something failed.
  func markPartial() {
    contents.withLock { $0.report.markPartial() }
  }

  /// Remembers that something has to wait, through no failure.
  func markPostponed() {
    contents.withLock { $0.report.markPostponed() }
  }

  /// Judges removals of one mailbox once more, right before they are carried out: other connections may have removed
  /// messages since they were planned.
  ///
  /// False where they are too many for the account by now; else they count until `concludeRemovals`.
  func beginRemovals(_ count: Int) -> Bool {
    contents.withLock { contents -> Bool in
      guard !Self.deletionGuard(of: contents).holdsInAccount(count) else { return false }
      contents.removals += count
      return true
    }
  }

  /// Removals that were judged are done, and noted, or were given up.
  func concludeRemovals(_ count: Int) {
    contents.withLock { $0.removals -= count }
  }

  func deletionGuard(recentInMailbox: Int, isOverridden: Bool) -> DeletionGuard {
    contents.withLock {
      Self.deletionGuard(of: $0, recentInMailbox: recentInMailbox, isOverridden: isOverridden)
    }
  }

  private static func deletionGuard(
    of contents: Contents,
    recentInMailbox: Int = 0,
    isOverridden: Bool = false
  ) -> DeletionGuard {
    let yesterday = Clock.now() / 3600 - 24
    let recent = contents.summary.deletions.filter { $0.key > yesterday }.values.reduce(0, +)
    return DeletionGuard(
      recentInMailbox: recentInMailbox,
      recentInAccount: recent + contents.removals,
      messagesInAccount: contents.summary.entries.values.reduce(0) { $0 + $1.messages },
      isOverridden: isOverridden
    )
  }
}
