internal import Configuration
internal import IMAP
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Brings mailboxes and folders as a whole into line, before any message is looked at.
struct FolderSync {
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
  /// What was done is durable when it returns. Gives whether everything that was to be done is done.
  func run(
    _ listing: inout MailboxListing.Result,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let known = summary.entries
    let folders = try attempt { () throws(SystemError) in
      try FolderScan.folders(context.tree, context.store, lookingInside: known.isEmpty)
    }
    try completeStatus(&listing, known)
    let plan = FolderPlan(listing, known: known, folders: folders, rules: rules)
    guard !plan.steps.isEmpty else { return true }
    if context.options.isDryRun {
      for step in plan.steps { ledger.announce(step) }
      return true
    }
    let naming = MailboxNaming(listing.entries)
    var isComplete = true
    let renames = plan.steps.filter(\.isRenameThere)
    try rename(renames, naming)
    var isListingOld = !renames.isEmpty
    for step in plan.steps {
      switch step {
      case .renameHere(let entry, let name, let directory):
        if try renameHere(entry, name, directory, &summary) { ledger.announce(step) }
      case .removeHere(let entry):
        if try removeHere(entry, &summary) { ledger.announce(step) }
      case .makeThere(_, let path):
        isListingOld = true
        if try make(naming.name(for: path), path) {
          ledger.announce(step)
        } else {
          isComplete = false
        }
      case .renameThere: break
      case .removeThere(let entry):
        isListingOld = true
        if try removeThere(entry, listing, &summary) { ledger.announce(step) }
      case .forget(let entry): try forgetEverywhere(entry, &summary)
      case .leave: ledger.announce(step)
      }
    }
    if isListingOld { listing = try relisted(listing) }
    for step in renames where try !concludeRename(step, naming, listing, &summary) {
      isComplete = false
    }
    return isComplete
  }

  private var rules: FolderPlan.Rules {
    let patterns = context.options.selections
      .filter { $0.account == context.account.name }.flatMap(\.patterns)
    let settings = context.account.sync
    return FolderPlan.Rules(
      settings: settings,
      tree: context.tree,
      isWriting: context.policy.pushes,
      isWanted: { name in
        settings.selects(name) && (patterns.isEmpty || patterns.contains { $0.matches(name) })
      }
    )
  }

  /// What the server's mailboxes are now; QRESYNC stays on.
  private func relisted(_ old: MailboxListing.Result) throws(SyncFailure) -> MailboxListing.Result {
    var listing = MailboxListing(connection)
    var result = try listing.ask()
    result.isQuickResync = old.isQuickResync
    return result
  }

  // MARK: On the server

  /// Asks what tells a rename from a new mailbox where a mailbox is gone and the list came without it.
  private func completeStatus(
    _ listing: inout MailboxListing.Result,
    _ known: [[UInt8]: Summary.Entry]
  ) throws(SyncFailure) {
    let selectable = listing.entries.filter(\.isSelectable).map(\.name)
    let listed = Set(selectable.map(\.wire))
    guard known.keys.contains(where: { !listed.contains($0) }) else { return }
    let new = selectable.filter { known[$0.wire] == nil && listing.status[$0] == nil }
    try ask(new, &listing)
  }

  private func ask(
    _ names: [MailboxName],
    _ listing: inout MailboxListing.Result
  ) throws(SyncFailure) {
    let tags = names.map { connection.send(.status($0, [.messages, .uidNext, .uidValidity])) }
    for tag in tags {
      _ = try connection.finish(tag) { event in
        if case .mailboxStatus(let status) = event { listing.status[status.name] = status }
      }
    }
  }

  private func make(_ name: MailboxName?, _ path: [[UInt8]]) throws(SyncFailure) -> Bool {
    guard let name else {
      ledger.report(path, .mailbox(.unusableNameThere))
      return false
    }
    // In one flight: no end of the run leaves a mailbox that nobody is subscribed to.
    let created = connection.send(.create(name, specialUse: nil))
    let subscribed = connection.send(.subscribe(name))
    let response = try connection.finish(created)
    let subscription = try connection.finish(subscribed)
    guard response.kind == .ok || response.code == .alreadyExists else {
      if subscription.kind == .ok { _ = try connection.perform(.unsubscribe(name)) }
      ledger.report(path, .commandRefused(command: "CREATE", response))
      return false
    }
    return true
  }

  /// Where a mailbox above is renamed, those below it go along, and the server refuses: the new list tells.
  ///
  /// All in one flight, as above: no end of the run leaves one that went along without a subscription.
  private func rename(_ steps: [FolderStep], _ naming: MailboxNaming) throws(SyncFailure) {
    var tags: [Tag] = []
    for case .renameThere(let entry, _, let path) in steps {
      guard let name = naming.name(for: path) else { continue }
      let old = MailboxName(wire: entry.header.mailbox)
      tags += [connection.send(.rename(old, to: name)), connection.send(.subscribe(name))]
    }
    for tag in tags { _ = try connection.finish(tag) }
  }

