/// What is planned, added to the phase that it belongs to.
extension MailboxPlanning {
  mutating func add(_ fact: MailboxFact, _ reason: Reason) {
    result.facts.append(Planned(fact, reason))
  }

  mutating func add(_ rename: LocalRename, _ reason: Reason) {
    result.renames.append(Planned(rename, reason))
  }

  mutating func add(_ store: FlagStore, _ reason: Reason) {
    result.stores.append(Planned(store, reason))
  }

  mutating func add(_ move: ServerMove, _ reason: Reason) {
    result.moves.append(Planned(move, reason))
  }

  mutating func add(_ copy: ServerCopy, _ reason: Reason) {
    result.copies.append(Planned(copy, reason))
  }

  mutating func add(_ upload: FileUpload, _ reason: Reason) {
    result.uploads.append(Planned(upload, reason))
  }

  mutating func add(_ completion: FileCompletion, _ reason: Reason) {
    result.completions.append(Planned(completion, reason))
  }

  mutating func add(_ removal: ServerRemoval, _ reason: Reason) {
    result.removals.append(Planned(removal, reason))
  }

  mutating func add(_ deletion: FileDeletion, _ reason: Reason) {
    result.deletions.append(Planned(deletion, reason))
  }

  mutating func download(_ message: RemoteMessage, _ reason: Reason) {
    result.downloads.append(message, reason)
  }

  mutating func forget(_ uid: UInt32, _ reason: Reason) {
    result.forgets.append(Planned(uid, reason))
  }

  /// What the server has and this direction does not take in is told again to a run that does.
  mutating func block(_ difference: BlockedChange.Difference, _ cause: BlockedChange.Cause) {
    if cause == .pushOnly { result.isDeferred = true }
    result.blocked.append(BlockedChange(difference, cause))
  }
}
