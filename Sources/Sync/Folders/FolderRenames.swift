internal import MailModel
internal import MailStore
internal import Maildir
import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Renames mailboxes and folders, and writes down what they are called then.
struct FolderRenames {
  private let context: FolderContext
  private let store: any MailStore
  private let folderState: FolderState
  /// The summary's entries before anything was renamed, by id.
  private let recorded: [UInt64: Summary.Entry]

  init(
    _ context: FolderContext,
    _ store: any MailStore,
    _ folderState: FolderState,
    _ summary: Summary
  ) {
    self.context = context
    self.store = store
    self.folderState = folderState
    recorded = summary.entries.values.keyed(by: \.header.id)
  }

  /// Carries out those of the steps that rename.
  func renameFolders(
    _ steps: [FolderStep],
    _ listing: inout ServerListing,
    _ summary: inout Summary,
    _ outcome: inout FolderSync.Outcome
  ) throws(SyncFailure) {
    try renameHere(steps, listing.names, &summary, &outcome)
    try renameThere(steps, &listing, &summary, &outcome)
  }

  // MARK: Here

  /// A folder that contains others takes those along that are renamed, too; the others stay out of the way meanwhile.
  private func renameHere(
    _ steps: [FolderStep],
    _ names: MailboxNames,
    _ summary: inout Summary,
    _ outcome: inout FolderSync.Outcome
  ) throws(SyncFailure) {
    var journey = FolderJourney(steps, context, summary.known)
    guard !journey.waiting.isEmpty || !journey.returning.isEmpty else { return }
    var halted: [FolderJourney.Folder] = []
    try attempt(journey.places.setAside(journey.staying, below: journey.waiting.map(\.entry.id)))
    while let first = journey.waiting.first {
      // Where each waits for another, one goes out of the way.
      let next = journey.takeNext()
      let folder = next ?? first
      let id = folder.entry.id
      do throws(SyncFailure) {
        // Under its new name without a record of that it would be one that a person renamed, once the configuration says
        // something else again.
        let halts = next == nil || folder.isByName
        try move(id, to: halts ? FolderHalt.directory(for: id) : folder.target, &journey.places)
        if next == nil { continue }
        try rewrite(folder.entry, folder.name, folder.target, &summary)
        if halts {
          halted.append(folder)
        } else {
          journey.goals[id] = folder.target
          folderState.announce(folder.step)
        }
      } catch {
        if next == nil { journey.waiting.removeFirst() }
        folderState.report(folder.step, error)
        outcome.withhold(id, as: folder.name)
      }
    }
    try leaveHalt(halted, names, &journey.places, &summary, &outcome)
    takeBack(journey.returning, &journey.places, &summary, &outcome)
    try attempt(journey.places.restore(journey.goals))
  }

  private func takeBack(
    _ returning: [FolderJourney.Folder],
    _ places: inout FolderPositions,
    _ summary: inout Summary,
    _ outcome: inout FolderSync.Outcome
  ) {
    for folder in returning {
      do throws(SyncFailure) {
        try move(folder.entry.id, to: folder.target, &places)
        try rewrite(folder.entry, folder.name, folder.target, &summary)
      } catch {
        folderState.report(folder.step, error)
        outcome.withhold(folder.entry.id, as: folder.name)
      }
    }
  }

  private func move(
    _ mailbox: UInt64,
    to target: [UInt8],
    _ places: inout FolderPositions
  ) throws(SyncFailure) {
    let isMoved = try attempt(places.move(mailbox, to: target))
    guard isMoved else { throw .mailbox(.directoryTaken(context.tree.path(of: target))) }
  }

  /// Renames folders that are on record under their new names, once the summary says that they are called so.
  private func leaveHalt(
    _ halted: [FolderJourney.Folder],
    _ names: MailboxNames,
    _ places: inout FolderPositions,
    _ summary: inout Summary,
    _ outcome: inout FolderSync.Outcome
  ) throws(SyncFailure) {
    guard !halted.isEmpty else { return }
    var stored = summary
    stored.names = names.recorded
    try attempt(context.store.save(stored))
    for folder in halted {
      do throws(SyncFailure) {
        try leaveHalt(folder, &places, &summary)
        folderState.announce(folder.step)
      } catch {
        folderState.report(folder.step, error)
        outcome.withhold(folder.entry.id, as: folder.name)
      }
    }
  }

  /// Renames one of them; where something else has that name, it is as before.
  private func leaveHalt(
    _ folder: FolderJourney.Folder,
    _ places: inout FolderPositions,
    _ summary: inout Summary
  ) throws(SyncFailure) {
    do throws(SyncFailure) {
      try move(folder.entry.id, to: folder.target, &places)
    } catch {
      try rewrite(folder.entry, folder.name, folder.entry.directory, &summary)
      try move(folder.entry.id, to: folder.entry.directory, &places)
      throw error
    }
  }

  // MARK: On the server

