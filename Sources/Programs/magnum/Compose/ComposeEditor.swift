internal import MailModel
internal import CommandLine
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// Lets a person edit a draft, and asks what is to become of it.
struct ComposeEditor {
  /// The session of the account that the sender of the draft has, which a person may change.
  private(set) var session: ComposeSession

  var context: CommandContext { session.context }
  var console: Console { session.console }

  init(_ session: ComposeSession) {
    self.session = session
  }

  mutating func editDraft(_ start: ComposeStart) throws(Explanation) -> ExitStatus {
    var start = start
    let composition = try kept(&start)
    do throws(Explanation) {
      return try editDraft(start, composition)
    } catch {
      context.report(error)
      left(composition)
      return error.status
    }
  }

  private mutating func editDraft(
    _ start: ComposeStart,
    _ composition: Composition
  ) throws(Explanation) -> ExitStatus {
    var start = start
    // A terminal that is gone must not end the program before the draft is kept.
    signal(SIGHUP) { _ in }
    // Who ends it otherwise is told where the text is.
    Interruption.shared.watchSignals(besidesHangUp: true)
    reportMissing(start)
    let wasFresh = start.isFresh
    var before = try text(composition)
    var isChanged = false
    while true {
      guard let file = composition.textFile else {
        throw Explanation(.partial, "the text of the draft is no longer in memory")
      }
      let failure = EditorProcess.run(on: file)
      composition.distrustsBackups = failure != nil
      if let failure { report(failure) }
      var edited = try text(composition)
      // An editor that cannot write empties its file, or has none in its place.
      let isMissing = DraftText.isMissing(edited)
      if isMissing {
        context.report("the editor left no text: the draft stays as it was")
        edited = before
        try explaining(.cannotCreate) { () throws(SystemError) in
          try composition.restore(before)
        }
      }
      isChanged = isChanged || edited != before
      if !isChanged, wasFresh {
        // What was typed and not saved may be in a file of the editor alone, or in one that it is still to write.
        guard failure == nil, !isMissing, composition.finish() else { return left(composition) }
        console.writeNote("the draft is not changed; it is not kept")
        return .success
      }
      let status =
        failure != nil || isMissing
        ? askAboutMistake(composition) : try ask(&start, edited, composition)
      if let status { return status }
      before = try text(composition)
    }
  }

  /// The place where the draft is kept while it is edited.
  private func kept(_ start: inout ComposeStart) throws(Explanation) -> Composition {
    let composition: Composition
    if let known = start.composition {
      composition = known
    } else {
      composition = try explaining(.cannotCreate) { () throws(SystemError) in
        try Composition.make()
      }
    }
    let isNew = start.composition == nil
    start.composition = composition
    do throws(Explanation) {
      if start.unread == nil { try save(&start, composition) }
    } catch {
      // Nothing was typed yet.
      if isNew { composition.discard() }
      throw error
    }
    return composition
  }

  /// Keeps the draft and its text for the editor, and what its folder has of it as secret as it is.
  ///
  /// Whether it is encrypted is decided before any of it is written, as far as that can be now.
  private func save(
    _ start: inout ComposeStart,
    _ composition: Composition
  ) throws(Explanation) {
    start.draft = try session.dispatch.completed(start.draft)
    try session.protection.decideIfPossible(&start, isFinal: false)
    try session.protection.checkConcern(start.draft)
    try session.save(start.draft, start.facts, in: composition)
    try session.coverDraft(&start)
  }

  /// Says before anything is typed which keys and files are missing.
  private func reportMissing(_ start: ComposeStart) {
    do throws(Explanation) {
      for line in try session.protection.missing(start.draft) { context.report(line) }
    } catch {
      context.report(error)
    }
    let reader = AttachmentReader(limit: .max, session.task.partial)
    for problem in reader.problems(of: start.draft.attachments) { context.report(problem) }
  }

  func text(_ composition: Composition) throws(Explanation) -> [UInt8] {
    try explaining(.noInput) { () throws(SystemError) in try composition.text() ?? [] }
  }

  func report(_ failure: EditorProcess.Failure) {
    context.report(failure.what, hint: failure.hasRun ? nil : "$VISUAL or $EDITOR names it")
  }

  // MARK: Asking

