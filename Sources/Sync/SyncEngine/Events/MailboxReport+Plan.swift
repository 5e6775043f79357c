internal import MailModel
package import SyncPlan

extension MailboxReport {
  /// Adds what a plan would do, for a run that only says so.
  ///
  /// `isForArrivals` says whether unseen messages are new to the user there.
  package mutating func add(planned plan: MailboxPlan, isForArrivals: Bool) {
    for step in plan.steps.map(\.step) { count(step) }
    guard isForArrivals else { return }
    new += plan.downloads.count { !$0.step.flags.system.contains(.seen) }
  }

  private mutating func count(_ step: PlanStep) {
    switch step {
    case .record(.match), .record(.matchEdited): rematched += 1
    case .record(.detach): detached += 1
    case .record(.renumber), .record(.agree), .record(.wait), .forget: break
    case .rename(.setFlags): flags += 1
    case .rename(.relocate): relocated += 1
    case .store: stored += 1
    case .move: moved += 1
    case .copy: copied += 1
    case .upload: uploaded += 1
    case .download(let message):
      fetched += 1
      octets += message.size ?? 0
    case .complete(let completion):
      completed += 1
      octets += completion.size ?? 0
    case .remove(.fileless(_, let toTrash)), .remove(.copied(_, let toTrash)),
      .remove(.replaced(_, let toTrash, _, _)):
      if toTrash { trashed += 1 } else { deleted += 1 }
    case .remove(.marked): deleted += 1
    case .delete: removed += 1
    }
  }
}
