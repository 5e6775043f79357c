internal import Mailboxes
internal import MailModel
internal import MailStore
internal import MessageContent
internal import MIME
internal import Octets
internal import Platform
internal import SyncPlan

// What is to be done.
extension GroupSync {
  func plan(_ group: [OpenMailbox]) throws(SyncFailure) {
    let input = try PlanInput(context.mailboxes, runState, store, group)
    try each(group) { mailbox, _ throws(SyncFailure) in try input.gather(mailbox) }
    let doubtful = input.doubtful()
    try each(group) { mailbox, _ throws(SyncFailure) in
      try input.readContents(doubtful[mailbox.mailbox.id], of: mailbox)
    }
    let planned = group.filter { !$0.hasFailed }
    // Behind all that the plan rests on: a message may be moved on before its header is read.
    try MoveRaceCheck(context.mailboxes, store, runState).markMailboxes(in: planned)
    let items = try input.snapshots(of: planned, requests: context.requests)
    // What is to be seen in another mailbox first waits for the next run.
    for (mailbox, item) in zip(planned, items) where item.awaitsOther { leaveIncomplete(mailbox) }
    let plans = Planner.plan(items.map(\.snapshot), policy: context.mailboxes.rules.policy)
    let reader = MoveDetailsReader(group, readsSubjects: context.options.isDryRun)
    for (mailbox, plan) in zip(planned, plans) { mailbox.adoptPlan(plan) }
    if context.options.isDryRun {
      try each(planned) { mailbox, outcome throws(SyncFailure) in
        try leaveOutImpossible(mailbox, group, &outcome)
      }
    }
    for mailbox in planned where !mailbox.hasFailed {
      guard let plan = mailbox.plan else { continue }
      let name = mailbox.mailbox.path.display
      context.report(.planned(mailbox: name, plan, moves: reader.details(plan)))
    }
  }

  /// Leaves files out of a plan that a run could not upload, and reports them.
  private func leaveOutImpossible(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    guard var plan = mailbox.plan else { return }
    let others = group.keyed(by: \.mailbox.id)
    var push = UploadPush(context: context, store: store, mailbox: mailbox, group: others)
    defer { outcome.merge(push.outcome) }
    plan.hold(.unsendable(try push.unsendable(plan.uploads)))
    mailbox.adoptPlan(plan)
  }
}

/// Finds out about the messages that a plan moves.
struct MoveDetailsReader {
  private let group: [OpenMailbox]
  /// Whether files are opened for their subjects: only where the plan is all that is wanted.
  private let readsSubjects: Bool

  /// Subjects lie in the first octets of a file.
  private static let headerLimit = 64 << 10

  init(_ group: [OpenMailbox], readsSubjects: Bool) {
    self.group = group
    self.readsSubjects = readsSubjects
  }

  /// The details by the UIDs that the messages have in the plan's mailbox.
  func details(_ plan: MailboxPlan) -> [UInt32: MoveDetails] {
    var details: [UInt32: MoveDetails] = [:]
    for move in plan.moves.map(\.step) {
      details[move.uid] = self.details(move.name, in: move.target)
    }
    for case .relocate(let relocation) in plan.renames.map(\.step) {
      details[relocation.record.uid] = self.details(relocation.name, in: relocation.source)
    }
    return details
  }

  private func details(_ name: [UInt8], in id: UInt64) -> MoveDetails? {
    guard let mailbox = group.first(where: { $0.mailbox.id == id }) else { return nil }
    let path = readsSubjects ? mailbox.path(of: name) : nil
    return MoveDetails(mailbox: mailbox.mailbox.path.display, subject: path.flatMap(subject))
  }

  /// A file that cannot be read has no subject here; the run itself says what is wrong with it.
  private func subject(_ path: Path) -> [UInt8]? {
    guard let file = try? Descriptor.open(path, .read),
      let octets = try? file.read(atMost: Self.headerLimit)
    else { return nil }
    let lines = octets.filter { $0 != ASCII.carriageReturn }
    let end = lines.indices.dropLast().first {
      lines[$0] == ASCII.lineFeed && lines[$0 + 1] == ASCII.lineFeed
    }
    return HeaderSearch.value("Subject:", in: lines[..<(end ?? lines.endIndex)])
  }
}
