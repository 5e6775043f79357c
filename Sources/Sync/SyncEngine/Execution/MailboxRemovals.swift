internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncPlan
internal import SyncState

/// Removes messages from mailboxes: few that go to Trash in one flight with those of other mailboxes, the others mailbox by mailbox.
///
/// A run that ends in the midst leaves messages that are gone on both sides. What a flight does not bring about is done mailbox by
/// mailbox.
struct MailboxRemovals {
  /// What one mailbox has in a flight; `place` is that of its push.
  private typealias Lot = (place: Int, order: MoveOrder)

  /// The mailboxes in which nothing more can be done, and why.
  private(set) var failures: [MailboxFailure] = []

  private let context: AccountContext
  private let store: any MailStore
  private let mailboxes: [OpenMailbox]
  /// Of each mailbox its own.
  private var pushes: [RemovalPush]

  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ mailboxes: [OpenMailbox],
    _ group: [UInt64: OpenMailbox]
  ) {
    (self.context, self.store, self.mailboxes) = (context, store, mailboxes)
    pushes = mailboxes.map { RemovalPush(context, store, $0, group) }
  }

  /// What they came to.
  var outcome: StepOutcome {
    pushes.reduce(into: StepOutcome()) { $0.merge($1.outcome) }
  }

  /// Carries out the removals of the plans; `followUp` gives what is asked about Trash behind so many messages that go there.
  mutating func push(
    _ absence: AbsenceCheck,
    asking followUp: (Int) -> MailboxQuestion?
  ) throws(SyncFailure) {
    try each { (push) throws(SyncFailure) in try push.findDue(absence) }
    try discardTogether(asking: followUp)
    try each { (push) throws(SyncFailure) in
      try push.pushRemovals()
      try push.expungePending()
    }
  }

  /// Where Trash is still to be made, the first mailbox that needs it has it made.
  private mutating func discardTogether(
    asking followUp: (Int) -> MailboxQuestion?
  ) throws(SyncFailure) {
    guard let trash = context.trash.name else { return }
    let lots = pushes.indices.compactMap { place -> Lot? in
      guard !hasFailed(place) else { return nil }
      return pushes[place].order(to: trash).map { (place, $0) }
    }
    let flights = FlightLimit.flights(of: lots) { $0.order.sizes.count }
    let count = lots.reduce(0) { $0 + $1.order.sizes.count }
    // Where more is removed behind the flights, Trash is not yet as the run leaves it.
    let isAll = pushes.reduce(0) { $0 + $1.trashed.count } == count
    for (index, flight) in flights.enumerated() {
      let isLast = index == flights.count - 1
      try send(flight, to: trash, asking: isLast && isAll ? followUp(count) : nil)
    }
  }

  private mutating func send(
    _ lots: [Lot],
    to trash: MailboxName,
    asking question: MailboxQuestion?
  ) throws(SyncFailure) {
    if context.interruption.isRequested { throw .interrupted }
    var late = LateQuestions(
      lots.flatMap { lot in
        LateQuestions(about: [mailboxes[lot.place]], behind: lot.order.sizes.count).questions
      }
    )
    let outcomes = try store.move(
      lots.map(\.order),
      asking: &late,
      expecting: question.map { [$0] } ?? []
    )
    late.recordAnswers(in: mailboxes)
    var records: [(mailbox: OpenMailbox, records: [StateRecord])] = []
    for (lot, outcome) in zip(lots, outcomes) {
      records.append((mailboxes[lot.place], pushes[lot.place].noteDiscarded(outcome, to: trash)))
    }
    failures += OpenMailbox.record(records)
  }

  private func hasFailed(_ place: Int) -> Bool {
    failures.contains { $0.mailbox === mailboxes[place] }
  }

  /// Does something about removals from each mailbox; where that fails, the others go on.
  private mutating func each(
    _ step: (inout RemovalPush) throws(SyncFailure) -> Void
  ) throws(SyncFailure) {
    for place in pushes.indices where !hasFailed(place) {
      do throws(SyncFailure) {
        try step(&pushes[place])
      } catch {
        guard !error.endsConnection else { throw error }
        failures.append((mailboxes[place], error))
        try store.drainAnswers()
      }
    }
  }
}
