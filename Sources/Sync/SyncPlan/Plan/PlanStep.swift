/// A step of any phase, for those who show or count what a plan does.
package enum PlanStep: Hashable, Sendable {
  case record(MailboxFact)
  case rename(LocalRename)
  case store(FlagStore)
  case move(ServerMove)
  case copy(ServerCopy)
  case upload(FileUpload)
  case download(RemoteMessage)
  case complete(FileCompletion)
  case remove(ServerRemoval)
  case delete(FileDeletion)
  case forget(uid: UInt32)
}

extension MailboxPlan {
  /// All steps in the order in which they are carried out.
  package var steps: [Planned<PlanStep>] {
    stepsBefore + downloads.map { $0.mapped(PlanStep.download) } + stepsAfter
  }

  /// The same without what is fetched.
  package var stepsBesideDownloads: [Planned<PlanStep>] { stepsBefore + stepsAfter }

  private var stepsBefore: [Planned<PlanStep>] {
    facts.map { $0.mapped(PlanStep.record) } + renames.map { $0.mapped(PlanStep.rename) }
      + stores.map { $0.mapped(PlanStep.store) } + moves.map { $0.mapped(PlanStep.move) }
      + copies.map { $0.mapped(PlanStep.copy) } + uploads.map { $0.mapped(PlanStep.upload) }
  }

  private var stepsAfter: [Planned<PlanStep>] {
    completions.map { $0.mapped(PlanStep.complete) }
      + removals.map { $0.mapped(PlanStep.remove) } + deletions.map { $0.mapped(PlanStep.delete) }
      + forgets.map { $0.mapped(PlanStep.forget) }
  }
}
