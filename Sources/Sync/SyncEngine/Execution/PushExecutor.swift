internal import MailStore
internal import Mailboxes
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Carries out what plans change on the server, over one connection.
///
/// It never decides: what is no longer as the plan saw it is left out, and the next run plans anew.
/// Nothing is changed before the server has said that the mailbox is still the same.
struct PushExecutor {
  private let context: AccountContext
  private let store: any MailStore
  private let group: [UInt64: OpenMailbox]

  /// An executor for mailboxes that were planned together, by their ids.
  init(_ context: AccountContext, _ store: any MailStore, _ group: [UInt64: OpenMailbox]) {
    self.context = context
    self.store = store
    self.group = group
  }

  /// Looks a second time at where the files are whose messages are about to be moved.
  func absenceBeforeMoves(in mailboxes: [OpenMailbox]) throws(SyncFailure) -> AbsenceCheck {
    var names: OctetSet = []
    for mailbox in mailboxes {
      for move in mailbox.remainingPlan.moves.map(\.step) {
        names.insert(move.name)
        if let record = mailbox.state.messages[move.uid] { names.insert(record.name) }
      }
    }
    return try absence(of: names)
  }

  /// Looks a second time at where the files are whose messages are about to be removed.
  func absenceBeforeRemovals(in mailboxes: [OpenMailbox]) throws(SyncFailure) -> AbsenceCheck {
    var names: OctetSet = []
    for mailbox in mailboxes {
      for removal in mailbox.remainingPlan.removals.map(\.step) {
        switch removal {
        case .fileless(let uid, _), .copied(let uid, _):
          if let record = mailbox.state.messages[uid] { names.insert(record.name) }
        case .replaced(let uid, _, let name, _):
          names.insert(name)
          if let record = mailbox.state.messages[uid] { names.insert(record.name) }
        case .marked: break
        }
      }
    }
    return try absence(of: names)
  }

  /// Where there are no names, nothing is looked at.
  private func absence(of names: OctetSet) throws(SyncFailure) -> AbsenceCheck {
    try AbsenceCheck(names, in: context.trees, RecordedFiles(context.trees, Array(group.values)))
  }

  /// Flags of all mailboxes; gives those in which nothing more can be done.
  func pushFlags(
    of mailboxes: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    var push = FlagPush(store)
    defer { outcome.merge(push.outcome) }
    try push.push(mailboxes)
    return push.failures
  }

  /// Moves out of all mailboxes, once the flags are on the server; gives those in which nothing more can be done.
  func pushMoves(
    of mailboxes: [OpenMailbox],
    _ absence: AbsenceCheck,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    var moves = MailboxMoves(context, store, group)
    defer { outcome.merge(moves.outcome) }
    try moves.push(mailboxes, absence)
    return moves.failures
  }

  /// Copies, once the flags of all originals are on the server.
  func copy(to mailbox: OpenMailbox, _ outcome: inout StepOutcome) throws(SyncFailure) {
    var push = CopyPush(context: context, store: store, mailbox: mailbox, group: group)
    defer { outcome.merge(push.outcome) }
    try push.pushCopies(mailbox.remainingPlan.copies.map(\.step))
  }

  /// Uploads to all mailboxes; gives those in which nothing more can be done.
  func upload(
    to mailboxes: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    var pushes = MailboxUploads(context, store, group)
    defer { outcome.merge(pushes.outcome) }
    try pushes.push(mailboxes)
    return pushes.failures
  }

  /// Removals from all mailboxes, to Trash and for good; gives those in which nothing more can be done.
  ///
  /// `followUp` gives what is asked about Trash behind so many messages that go there.
  func remove(
    from mailboxes: [OpenMailbox],
    _ absence: AbsenceCheck,
    asking followUp: (Int) -> MailboxQuestion?,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    var removals = MailboxRemovals(context, store, mailboxes, group)
    defer { outcome.merge(removals.outcome) }
    try removals.push(absence, asking: followUp)
    return removals.failures
  }
}