  private func renameThere(
    _ steps: [FolderStep],
    _ listing: inout ServerListing,
    _ summary: inout Summary,
    _ outcome: inout FolderSync.Outcome
  ) throws(SyncFailure) {
    let naming = MailboxNaming(listing.mailboxes, listing.names)
    let before = listing.selectable
    var names = RenamedNames(delimiter: naming.delimiter)
    var renames: [(step: FolderStep, from: MailboxName, to: MailboxName)] = []
    for case .renameThere(let entry, let directory, let path) in steps {
      guard let name = naming.name(for: path) else { continue }
      let step = FolderStep.renameThere(entry, directory: directory, path: path)
      // Where a mailbox above was renamed, this one went along. Servers that do not do so are asked to rename it.
      let now = names.name(of: entry.name)
      renames.append((step, now == name ? entry.name : now, name))
      names.rename(now, to: name)
    }
    guard !renames.isEmpty else { return }
    let moved = Set(steps.compactMap(\.renamedThere))
    let others = summary.known.filter { !moved.contains($0.id) && before.contains($0.name) }
    let back = others.compactMap { entry -> (from: MailboxName, to: MailboxName)? in
      let now = names.name(of: entry.name)
      return now == entry.name ? nil : (now, entry.name)
    }
    let accepted = try store.rename(renames.map { ($0.from, $0.to) }, back: back)
    listing = try store.list()
    let questions = RenameQuestions(context, store)
    try questions.completeStatus(&listing, summary.known, doubted: [])
    for (step, _, name) in renames {
      let isDone = accepted.contains(name) || !before.contains(name)
      do throws(SyncFailure) {
        try finishRename(step, name, isDone: isDone, accepted, listing, &summary, &outcome)
      } catch {
        guard !error.endsConnection else { throw error }
        folderState.report(step, error)
        // The server has it under the new name already: what was moved out of its folder is still its.
        if let id = step.renamedThere { outcome.withhold(id, as: name) }
      }
    }
  }

  private func finishRename(
    _ step: FolderStep,
    _ name: MailboxName,
    isDone: Bool,
    _ accepted: Set<MailboxName>,
    _ listing: ServerListing,
    _ summary: inout Summary,
    _ outcome: inout FolderSync.Outcome
  ) throws(SyncFailure) {
    guard case .renameThere(let entry, let directory, let path) = step else { return }
    let names = listing.selectable
    // Another may bear the old name by now.
    let isOldGone = !names.contains(entry.name) || accepted.contains(entry.name)
    let isOther = Self.isOther(name, than: entry, listing, summary)
    guard isDone, names.contains(name), isOldGone, !isOther else {
      // Some servers subscribe to names that are no mailbox's.
      if !names.contains(name) { try store.unsubscribe(name) }
      let old = MailboxPath(entry.name, delimiter: nil).display
      folderState.report(path, .mailbox(.renameRefused(from: old)))
      outcome.withhold(entry.id, as: isOther ? name : nil)
      return
    }
    if !names.contains(entry.name) { try store.unsubscribe(entry.name) }
    try rewrite(entry, name, directory, &summary)
    outcome.given.insert(name)
    folderState.announce(step)
  }

  /// Whether another mailbox than that on record was renamed: one that another client had made under its name, after it
  /// had renamed the mailbox itself.
  private static func isOther(
    _ name: MailboxName,
    than entry: KnownMailbox,
    _ listing: ServerListing,
    _ summary: Summary
  ) -> Bool {
    guard let status = listing.status(of: name) else { return false }
    if let isSame = entry.identity.sharesID(with: status.identity) { return !isSame }
    // A server may give a mailbox that is renamed another UIDVALIDITY.
    let validity = status.identity.validity
    guard validity.differs(from: entry.identity.validity) else { return false }
    return listing.mailboxes.contains { other in
      other.name != name && other.status?.identity.validity == entry.identity.validity
        && summary.entries[other.name.wire] == nil
    }
  }

  // MARK: Records

  /// The mailbox's record under its new name and place; durable when it returns.
  private func rewrite(
    _ entry: KnownMailbox,
    _ name: MailboxName,
    _ directory: [UInt8],
    _ summary: inout Summary
  ) throws(SyncFailure) {
    let stored = try attempt(context.store.open(entry.id))
    guard var renamed = recorded[entry.id] else { return }
    renamed.header.mailbox = name.wire
    renamed.header.directory = directory
    if case .present(let journal) = stored {
      try attempt(journal.rename(mailbox: name.wire, directory: directory))
      renamed.header = journal.state.header
    }
    renamed.fingerprints = nil
    summary.drop(entry)
    summary.entries[name.wire] = renamed
  }
}

extension FolderStep {
  /// The mailbox that is renamed by the step.
  fileprivate var renamedThere: UInt64? {
    if case .renameThere(let entry, _, _) = self { entry.id } else { nil }
  }
}
