internal import Configuration
internal import IMAP
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Brings mailboxes and folders as a whole into line, before any message is looked at.
struct FolderSync {
  /// How things are afterwards.
  struct Outcome {
    /// Whether nothing is left undone.
    var isComplete = true
    /// Mailboxes whose folder stands elsewhere, by id: a run must not take another folder for theirs.
    var withheld: Set<UInt64> = []
  }

  private let context: AccountContext
  private let connection: Connection
  private let ledger: FolderLedger

  init(_ context: AccountContext, _ connection: Connection) {
    self.context = context
    self.connection = connection
    ledger = FolderLedger(context)
  }

  /// Plans and carries out; `listing` and `summary` tell afterwards how things are then.
  ///
  /// What was done is durable when it returns, but for the summary.
  func run(
    _ listing: inout MailboxListing.Result,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Outcome {
    let plan = try plan(&listing, summary.entries)
    var outcome = Outcome()
    guard !plan.steps.isEmpty else { return outcome }
    guard !context.options.isDryRun else {
      for step in plan.steps {
        if case .keepThere(let entry, _) = step { outcome.withheld.insert(entry.header.id) }
        if !ledger.announce(step) { outcome.isComplete = false }
      }
      return outcome
    }
    try clearMarks(plan.steps)
    try FolderRenames(context, connection, ledger).run(plan.steps, &listing, &summary, &outcome)
    try carryOut(plan.steps, &listing, &summary, &outcome)
    return outcome
  }

  private func plan(
    _ listing: inout MailboxListing.Result,
    _ known: [[UInt8]: Summary.Entry]
  ) throws(SyncFailure) -> FolderPlan {
    let folders = try attempt { () throws(SystemError) in
      try FolderScan(context, known: known.values).folders(lookingInside: known.isEmpty)
    }
    let questions = RenameQuestions(context, connection)
    try questions.completeStatus(&listing, known)
    let search = RenameSearch(listing, known: known)
    let evidence = try questions.answers(search.questions)
    let settings = context.account.sync
    return FolderPlan(
      listing,
      known: known,
      folders: folders,
      renamed: search.matches(evidence, renamed: { isRenamedAlike($0, folders, listing) }),
      rules: FolderPlan.Rules(
        settings: settings,
        tree: context.tree,
        isWriting: context.policy.pushes,
        isWanted: context.isWanted
      )
    )
  }

  /// Whether the mailbox's folder bears the name too: a run was killed before it recorded the rename.
  private func isRenamedAlike(
    _ pair: RenameSearch.Pair,
    _ folders: [FoundFolder],
    _ listing: MailboxListing.Result
  ) -> Bool {
    guard let folder = folders.first(where: { $0.owner == pair.id }),
      let entry = listing.entries.first(where: { $0.name == pair.name })
    else { return false }
    let path = MailboxPath(entry.name, delimiter: entry.delimiter)
    return context.tree.meaning(of: folder.directory) == .mailbox(path.components)
  }

  /// Before anything else: from then on a copy is a folder like any other.
  private func clearMarks(_ steps: [FolderStep]) throws(SyncFailure) {
    for case .clearMark(let directory) in steps {
      try attempt { () throws(SystemError) in
        let directory = context.tree.path(of: directory)
        try MailboxMark(directory).remove()
        try FileSystem.synchroniseDirectory(directory)
      }
    }
  }

  // MARK: Making and removing

  private func carryOut(
    _ steps: [FolderStep],
    _ listing: inout MailboxListing.Result,
    _ summary: inout Summary,
    _ outcome: inout Outcome
  ) throws(SyncFailure) {
    var made: [(name: MailboxName, directory: [UInt8])] = []
    var isListingOld = false
    let removal = FolderRemovals(context, connection, ledger)
    let naming = MailboxNaming(listing.entries)
    for step in steps {
      switch step {
      case .clearMark, .renameHere, .renameThere: break
      case .forget(let entry): try removal.forgetEverywhere(entry, &summary)
      case .removeHere(let entry, let directory):
        let isGone = try removal.removeHere(entry, directory, &summary)
        let done = isGone ? step : FolderStep.keepHere(entry, directory: directory)
        if !ledger.announce(done) {
          outcome.isComplete = false
          summary.markStuck(entry)
        }
      case .removeThere(let entry):
        isListingOld = true
        if try removal.removeThere(entry, listing, &summary) { ledger.announce(step) }
      case .makeThere(let directory, let path):
        // Where the rename failed that was to give up the name, the name is not to be had.
        let isHeld = summary.entries.values.contains { $0.header.directory == directory }
        guard !isHeld else { continue }
        isListingOld = true
        if let name = try make(naming.name(for: path), directory, path) {
          ledger.announce(step)
          made.append((name, directory))
        } else {
          outcome.isComplete = false
        }
      case .keepThere(let entry, _):
        outcome.withheld.insert(entry.header.id)
        if !ledger.announce(step) {
          outcome.isComplete = false
          summary.markStuck(entry)
        }
      case .keepHere(let entry, _):
        if !ledger.announce(step) {
          outcome.isComplete = false
          summary.markStuck(entry)
        }
      case .leave, .refuse:
        if !ledger.announce(step) { outcome.isComplete = false }
      }
    }
    guard isListingOld else { return }
    listing = try MailboxListing.again(listing, connection)
    let names = Set(listing.entries.map(\.name))
    for (name, directory) in made where !names.contains(name) {
      ledger.announce(.refuse(directory: directory, .otherName))
      outcome.isComplete = false
    }
  }

  /// Makes a mailbox; gives its name where it is there.
  private func make(
    _ name: MailboxName?,
    _ directory: [UInt8],
    _ path: [[UInt8]]
  ) throws(SyncFailure) -> MailboxName? {
    guard let name else {
      ledger.report(path, .mailbox(.unusableNameThere))
      return nil
    }
    try mark(directory)
    // In one flight: no end of the run leaves a mailbox without a subscription.
    let created = connection.send(.create(name, specialUse: nil))
    let subscribed = connection.send(.subscribe(name))
    let response = try connection.finish(created)
    let subscription = try connection.finish(subscribed)
    guard response.kind == .ok || response.code == .alreadyExists else {
      if subscription.kind == .ok { _ = try connection.perform(.unsubscribe(name)) }
      ledger.report(path, .commandRefused(command: "CREATE", response))
      return nil
    }
    return name
  }

  /// Before the mailbox is made: what lies in a folder with a mark of its own and bears the key of another mailbox was never
  /// in this one, and is uploaded.
  private func mark(_ directory: [UInt8]) throws(SyncFailure) {
    let mark = MailboxMark(context.tree.path(of: directory))
    try attempt { () throws(SystemError) in
      if try mark.readableOwner() == nil { try mark.set(MailboxID.random()) }
    }
  }
}
