internal import MailModel
package import MailStore
internal import Maildir
internal import Octets
internal import Platform
package import SyncPlan
package import SyncState

/// Brings mailboxes and folders as a whole into line, before any message is looked at.
///
/// There is one exception: the record of a mailbox that is gone from the server, or is removed now, is kept until after the
/// messages if files were moved out of its folder.
package struct FolderSync {
  private let context: FolderContext
  private let store: any MailStore
  private let folderState: FolderState

  /// A sync of the folders of an account over a connection.
  package init(_ context: FolderContext, _ store: any MailStore) {
    self.context = context
    self.store = store
    folderState = FolderState(context)
  }

  /// Plans and carries out; `listing` and `summary` tell afterwards how things are then.
  ///
  /// What was done is durable when it returns, except for the summary.
  package func syncFolders(
    _ listing: inout ServerListing,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Outcome {
    let plan = try plan(&listing, summary)
    if !context.rules.isDryRun { summary.left = plan.left }
    let planned = listing
    var outcome = Outcome()
    guard !plan.steps.isEmpty else { return outcome }
    guard !context.rules.isDryRun else {
      for step in plan.steps {
        if case .keepThere(let entry, _) = step { outcome.withheld.insert(entry.id) }
        if !folderState.announce(step) { outcome.isComplete = false }
      }
      return outcome
    }
    try clearMarks(plan.steps, &outcome)
    try FolderRenames(context, store, folderState, summary).renameFolders(
      plan.steps,
      &listing,
      &summary,
      &outcome
    )
    let made = try carryOut(plan.steps, &listing, &summary, &outcome, planned)
    outcome.withhold(listing, unseenIn: planned, but: made, summary.known)
    return outcome
  }

  /// Carries out what was left until the mailboxes were looked at; gives whether nothing is left undone.
  ///
  /// What was done is durable when it returns, except for the summary.
  package func finishSteps(
    _ steps: [FolderStep],
    _ listing: ServerListing,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    var progress = Progress(summary: summary, outcome: Outcome(), planned: [])
    defer { summary = progress.summary }
    for step in steps { try tolerate(step, listing, &progress) }
    return progress.outcome.isComplete
  }

  private func plan(
    _ listing: inout ServerListing,
    _ summary: Summary
  ) throws(SyncFailure) -> FolderPlan {
    let known = summary.known
    let hasForgotten = summary.left == nil
    let folders = try attempt(
      FolderScan(context.tree, among: context.trees, known: known).folders(
        lookingInside: known.isEmpty || hasForgotten,
        seekingOwn: context.rules.keepsFolders
      )
    )
    let questions = RenameQuestions(context, store)
    let places = FolderPlaces(folders, known)
    let moved = known.filter {
      if case .elsewhere = places.place(of: $0) { true } else { false }
    }
    let doubted = Set(moved.map(\.name)).union(context.doubted)
    try questions.completeStatus(&listing, known, doubted: doubted)
    let mailboxes = listing.mailboxes
    let search = RenameSearch(mailboxes, known: known)
    let evidence = try questions.answers(search.questions)
    return FolderPlan(
      mailboxes,
      known: known,
      folders: folders,
      renamed: search.matches(evidence, renamed: { isRenamedAlike($0, folders, listing) }),
      rules: FolderPlan.Rules(
        sides: context.rules.sides,
        naming: context.tree.naming,
        names: (listing.names, listing.formerNames),
        left: summary.left ?? [],
        hasForgotten: hasForgotten,
        isWriting: context.rules.pushes,
        isWanted: context.isWanted
      )
    )
  }

  /// Whether the mailbox's folder bears the name too: a run was killed before it recorded the rename.
  private func isRenamedAlike(
    _ pair: RenameSearch.Pair,
    _ folders: [FoundFolder],
    _ listing: ServerListing
  ) -> Bool {
    guard let folder = folders.first(where: { $0.owner == pair.id }),
      let path = listing[pair.name]?.path
    else { return false }
    guard case .mailbox(let found) = context.tree.naming.meaning(of: folder.directory) else {
      return false
    }
    let name = MailboxPath(components: found).joined
    return found == path.components || listing.names.canonical(name) == path.joined
  }

  /// Before anything else: from then on a copy is a folder like any other.
  private func clearMarks(_ steps: [FolderStep], _ outcome: inout Outcome) throws(SyncFailure) {
    for case .clearMarker(let relative) in steps {
      let directory = context.tree.path(of: relative)
      do throws(SystemError) {
        try OwnershipMarker(directory).remove()
        try FileSystem.synchroniseDirectory(directory)
      } catch {
        folderState.report(.clearMarker(directory: relative), .system(error))
        outcome.isComplete = false
      }
    }
  }

  // MARK: Making and removing

  /// What the steps lead to, as far as they are done.
  private struct Progress {
    var summary: Summary
    var outcome: Outcome
    /// Mailboxes that were made for folders.
    var made: [(name: MailboxName, isOld: Bool, directory: [UInt8])] = []
    /// Those of the server when the steps were planned.
    let planned: Set<MailboxName>
    /// Whether the server has other mailboxes than were listed.
    var isListingOld = false
  }

  /// Gives the mailboxes that were made; a step that fails leaves the others as they are.
  private func carryOut(
    _ steps: [FolderStep],
    _ listing: inout ServerListing,
    _ summary: inout Summary,
    _ outcome: inout Outcome,
    _ planned: ServerListing
  ) throws(SyncFailure) -> Set<MailboxName> {
    var progress = Progress(
      summary: summary,
      outcome: outcome,
      planned: Set(planned.mailboxes.map(\.name))
    )
    defer { (summary, outcome) = (progress.summary, progress.outcome) }
    let files = MovedFiles(context)
    for step in steps {
      if files.mayBeOf(step, listing) {
        progress.outcome.deferred.append(step)
      } else {
        try tolerate(step, listing, &progress)
      }
    }
    guard progress.isListingOld else { return [] }
    listing = try store.list()
    try forgetListed(listing, &progress)
    for made in progress.made where listing[made.name] == nil {
      folderState.announce(.refuse(directory: made.directory, .otherName))
      progress.outcome.isComplete = false
    }
    return Set(progress.made.filter { !$0.isOld }.map(\.name))
  }

  /// Drops at once the records of mailboxes that were removed and are still listed, as Dovecot lists those with others below
  /// them.
  ///
  /// The next run could not see that they are gone.
  private func forgetListed(
    _ listing: ServerListing,
    _ progress: inout Progress
  ) throws(SyncFailure) {
    let removals = FolderRemovals(context, store, folderState)
    for step in progress.outcome.deferred {
      guard case .forget(let entry) = step, progress.outcome.removed.contains(entry.id),
        listing[entry.name]?.isSelectable == true
      else { continue }
      try removals.forget(entry, &progress.summary)
      progress.outcome.deferred.removeAll { $0 == step }
    }
  }

  /// Carries out a step; one that fails leaves the others as they are.
  private func tolerate(
    _ step: FolderStep,
    _ listing: ServerListing,
    _ progress: inout Progress
  ) throws(SyncFailure) {
    do throws(SyncFailure) {
      try carryOut(step, listing, &progress)
    } catch {
      guard !error.endsConnection else { throw error }
      folderState.report(step, error)
      progress.outcome.isComplete = false
    }
  }

  private func carryOut(
    _ step: FolderStep,
    _ listing: ServerListing,
    _ progress: inout Progress
  ) throws(SyncFailure) {
    let removals = FolderRemovals(context, store, folderState)
    switch step {
    case .clearMarker, .renameHere, .renameThere: break
    case .forget(let entry): try removals.forgetEverywhere(entry, &progress.summary)
    case .removeHere(let entry, let directory):
      let isGone = try removals.removeHere(entry, directory, &progress.summary)
      let done = isGone ? step : FolderStep.keepHere(entry, directory: directory)
      if !folderState.announce(done) { leave(entry, &progress) }
    case .detach(let entry, let directory):
      try removals.detach(entry, directory, &progress.summary)
      folderState.announce(step)
    case .detachUnrecorded(let owner, let directory):
      try removals.detach(owner, directory)
      folderState.announce(step)
    case .removeThere(let entry):
      progress.isListingOld = true
      guard let deleted = try removals.removeThere(entry, listing) else { break }
      folderState.announce(step)
      if deleted.wasEmpty, MovedFiles(context).mayBe(of: entry, entry.directory) {
        progress.outcome.removed.insert(entry.id)
        progress.outcome.deferred.append(.forget(entry))
      } else {
        try removals.forget(entry, &progress.summary)
      }
    case .makeThere(let directory, let path): try make(step, directory, path, listing, &progress)
    case .keepThere(let entry, _):
      progress.outcome.withheld.insert(entry.id)
      if !folderState.announce(step) { leave(entry, &progress) }
    case .keepHere(let entry, _): if !folderState.announce(step) { leave(entry, &progress) }
    case .leave, .refuse: if !folderState.announce(step) { progress.outcome.isComplete = false }
    }
  }

  private func make(
    _ step: FolderStep,
    _ directory: [UInt8],
    _ path: [[UInt8]],
    _ listing: ServerListing,
    _ progress: inout Progress
  ) throws(SyncFailure) {
    // Where the rename failed that was to give up the name, the name is not to be had.
    let isHeld = progress.summary.entries.values.contains { $0.header.directory == directory }
    let name = MailboxNaming(listing.mailboxes, listing.names).name(for: path)
    // One that came meanwhile may be a mailbox on record under another name.
    let isUnseen = name.map { listing[$0] != nil && !progress.planned.contains($0) } ?? false
    guard !isHeld, !isUnseen else { return }
    progress.isListingOld = true
    guard
      let made = try FolderMaking(context, store, folderState).makeMailbox(name, directory, path)
    else {
      progress.outcome.isComplete = false
      return
    }
    folderState.announce(step)
    progress.made.append((made.name, made.isOld, directory))
  }

  /// The mailbox waits for a person.
  private func leave(_ entry: KnownMailbox, _ progress: inout Progress) {
    progress.outcome.isComplete = false
    progress.summary.markStuck(entry)
  }
}
