internal import IMAP
internal import Platform
internal import SyncPlan

/// Decides which mailboxes of a run need a connection, and which of them have to be seen together.
///
/// Messages may have moved between mailboxes wherever some are without their files here, or may be
/// gone from a mailbox of the server. Elsewhere each mailbox is a job of its own, so that several
/// connections can share them.
struct WorkPlan {
  /// New mailboxes that hold more are not searched for messages that came from others.
  private static let largestNewMailbox: UInt32 = 5000

  /// In the order of work.
  let jobs: [Job]

  init(
    _ mailboxes: [MirroredMailbox],
    _ survey: LocalSurvey
  ) {
    var found: Set<UInt64> = []
    var sources: Set<UInt64> = []
    var mayHaveMoved = false
    for mailbox in mailboxes {
      guard case .work(let hasAbsences, let pending) = survey.look(at: mailbox) else { continue }
      found.insert(mailbox.id)
      sources.formUnion(pending)
      if hasAbsences || mailbox.mayHaveVanished || !pending.isEmpty { mayHaveMoved = true }
    }
    // A move that was begun is settled in both mailboxes together.
    let work = mailboxes.filter { found.contains($0.id) || sources.contains($0.id) }
    guard mayHaveMoved, work.count > 1 else {
      jobs = work.map { Job(mailboxes: [$0]) }
      return
    }
    let alone = work.filter {
      $0.entry == nil && $0.status?.messages ?? 0 > Self.largestNewMailbox
    }
    let ids = Set(alone.map(\.id))
    let group = work.filter { !ids.contains($0.id) }
    jobs = (group.isEmpty ? [] : [Job(mailboxes: group)]) + alone.map { Job(mailboxes: [$0]) }
  }
}
