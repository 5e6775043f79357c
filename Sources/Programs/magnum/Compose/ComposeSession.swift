internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MIME
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import SMTP
internal import Sendmail
internal import SpoolPlan
internal import Terminal

/// A draft on the way to its end: edited, sent, kept or printed.
struct ComposeSession {
  let task: ComposeTask
  let sender: Sender
  let dispatch: Dispatch
  let protection: ComposeProtection

  var context: CommandContext { task.context }
  var console: Console { task.context.console }

  private var configuration: Configuration { task.configuration }

  init(_ task: ComposeTask, _ sender: Sender) {
    self.task = task
    self.sender = sender
    dispatch = Dispatch(sender, task.configuration, user: geteuid())
    protection = ComposeProtection(sender, dispatch, task.context)
  }

  func end(_ start: ComposeStart, _ end: ComposeOptions.End) throws(Explanation) -> ExitStatus {
    var start = start
    start.draft = try dispatch.completed(start.draft)
    if task.options.attachesKey {
      start.draft.attachments.append(try protection.ownKey(start.draft))
      start.hasContent = true
    }
    switch end {
    case .editor: return try ComposeEditor(self).editDraft(start)
    case .send, .hold:
      guard start.hasContent else {
        throw Explanation(
          .data,
          "there is nothing to send: no text, and nothing attached",
          hint: "give the text with --body"
        )
      }
      return try send(start, holding: end == .hold)
    case .draft:
      Interruption.shared.watchSignals()
      return try keep(start, .shared)
    case .print:
      let writing = try protection.writing(&start)
      try print(try dispatch.message(start.draft, for: .sending, writing))
    case .template:
      if let format = task.options.format, format != .text, let answered = start.answered {
        let json = ReplyObject(start.draft, answered).json
        console.print(octets: format == .sexp ? SexpText.of(json: json) : json)
      } else if context.globals.json {
        console.print(octets: ComposeLine.template(start.draft, sender.name).octets)
      } else {
        console.print(content: DraftText.template(start.draft))
      }
    }
    return .success
  }

  private func print(_ message: any OctetSource) throws(Explanation) {
    try explaining(.noInput) { () throws(SourceError) in try console.print(content: message) }
  }

  // MARK: Sending

  /// Puts the message into the queue, does what belongs to that, and tries to send it.
  func send(_ start: ComposeStart, holding: Bool) throws(Explanation) -> ExitStatus {
    var start = start
    let warnings = DraftWarning.all(in: start.draft)
    let writing = try protection.writing(&start)
    let letter = try dispatch.prepared(start.draft, writing)
    let schedule = holding ? nil : try schedule(start)
    let isKept = start.composition != nil
    let entry: Entry
    do throws(Explanation) {
      try noteQueuing(&start)
      entry = try dispatch.enqueue(letter, holding: holding, schedule)
    } catch {
      if isKept { try? start.composition?.write(start.facts) } else { start.composition?.discard() }
      throw error
    }
    finishDraft(start)
    if !context.globals.json { for warning in warnings { context.report(warning.text) } }
    let result = holding ? Dispatch.Result.held(nil) : attempt(entry, schedule)
    let recipients = letter.envelope.recipients.map(\.address.octets)
    return report(result, entry, recipients, warnings, start.draft.protection)
  }

  /// Notes durably that the message is about to be queued, where something is to go then.
  private func noteQueuing(_ start: inout ComposeStart) throws(Explanation) {
    var facts = start.facts
    facts.isQueuing = true
    if let composition = start.composition {
      return try explaining(.cannotCreate) { () throws(SystemError) in try composition.write(facts)
      }
    }
    guard facts.draft != nil else { return }
    let composition = try explaining(.cannotCreate) { () throws(SystemError) in
      try Composition.make()
    }
    do throws(Explanation) {
      try save(start.draft, facts, in: composition)
    } catch {
      composition.discard()
      throw error
    }
    start.composition = composition
  }

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

