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
      guard store.traits.hasLabels else { throw .labels(.notOffered) }
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
