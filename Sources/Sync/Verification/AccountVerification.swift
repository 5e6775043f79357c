package import Configuration
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MirrorCheck
internal import Octets
package import Platform
package import SyncEngine
internal import SyncPlan
internal import SyncState

/// Compares the mirror of an account with its server, and changes nothing on either side.
///
/// Nothing is locked: what differs is looked at twice, so that a sync in between makes no difference.
package struct AccountVerification {
  /// What is asked for.
  package struct Options: Sendable {
    /// Whether each message is fetched again and compared octet by octet.
    package var isDeep = false
    /// How many octets a second are fetched at most; nil is no limit.
    package var rate: Int?
    /// The mailboxes that are meant; empty is all.
    package var selections: [SyncOptions.Selection] = []

    /// All mailboxes, without fetching messages.
    package init() {}
  }

  private let account: Account
  private let options: Options
  private let stateHome: Path
  private let interruption: Interruption
  private let observer: (VerificationEvent) -> Void

  /// A verification of an account that has a server; the observer takes what it finds.
  package init(
    _ account: Account,
    _ options: Options,
    stateHome: Path,
    interruption: Interruption,
    observer: @escaping (VerificationEvent) -> Void
  ) {
    self.account = account
    self.options = options
    self.stateHome = stateHome
    self.interruption = interruption
    self.observer = observer
  }

  /// Counts what is fetched together with the account's syncs; nil where the account does not limit it.
  private var meter: FetchMeter? {
    account.sync.dailyLimit.map { FetchMeter(memory: memory, limit: $0) }
  }

  private var memory: Path { AccountPlaces.memory(of: account, in: stateHome) }

  /// Those of the mailboxes that are meant; empty where all are.
  private var patterns: [MailboxPattern] {
    let selections = options.selections.filter { $0.account == account.name }
    return selections.contains { $0.patterns.isEmpty } ? [] : selections.flatMap(\.patterns)
  }

  /// Verifies; what a deep one of all mailboxes came to is remembered for `VerificationMemory`.
  package func verifyAccount() -> VerificationReport {
    var report = VerificationReport()
    do throws(SyncFailure) {
      try verifyMailboxes(&report)
    } catch {
      report.failure = error
    }
    return report
  }

  private func verifyMailboxes(_ report: inout VerificationReport) throws(SyncFailure) {
    var syncOptions = SyncOptions()
    syncOptions.selections = options.selections
    let setting = AccountSession.Setting(
      account,
      of: [account],
      stateHome: stateHome,
      interruption: interruption,
      observer: { _ in }
    )
    let session = AccountSession(setting, options: syncOptions, keepsConnection: false)
    let reading = try session.read(syncOptions)
    defer { reading.store.close() }
    report.others = reading.others
    var progress: DeepProgress?
    if options.isDeep { progress = DeepProgress(memory, patterns, now: Clock.now()) }
    let meter = options.isDeep ? self.meter : nil
    for mailbox in reading.mailboxes {
      guard !interruption.isRequested else { throw .interrupted }
      try verify(mailbox, reading, meter, &progress, &report)
    }
    if patterns.isEmpty { verifyRest(reading, &report) }
    // What was compared is kept for the next run.
    if report.left > 0 { return report.resumption = meter?.resumption }
    guard let progress else { return }
    try finishVerification(progress, report)
  }

  private func finishVerification(
    _ progress: DeepProgress,
    _ report: VerificationReport
  ) throws(SyncFailure) {
    let result = VerificationMemory(
      date: Clock.now(),
      equal: report.equal,
      differences: report.differences
    )
    let isWhole = patterns.isEmpty && report.failed == 0
    try attempt { () throws(SystemError) in
      if isWhole { try result.save(memory) }
      try progress.remove()
    }
  }

  // MARK: Mailboxes

  private func verify(
    _ mailbox: MirroredMailbox,
    _ reading: AccountReading,
    _ meter: FetchMeter?,
    _ progress: inout DeepProgress?,
    _ report: inout VerificationReport
  ) throws(SyncFailure) {
    do throws(SyncFailure) {
      let (first, found) = try compare(mailbox, reading)
      for difference in found.differences { tell(difference, mailbox.path.display, &report) }
      report.mailboxes += 1
      report.detached += found.detached
      report.copies += found.copies
      report.older += found.older
      report.partial += found.partial
      report.going += found.going
      guard progress != nil else { return report.equal += found.equal.count }
      let deep = DeepComparison(reading.store, first, rate: options.rate, meter, interruption)
      let same = try compareDeeply(mailbox, deep, found, &progress, &report)
      report.equal += found.equal.count { same.contains($0.uid) }
    } catch {
      guard !error.endsConnection, !error.endsRun else { throw error }
      observer(.problem(mailbox: mailbox.path.display, error))
      report.failed += 1
      try reading.store.drainAnswers()
    }
  }

  /// The UIDs of the messages whose octets are the same.
  private func compareDeeply(
    _ mailbox: MirroredMailbox,
    _ deep: DeepComparison,
    _ found: Comparison,
    _ progress: inout DeepProgress?,
    _ report: inout VerificationReport
  ) throws(SyncFailure) -> Set<UInt32> {
    guard var known = progress else { return [] }
    defer { progress = known }
    let name = mailbox.path.display
    return try deep.compareMessages(found.comparable, mailbox.id, &known) { event in
      switch event {
      case .compared(let count):
        observer(.compared(mailbox: name, messages: count, of: found.comparable.count))
      case .left(let records):
        report.left += records.count
        report.leftOctets += records.reduce(0) { $0 + min($1.size ?? 0, 1 << 40) }
      case .difference(let difference): tell(difference, name, &report)
      }
    }
  }

  /// So often a mailbox is looked at; what the last look found counts where they never saw the same.
  private static let looks = 6

  /// What differs at two looks, since a sync may do its work between them.
  private func compare(
    _ mailbox: MirroredMailbox,
    _ reading: AccountReading
  ) throws(SyncFailure) -> (MailboxReading, Comparison) {
    var last = try MailboxReading(mailbox, reading)
    var found = Comparison(last)
    for _ in 1..<Self.looks where !found.differences.isEmpty {
      let again = try MailboxReading(mailbox, reading)
      var next = Comparison(again)
      // What is in the way of a comparison hides what differs: only two looks that saw as much can be compared.
      let isAlike = (again.obstacle == nil) == (last.obstacle == nil)
      let lasting = Set(found.differences)
      (last, found) = (again, next)
      guard isAlike else { continue }
      next.differences.removeAll { !lasting.contains($0) }
      return (last, next)
    }
    return (last, found)
  }

  private struct Comparison {
    var differences: [MirrorDifference]
    let equal: [BaseRecord]
    let comparable: [BaseRecord]
    let detached: Int
    let copies: Int
    let older: Int
    let partial: Int
    let going: Int

    init(_ reading: MailboxReading) {
      let comparison = MirrorComparison(reading.mailbox)
      differences = comparison.differences + reading.oddities
      if let obstacle = reading.obstacle {
        differences = [MirrorDifference(uid: nil, name: nil, .mailbox(obstacle))]
      }
      equal = comparison.equal
      comparable = comparison.comparable
      detached = comparison.detached
      copies = comparison.copies
      older = comparison.older
      partial = comparison.partial.count
      going = comparison.going
    }
  }

  private func tell(
    _ difference: MirrorDifference,
    _ mailbox: String,
    _ report: inout VerificationReport
  ) {
    report.differences += 1
    observer(.difference(mailbox: mailbox, difference))
  }

  // MARK: What the server does not have

  /// Folders that stand for no mailbox of the server, and records of mailboxes that it has no more.
  private func verifyRest(_ reading: AccountReading, _ report: inout VerificationReport) {
    let context = reading.context
    let mirrored = Set(reading.mailboxes.map(\.directory))
    let gone = Set(reading.gone.map(\.directory))
    do throws(SystemError) {
      for directory in try context.tree.maildirs().maildirs where !mirrored.contains(directory) {
        let name = context.tree.naming.name(of: directory)
        guard context.mirrors(directory) else { continue }
        verifyFolder(context.tree.path(of: directory), name, gone.contains(directory), &report)
      }
    } catch {
      observer(.problem(mailbox: account.name, .system(error)))
      report.failed += 1
    }
  }

  private func verifyFolder(
    _ directory: Path,
    _ name: [UInt8],
    _ isGone: Bool,
    _ report: inout VerificationReport
  ) {
    let place = Printable.text(name)
    if isGone {
      return tell(MirrorDifference(uid: nil, name: nil, .mailbox(.goneFromServer)), place, &report)
    }
    do throws(SystemError) {
      let scan = try MaildirScan.scan(directory)
      for oddity in MirrorDifference.all(scan.oddities) { tell(oddity, place, &report) }
      // Each file of a folder is named alone; one without any has to be named itself.
      if scan.files.isEmpty, scan.oddities.isEmpty, try !OwnershipMarker(directory).isDetached() {
        return tell(MirrorDifference(uid: nil, name: nil, .mailbox(.onlyHere)), place, &report)
      }
      for file in scan.files where !NoticeName.isOne(file.name.base) {
        if DetachedName.isOne(file.name.base) {
          report.detached += 1
        } else {
          tell(MirrorDifference(uid: nil, name: file.name.base, .unknownFile), place, &report)
        }
      }
    } catch {
      guard !error.isNotFound else { return }
      observer(.problem(mailbox: place, .system(error)))
      report.failed += 1
    }
  }
}