  /// What follows once a message is in the queue: the other message is marked, and the draft goes.
  func finishDraft(_ start: ComposeStart) {
    if let origin = start.draft.origin { mark(origin, start.facts.original) }
    if let draft = start.facts.draft { removeDraft(MessageFile(draft)) }
    finish(start.composition)
  }

  /// Removes what was kept of a draft while it was edited, unless an editor left files there.
  private func finish(_ composition: Composition?) {
    guard let composition, !composition.finish() else { return }
    RecoveryFiles(of: composition).report(in: context)
    let name = Printable.text(composition.directory.lastComponent)
    context.console.writeNote("the edited text is kept, too: magnum resume \(name)")
  }

  private func mark(_ origin: Draft.Origin, _ path: Path?) {
    let flags: SystemFlags = origin.act == .answered ? .answered : .forwarded
    do throws(SystemError) {
      if let path, try mark(MessageFile(path), flags) { return }
      // It was moved meanwhile, or is only known by its id.
      guard let file = try? task.finder().file(of: origin.id) else { return }
      _ = try mark(file, flags)
    } catch {
      context.report("queued, but the other message could not be marked: \(error.description)")
    }
  }

  /// Marks a file, and has searches show that; false where it is not there.
  private func mark(_ file: MessageFile, _ flags: SystemFlags) throws(SystemError) -> Bool {
    guard let target = try file.mark(flags) else { return false }
    if let unindexed = IndexNote.renamed(file, to: target, configuration) {
      context.report(unindexed)
    }
    return true
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

  /// The moment before which it is not sent; nil for at once.
  private func schedule(_ start: ComposeStart) throws(Explanation) -> ScheduledTime? {
    if let text = task.options.at ?? start.at { return try ScheduledTime([UInt8](text.utf8)) }
    let delay = sender.composing.delay
    return delay > 0 ? ScheduledTime(after: delay) : nil
  }

  private func attempt(_ entry: Entry, _ schedule: ScheduledTime?) -> Dispatch.Result {
    if let schedule {
      let when = schedule.isNear ? "it is sent at" : "it is not sent before"
      console.writeNote(
        "\(when) \(schedule.text); to take it back: magnum queue cancel \(entry.id)"
      )
      guard schedule.isNear else { return .queued(nil) }
      switch dispatch.wait(for: entry, until: schedule) {
      case .due: break
      case .interrupted: return .queued(nil)
      case .gone: return dispatch.result(of: entry)
      }
    }
    return dispatch.attempt(entry)
  }

  private func report(
    _ result: Dispatch.Result,
    _ entry: Entry,
    _ recipients: [[UInt8]],
    _ warnings: [DraftWarning],
    _ protection: DraftProtection?
  ) -> ExitStatus {
    if context.globals.json {
      var line = ComposeLine(state: ComposeLine.state(result), account: sender.name)
      line.entry = entry
      line.recipients = recipients
      line.warnings = warnings
      line.protection = protection
      line.words = ComposeLine.words(result)
      if case .uncopied = result { line.lacksCopy = true }
      console.print(octets: line.json.octets)
    } else {
      console.print("\(ComposeLine.state(result)) \(entry.id)")
    }
    let words = ComposeLine.words(result).map { ": \(Printable.text($0))" } ?? ""
    switch result {
    case .sent, .held: return .success
    case .uncopied(let words):
      context.report(
        place: sender.name,
        UncopiedWords.text(words),
        hint: UncopiedWords.hint(entry.id)
      )
      return .success
    case .queued:
      if !words.isEmpty { context.report(place: sender.name, "queued\(words)") }
      return .success
    case .cancelled: return .partial
    case .failed:
      context.report(
        place: sender.name,
        "refused\(words)",
        hint: "the message is kept: magnum queue show \(entry.id)"
      )
      return .partial
    }
  }

  // MARK: Keeping

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
