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

  private var memory: Path { AccountPlaces.memory(of: account, in: stateHome) }

  /// Whether all mailboxes of the account are meant.
  private var isWhole: Bool {
    options.selections.allSatisfy { $0.account != account.name || $0.patterns.isEmpty }
  }

  /// Verifies; what a deep one of all mailboxes came to is remembered for `VerificationMemory`.
  package func run() -> VerificationReport {
    var report = VerificationReport()
    do throws(SyncFailure) {
      try run(&report)
    } catch {
      report.failure = error
    }
    return report
  }

  private func run(_ report: inout VerificationReport) throws(SyncFailure) {
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
    var progress = options.isDeep ? DeepProgress.load(memory) : DeepProgress()
    for mailbox in reading.mailboxes {
      guard !interruption.isRequested else { throw .interrupted }
      try verify(mailbox, reading, &progress, &report)
    }
    if isWhole { verifyRest(reading, &report) }
    guard options.isDeep, isWhole, report.failed == 0 else { return }
    let memory = memory
    let result = VerificationMemory(
      date: Clock.now(),
      equal: report.equal,
      differences: report.differences
    )
    try attempt { () throws(SystemError) in
      try result.save(memory)
      try DeepProgress.remove(memory)
    }
  }

  // MARK: Mailboxes

  private func verify(
    _ mailbox: MirroredMailbox,
    _ reading: AccountReading,
    _ progress: inout DeepProgress,
    _ report: inout VerificationReport
  ) throws(SyncFailure) {
    do throws(SyncFailure) {
      let (first, found) = try compare(mailbox, reading)
      var differences = found.differences
      if let obstacle = first.obstacle {
        differences = [MirrorDifference(uid: nil, name: nil, .mailbox(obstacle))]
      }
      for difference in differences { tell(difference, mailbox.path.display, &report) }
      report.mailboxes += 1
      report.detached += found.detached
      report.older += found.older
      report.equal += found.equal.count
      guard options.isDeep else { return }
      let deep = DeepComparison(reading.store, first, rate: options.rate, interruption)
      let name = mailbox.path.display
      var unequal = 0
      try deep.run(found.equal, mailbox.id, &progress, memory) { event in
        switch event {
        case .compared(let count):
          observer(.compared(mailbox: name, messages: count, of: found.equal.count))
        case .difference(let difference):
          unequal += 1
          tell(difference, name, &report)
        }
      }
      report.equal -= unequal
      report.compared += found.equal.count - unequal
    } catch {
      guard !error.endsConnection, !error.endsRun else { throw error }
      observer(.problem(mailbox: mailbox.path.display, error))
      report.failed += 1
      try reading.store.settle()
    }
  }

  /// What differs at two looks.
  private func compare(
    _ mailbox: MirroredMailbox,
    _ reading: AccountReading
  ) throws(SyncFailure) -> (MailboxReading, Comparison) {
    let first = try MailboxReading(mailbox, reading)
    let found = MirrorComparison(first.mailbox)
    guard first.obstacle == nil, !found.differences.isEmpty else {
      return (first, Comparison(found, found.differences))
    }
    let again = try MailboxReading(mailbox, reading)
    let second = MirrorComparison(again.mailbox)
    let lasting = Set(found.differences)
    return (again, Comparison(second, second.differences.filter(lasting.contains)))
  }

  private struct Comparison {
    let differences: [MirrorDifference]
    let equal: [BaseRecord]
    let detached: Int
    let older: Int

    init(_ comparison: MirrorComparison, _ differences: [MirrorDifference]) {
      self.differences = differences
      equal = comparison.equal
      detached = comparison.detached
      older = comparison.older
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
    let gone = Set(reading.gone.map(\.directory))
    let mirrored = Set(reading.mailboxes.map(\.directory))
    for directory in (try? context.tree.maildirs().maildirs) ?? []
    where !mirrored.contains(directory) {
      let name = context.tree.naming.name(of: directory)
      guard account.sync.selects(name),
        let scan = try? MaildirScan.scan(context.tree.path(of: directory))
      else { continue }
      let place = Printable.text(name)
      if gone.contains(directory) {
        let difference = MirrorDifference(uid: nil, name: nil, .mailbox(.goneFromServer))
        tell(difference, place, &report)
        continue
      }
      for file in scan.files where !NoticeName.isOne(file.name.base) {
        if DetachedName.isOne(file.name.base) {
          report.detached += 1
        } else {
          tell(MirrorDifference(uid: nil, name: file.name.base, .unknownFile), place, &report)
        }
      }
    }
  }
}
