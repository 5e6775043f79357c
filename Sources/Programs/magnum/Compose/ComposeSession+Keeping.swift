internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Terminal

// Drafts that are kept: while they are edited, and in their folder.
extension ComposeSession {
  /// Keeps a draft on disk; durable when it returns.
  func save(
    _ draft: Draft,
    _ facts: Composition.Facts,
    in composition: Composition
  ) throws(Explanation) {
    let now = Clock.now()
    let date = MessageDate(seconds: now, offset: LocalTime.offset(at: now) / 60)
    guard draft.isEncrypted else {
      return try explaining(.cannotCreate) { () throws(SystemError) in
        try composition.save(draft, facts, date: date)
      }
    }
    let writing = try protection.keeping(draft)
    let concealment = try composition.conceal(draft, facts, date: date) {
      (message) throws(Explanation) in
      try writing.octets(of: message, token: [UInt8](ascii: "draft"))
    }
    if concealment == .switched { console.writeNote(Self.clearTextRemoved) }
  }

  static let clearTextRemoved =
    "the draft is kept encrypted from now on; the disk, the index, and a server that had it, may "
    + "still have the former text"

  /// Removes what was kept of a draft while it was edited, unless an editor left files there.
  func finish(_ composition: Composition?) {
    guard let composition, !composition.finish() else { return }
    RecoveryFiles(of: composition).report(in: context)
    let name = Printable.text(composition.directory.lastComponent)
    context.console.writeNote("the edited text is kept, too: magnum resume \(name)")
  }

  /// The sync takes it from the server, too.
  func removeDraft(_ file: MessageFile) {
    guard let path = file.currentPath() else { return }
    do throws(SystemError) {
      try FileSystem.remove(path)
      try FileSystem.synchroniseDirectory(path.parent)
    } catch {
      context.report("the draft could not be removed: \(error.description)")
    }
  }

  /// Puts the draft into its folder, in the place of the version that it was made of.
  ///
  /// - Parameters:
  ///   - start: the draft.
  ///   - interruption: keeps half of it from being left; nil where nothing may keep it from being kept.
  /// - Returns: the status of the program.
  /// - Throws: why it is not kept.
  func keep(
    _ start: ComposeStart,
    _ interruption: Interruption? = nil
  ) throws(Explanation) -> ExitStatus {
    var start = start
    try protection.decideIfPossible(&start, isFinal: false)
    try protection.checkConcern(start.draft)
    let placed = try put(&start, interruption)
    finish(start.composition)
    if context.globals.json {
      var line = ComposeLine(state: "draft", account: sender.name)
      line.file = placed.file
      line.messageID = start.draft.messageID
      line.warnings = DraftWarning.all(in: start.draft)
      line.protection = start.draft.protection
      console.print(octets: line.json.octets)
    } else {
      console.print("draft \(placed.file.display)")
    }
    if let unindexed = placed.unindexed { context.report(unindexed) }
    return .success
  }

  /// Puts a draft that is to be encrypted in the place of the version in clear text that its folder has.
  ///
  /// Nothing is done where the folder has none, or an encrypted one.
  func coverDraft(_ start: inout ComposeStart) throws(Explanation) {
    guard start.draft.isEncrypted, let old = start.facts.draft,
      try SecretDraft.isMissing(from: MessageFile(old))
    else { return }
    let placed = try put(&start, nil)
    start.draftLock = (try? task.lock(MessageFile(placed.file))) ?? nil
    if let unindexed = placed.unindexed { context.report(unindexed) }
  }

  /// Puts the draft into its folder, removes the version that it was made of, and notes where it is.
  private func put(
    _ start: inout ComposeStart,
    _ interruption: Interruption?
  ) throws(Explanation) -> FolderDelivery.Placed {
    guard let account = configuration.account(named: sender.name) else {
      throw Explanation(
        .configuration,
        place: sender.name,
        "the account has no maildir for drafts",
        hint: "set maildir in \(configuration.path.display), or give --hold"
      )
    }
    let writing = start.draft.isEncrypted ? try protection.keeping(start.draft) : nil
    let message = try dispatch.message(start.draft, for: .keeping, writing)
    let placed = try DraftsFolder(of: account).put(message, task.partial, interruption)
    if let old = start.facts.draft {
      let wasClear = (try? SecretDraft.isMissing(from: MessageFile(old))) ?? true
      removeDraft(MessageFile(old))
      if writing != nil, wasClear { console.writeNote(Self.clearTextRemoved) }
    }
    // Only now: the version in clear text is to be known until it is gone.
    start.facts.draft = placed.file
    // Where it stays, it is the same draft as that in the folder.
    try? start.composition?.write(start.facts)
    return placed
  }
}
