internal import Mailboxes
import Octets
internal import SyncPlan
internal import SyncState

/// The jobs of a run: what a look at each mailbox without the server gave, and what `Schedule` makes of it.
struct WorkPlan {
  /// In the order of work.
  let jobs: [Job]

  /// `batches` says that the server answers questions about several mailboxes in one round trip, `isWindowed` that messages are
  /// chosen by their age.
  init(
    _ mailboxes: [MirroredMailbox],
    _ findings: [LocalSurvey.Finding],
    batches: Bool,
    isWindowed: Bool
  ) {
    let candidates = zip(mailboxes, findings).map { Self.candidate($0, $1, isWindowed) }
    let byID = mailboxes.keyed(by: \.id)
    jobs = Schedule.groups(candidates, batches: batches).map { Job($0, byID) }
  }

  private static func candidate(
    _ mailbox: MirroredMailbox,
    _ finding: LocalSurvey.Finding,
    _ isWindowed: Bool
  ) -> Schedule.Candidate {
    var (needsWork, hasAbsences, sources) = (false, false, Set<UInt64>())
    if case .work(let absences, let pending) = finding {
      (needsWork, hasAbsences, sources) = (true, absences, pending)
    }
    return Schedule.Candidate(
      mailbox: mailbox.id,
      needsWork: needsWork,
      hasAbsences: hasAbsences,
      // Of those that had to wait for a run that sees them together (`MoveRaceCheck`), none ends before the others do.
      mayHaveVanished: mailbox.mayHaveVanished || isWindowed && mailbox.entry?.isComplete == false,
      sources: sources,
      newMessages: mailbox.entry == nil ? mailbox.status?.messages ?? 0 : nil,
      expected: mailbox.expectedMessages,
      recorded: mailbox.entry?.messages ?? 0
    )
  }
}
