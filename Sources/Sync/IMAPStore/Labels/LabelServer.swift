internal import MailModel
internal import MailStore
internal import Platform
internal import SyncPlan
internal import SyncState

/// An IMAP server whose labels are tags.
struct LabelServer: MailServer {
  private let base: IMAPServer
  private let facts: LabelFacts

  /// - Parameters:
  ///   - base: the server with its labels as mailboxes.
  ///   - now: the time in seconds since 1970.
  ///   - report: is called for what happens on the way to the server, from any thread.
  init(
    _ base: IMAPServer,
    now: @escaping @Sendable () -> Int64 = { TestTime.ofDays() },
    report: @escaping @Sendable (StoreEvent) -> Void
  ) {
    self.base = base
    facts = LabelFacts(base.memory, now: now, report: report)
  }

  func open(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    let (store, listing) = try base.openStore(isWriting: isWriting, expecting: expectation)
    do throws(SyncFailure) {
      let wasPushed = facts.reasonToPull == nil
      try facts.note(offersLabels: store.traits.hasLabels)
      // What was begun would push: the caller begins anew, and only pulls.
      if isWriting, wasPushed, let reason = facts.reasonToPull { throw reason }
      try checkAbilities(of: store, isWriting: isWriting)
      let listed = try facts.listed(listing)
      base.recordRoles(listed)
      return (LabelStore(store, facts), listed)
    } catch {
      store.close()
      throw error
    }
  }

  func openAnother(
    like traits: StoreTraits,
    isWriting: Bool
  ) throws(SyncFailure) -> any MailStore {
    LabelStore(try base.openAnotherStore(like: traits, isWriting: isWriting), facts)
  }

  /// Without MOVE and UIDPLUS messages would have to be copied, and others expunged with them.
  private func checkAbilities(of store: IMAPStore, isWriting: Bool) throws(SyncFailure) {
    guard isWriting, facts.reasonToPull == nil, try !store.canPushLabels else { return }
    facts.noteFailure(Self.lacksAbilities)
    if let reason = facts.reasonToPull { throw reason }
  }

  var reasonToPull: SyncFailure? { facts.reasonToPull }

  /// Tests with messages of its own whether the server does with labels what pushing them needs, and remembers it.
  func testLabels(_ interruption: Interruption) throws(SyncFailure) -> LabelTrialReport {
    let (store, listing) = try base.openStore(isWriting: true) { () throws(SyncFailure) in
      ServerExpectation(naming: .plain)
    }
    defer { store.close() }
    guard store.traits.hasLabels else { throw .labels(.notOffered) }
    let mailboxes = try LabelMailboxes(listing) { _ in false }
    var report = LabelTrialReport()
    if try store.canPushLabels {
      let token = String(UInt32.random(in: 0...(.max)), radix: 36)
      let now = Clock.now()
      var trial = LabelTrial(store, mailboxes, interruption, token: token, now: now)
      report = try trial.test()
    } else {
      report.failure = Self.lacksAbilities
    }
    if let failure = report.failure { facts.noteFailure(failure) } else { facts.notePassed() }
    return report
  }

  private static let lacksAbilities = "the server lacks MOVE or UIDPLUS"

  /// What it is remembered for says of labels only what is on record.
  func served(isComplete: Bool) {
    if isComplete { facts.recorded() }
    base.served(isComplete: isComplete)
  }

  var connectionLimit: Int? { base.connectionLimit }
  func learn(from failure: SyncFailure, connections: Int) {
    base.learn(from: failure, connections: connections)
  }
  func forgetPassword() { base.forgetPassword() }
  func checkStanding() throws(SyncFailure) { try base.checkStanding() }
  func postponed(_ failure: SyncFailure) -> SyncFailure { base.postponed(failure) }
}