  /// Asks until the draft is to be edited again, which is nil, or came to its end.
  private mutating func ask(
    _ start: inout ComposeStart,
    _ text: [UInt8],
    _ composition: Composition
  ) throws(Explanation) -> ExitStatus? {
    session.protection.protector.lookAgain()
    guard takeIn(text, &start, composition) else { return askAboutMistake(composition) }
    while true {
      show(start)
      switch wish() {
      case .send:
        guard isSure(start.draft) else { continue }
        session.protection.protector.lookAgain()
        do throws(Explanation) {
          return try session.send(try complete(start), holding: false)
        } catch {
          context.report(error)
          if Interruption.shared.isRequested { return left(composition) }
        }
      case .edit: return nil
      case .attach: attach(&start, composition)
      case .view: view(start.draft)
      case .draft: return try session.keep(try complete(start))
      case .discard:
        let files = RecoveryFiles(of: composition)
        let others = files.isEmpty ? "" : ", and \(files.list)"
        guard console.confirm("discard what you wrote\(others)?") else { continue }
        composition.discard()
        console.print("discarded")
        return .success
      case .end: return left(composition)
      case .help: for line in Self.help { console.writeNote(line) }
      }
    }
  }

  func complete(_ start: ComposeStart) throws(Explanation) -> ComposeStart {
    var start = start
    start.draft = try session.dispatch.completed(start.draft)
    return start
  }

  /// Takes in the edited text, and keeps the draft that it makes; false, with a report, where it makes none, or that cannot
  /// be kept: then the draft is as it was.
  private mutating func takeIn(
    _ text: [UInt8],
    _ start: inout ComposeStart,
    _ composition: Composition
  ) -> Bool {
    let former = (start, session)
    do {
      try applyText(text, &start)
      try save(&start, composition)
      return true
    } catch let problem as DraftText.Problem {
      context.report(problem.text)
    } catch let explanation as Explanation {
      context.report(explanation)
    } catch {
      context.report("\(error)")
    }
    (start, session) = former
    return false
  }

  private mutating func applyText(_ text: [UInt8], _ start: inout ComposeStart) throws {
    let edited = try DraftText.parse(text, into: start.draft, session.task.decoder)
    var draft = edited.draft
    let reader = AttachmentReader(limit: .max, session.task.partial)
    for file in edited.files {
      draft.attachments.append(.file(try reader.file(TypedPath.path(file))))
    }
    // Who writes how it is protected has decided that.
    if let protection = draft.protection, protection != start.draft.protection {
      start.openProtection = protection.isOpen ? DraftProtection(signs: protection.signs) : nil
      start.wishes?.draft = protection
    }
    let former = start.draft
    start.draft = draft
    session = try session.following(&start, after: former)
  }

  /// Attaches a file that a person names, and keeps the draft with it.
  private func attach(_ start: inout ComposeStart, _ composition: Composition) {
    guard let name = console.ask("file: "), !name.isEmpty else { return }
    let former = start
    do throws(Explanation) {
      let path = TypedPath.path([UInt8](name.utf8))
      let reader = AttachmentReader(limit: .max, session.task.partial)
      start.draft.attachments.append(.file(try reader.file(path)))
      try save(&start, composition)
    } catch {
      start = former
      context.report(error)
    }
  }

  private func askAboutMistake(_ composition: Composition) -> ExitStatus? {
    guard let answer = console.ask("edit again, or keep it for later? [e/k] ") else {
      return left(composition)
    }
    return answer.hasPrefix("k") ? left(composition) : nil
  }

  @discardableResult
  private func left(_ composition: Composition) -> ExitStatus {
    RecoveryFiles(of: composition).report(in: context)
    let name = Printable.text(composition.directory.lastComponent)
    console.writeNote("the draft is kept: magnum resume \(name)")
    return .partial
  }
}

/// The name of a file as a person types it.
enum TypedPath {
  /// The file, with `~` for the home directory.
  static func path(_ typed: [UInt8]) -> Path {
    guard typed.starts(with: "~/".utf8) else {
      return Path(argument: String(decoding: typed, as: UTF8.self))
    }
    return Environment.homeDirectory.appending([UInt8](typed.dropFirst(2)))
  }
}
