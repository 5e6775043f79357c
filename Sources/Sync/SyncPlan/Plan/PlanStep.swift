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

/// A step of a plan and why it is planned.
package struct Planned<Step: Hashable & Sendable>: Hashable, Sendable {
  package let step: Step
  /// Why.
  package let reason: Reason

  init(_ step: Step, _ reason: Reason) {
    self.step = step
    self.reason = reason
  }
}

extension Planned {
  /// The same with the step as one of any phase.
  func mapped<Other: Hashable & Sendable>(_ transform: (Step) -> Other) -> Planned<Other> {
    Planned<Other>(transform(step), reason)
  }
}

/// Why an action is planned.
package enum Reason: String, Hashable, Sendable {
  case newOnServer = "new on the server"
  case flagsChangedOnServer = "flags changed on the server"
  case deletedOnServer = "deleted on the server"
  case deletedOnBothSides = "deleted on both sides"
  /// A run ended between a change of flags and the record of it.
  case leftUnderWay = "left by an interrupted run"
  /// The file was written before the record of it: an interrupted run.
  case alreadyHere = "already here"
  case flaggedOnServer = "deleted here, flagged on the server"
  case flaggedHere = "deleted on the server, flagged here"
  case newHere = "new here"
  case copiedHere = "copied here"
  case flagsChangedHere = "flags changed here"
  case deletedHere = "deleted here"
  case renamedHere = "renamed here"
  case movedHere = "moved here"
  /// What was moved here is kept, whatever became of it there.
  case keptHere = "moved here, deleted on the server"
  case movedOnServer = "moved on the server"
  case editedHere = "edited here"
  /// Both sides show T, and `expunge` says that this is enough.
  case markedDeleted = "marked as deleted"
  /// An older copy of the folder was put in its place.
  case restoredHere = "missing after a restore"
  case wantedAgain = "removed here by mistake"
  /// What the file lacks is lost.
  case attachmentsLost = "deleted on the server, attachments lost"
  /// The message may be here with its attachments.
  case attachmentsWanted = "attachments wanted"
  /// The name says that the message came from this mailbox, which has it no more.
  case unknownOnServer = "no longer on the server"
}