  private func concludeRename(
    _ step: FolderStep,
    _ naming: MailboxNaming,
    _ listing: MailboxListing.Result,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    guard case .renameThere(let entry, let directory, let path) = step else { return true }
    let old = MailboxName(wire: entry.header.mailbox)
    let names = Set(listing.entries.filter(\.isSelectable).map(\.name))
    let name = naming.name(for: path)
    guard let name, names.contains(name), !names.contains(old) else {
      // Some servers subscribe to names that are no mailbox's.
      if let name, !names.contains(name) { _ = try connection.perform(.unsubscribe(name)) }
      ledger.report(path, .mailbox(.renameRefused(from: MailboxPath(old, delimiter: nil).display)))
      return false
    }
    _ = try connection.perform(.unsubscribe(old))
    try rewrite(entry, name, directory, &summary)
    ledger.announce(step)
    return true
  }

  /// An empty mailbox goes; one with mail in it only where the user said so.
  private func removeThere(
    _ entry: Summary.Entry,
    _ listing: MailboxListing.Result,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let name = MailboxName(wire: entry.header.mailbox)
    guard let listed = listing.entries.first(where: { $0.name == name }), !name.isInbox else {
      return false
    }
    let path = MailboxPath(name, delimiter: listed.delimiter)
    var listing = listing
    if listing.status[name] == nil { try ask([name], &listing) }
    let isEmpty = listing.status[name]?.messages == 0
    guard isEmpty || context.allowsMassDeletion(in: path.joined) else { return false }
    let response = try connection.perform(.delete(name))
    guard response.kind == .ok else {
      ledger.report(path.components, .commandRefused(command: "DELETE", response))
      return false
    }
    _ = try connection.perform(.unsubscribe(name))
    try forget(entry, &summary)
    return true
  }

  /// A run that was stopped behind its DELETE left a subscription to what is no more.
  private func forgetEverywhere(
    _ entry: Summary.Entry,
    _ summary: inout Summary
  ) throws(SyncFailure) {
    if context.policy.pushes {
      _ = try connection.perform(.unsubscribe(MailboxName(wire: entry.header.mailbox)))
    }
    try forget(entry, &summary)
  }

  // MARK: Here

  /// A folder that contains others takes them along; they find themselves in their places then.
  private func renameHere(
    _ entry: Summary.Entry,
    _ name: MailboxName,
    _ directory: [UInt8],
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let source = context.tree.path(of: entry.header.directory)
    let target = context.tree.path(of: directory)
    let isMoved = try attempt { () throws(SystemError) in
      try FolderMove(source, target).run(markedAs: entry.header.id)
    }
    guard isMoved else { return false }
    try rewrite(entry, name, directory, &summary)
    return true
  }

  /// An empty folder goes; one with mail in it only where the user said so and all of it was on the server.
  private func removeHere(
    _ entry: Summary.Entry,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let path = context.tree.components(of: entry.header.directory) ?? []
    let isAllowed = context.allowsMassDeletion(in: Array(path.joined(separator: [ASCII.slash])))
    let stored = try attempt { () throws(SystemError) in try context.store.open(entry.header.id) }
    guard case .present(let journal) = stored else { return false }
    let known = isAllowed ? journal.state : MailboxState(journal.state.header)
    let directory = context.tree.path(of: entry.header.directory)
    let isGone = try attempt { () throws(SystemError) in
      try FolderRemoval(directory).run(known)
    }
    guard isGone else { return false }
    try forget(entry, &summary)
    return true
  }

  // MARK: Records

  /// The mailbox's record under its new name and place; durable when it returns.
  private func rewrite(
    _ entry: Summary.Entry,
    _ name: MailboxName,
    _ directory: [UInt8],
    _ summary: inout Summary
  ) throws(SyncFailure) {
    let stored = try attempt { () throws(SystemError) in try context.store.open(entry.header.id) }
    guard case .present(let journal) = stored else { return }
    try attempt { () throws(SystemError) in
      try journal.rename(mailbox: name.wire, directory: directory)
    }
    summary.entries[entry.header.mailbox] = nil
    var renamed = entry
    renamed.header = journal.state.header
    renamed.stamps = nil
    summary.entries[name.wire] = renamed
  }

  private func forget(_ entry: Summary.Entry, _ summary: inout Summary) throws(SyncFailure) {
    try attempt { () throws(SystemError) in try context.store.remove(entry.header.id) }
    summary.entries[entry.header.mailbox] = nil
  }
}
