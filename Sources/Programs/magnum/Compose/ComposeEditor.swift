internal import MailModel
internal import CommandLine
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Protection
internal import Sendmail
internal import Terminal

/// Lets a person edit a draft, and asks what is to become of it.
struct ComposeEditor {
  private let session: ComposeSession

  private var context: CommandContext { session.context }
  private var console: Console { session.console }

  init(_ session: ComposeSession) {
    self.session = session
  }

  /// What a person wants next.
  private enum Wish {
    case send, edit, attach, view, draft, discard, end, help
  }

  func editDraft(_ start: ComposeStart) throws(Explanation) -> ExitStatus {
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

  private func editDraft(
    _ start: ComposeStart,
    _ composition: Composition
  ) throws(Explanation) -> ExitStatus {
    var start = start
    // A terminal that is gone must not end the program before the draft is kept.
    signal(SIGHUP) { _ in }
    // Who ends it otherwise is told where the text is.
    Interruption.shared.watchSignals(besidesHangUp: true)
    reportMissingKeys(&start)
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
      let edited = try text(composition)
      isChanged = isChanged || edited != before
      if !isChanged, wasFresh {
        // What was typed and not saved may be in a file of the editor alone, or in one that it is still to write.
        guard failure?.hasRun ?? false || !composition.finish() else {
          console.writeNote("the draft is not changed; it is not kept")
          return .success
        }
        return left(composition)
      }
      if let status = try ask(&start, edited, composition) { return status }
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

  /// Keeps the draft on disk, and what its folder has of it as secret as it is.
  private func save(
    _ start: inout ComposeStart,
    _ composition: Composition
  ) throws(Explanation) {
    try session.save(start.draft, start.facts, in: composition)
    try session.coverDraft(&start)
  }

  /// Says before anything is typed which keys are missing.
  private func reportMissingKeys(_ start: inout ComposeStart) {
    do throws(Explanation) {
      try session.protection.decideIfPossible(&start, isFinal: false)
      for line in try session.protection.missing(start.draft) { context.report(line) }
    } catch {
      context.report(error)
    }
  }

  private func text(_ composition: Composition) throws(Explanation) -> [UInt8] {
    try explaining(.noInput) { () throws(SystemError) in try composition.text() ?? [] }
  }

  private func report(_ failure: EditorProcess.Failure) {
    context.report(failure.what, hint: failure.hasRun ? nil : "$VISUAL or $EDITOR names it")
  }

  // MARK: Asking

  /// Asks until the draft is to be edited again, which is nil, or came to its end.
  private func ask(
    _ start: inout ComposeStart,
    _ text: [UInt8],
    _ composition: Composition
  ) throws(Explanation) -> ExitStatus? {
    session.protection.protector.lookAgain()
    guard applyText(text, &start), keepSecret(&start, composition) else {
      return askAboutMistake(composition)
    }
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
      case .edit:
        try save(&start, composition)
        return nil
      case .attach: attach(&start.draft)
      case .view: view(start.draft)
      case .draft: return try session.keep(try complete(start))
      case .discard:
        let files = RecoveryFiles(of: composition)
        guard isYes("discard what you wrote\(files.isEmpty ? "" : ", and \(files.list)")?") else {
          continue
        }
        composition.discard()
        console.print("discarded")
        return .success
      case .end: return left(composition)
      case .help: for line in Self.help { console.writeNote(line) }
      }
    }
  }

  private func complete(_ start: ComposeStart) throws(Explanation) -> ComposeStart {
    var start = start
    start.draft = try session.dispatch.completed(start.draft)
    return start
  }

  /// Applies the edited text to the draft; false, with a report, where it is no draft.
  private func applyText(_ text: [UInt8], _ start: inout ComposeStart) -> Bool {
    do {
      let edited = try DraftText.parse(text, into: start.draft, session.task.decoder)
      var draft = edited.draft
      for file in edited.files {
        draft.attachments.append(
          .file(try AttachmentReader(limit: .max, session.task.partial).file(TypedPath.path(file)))
        )
      }
      // Who writes how it is protected has decided that.
      if let protection = draft.protection, protection != start.draft.protection {
        start.openProtection = protection.isOpen ? DraftProtection(signs: protection.signs) : nil
      }
      start.draft = draft
      return true
    } catch let problem as DraftText.Problem {
      context.report(problem.text)
    } catch let explanation as Explanation {
      context.report(explanation)
    } catch {
      context.report("\(error)")
    }
    return false
  }

  /// Keeps the text of a draft that is to be encrypted as no other can read it, also if power fails; false, with a report,
  /// where that cannot be.
  private func keepSecret(_ start: inout ComposeStart, _ composition: Composition) -> Bool {
    do throws(Explanation) {
      start.draft = try session.dispatch.completed(start.draft)
      try session.protection.decideIfPossible(&start, isFinal: false)
      try session.protection.checkConcern(start.draft)
      guard start.draft.isEncrypted else { return true }
      try save(&start, composition)
      return true
    } catch {
      context.report(error)
      return false
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

  private func show(_ start: ComposeStart) {
    let draft = start.draft
    var lines: [String] = []
    let lists: [(String, [Address])] = [
      ("From", draft.from.map { [.mailbox($0)] } ?? []), ("To", draft.to), ("Cc", draft.cc),
      ("Bcc", draft.bcc),
    ]
    for (name, list) in lists where !list.isEmpty {
      lines.append("\(name): \(Printable.text(AddressText.text(list)))")
    }
    lines.append("Subject: \(Printable.text(draft.subject))")
    for attachment in draft.attachments {
      let size = HumanFormat.bytes(UInt64(attachment.size))
      let place = attachment.path.map { "\($0.display), " } ?? ""
      lines.append("Attached: \(Printable.text(attachment.name)) (\(place)\(size))")
    }
    do throws(Explanation) {
      lines += try session.protection.lines(start)
    } catch {
      context.report(error)
    }
    for line in lines { console.print(line) }
    for warning in DraftWarning.all(in: draft) { context.report(warning.text) }
  }

  private static let help = [
    "s  send it", "e  edit it again", "a  attach a file", "v  view it as it is sent",
    "d  keep it in the folder for drafts", "q  quit; magnum resume goes on with it",
    "x  discard it",
  ]

  private func wish() -> Wish {
    let question = "[s]end, [e]dit, [a]ttach, [v]iew, [d]raft, [q]uit, [?] help, discard [x]? "
    guard let answer = console.ask(question) else {
      return Interruption.shared.isRequested ? .end : .draft
    }
    return switch answer.first {
    case "s": .send
    case "e": .edit
    case "a": .attach
    case "v": .view
    case "d": .draft
    case "x": .discard
    case "q": .end
    default: .help
    }
  }

  private func isSure(_ draft: Draft) -> Bool {
    DraftWarning.all(in: draft).isEmpty || isYes("send it all the same?")
  }

  private func isYes(_ question: String) -> Bool {
    console.ask("\(question) [y/n] ")?.hasPrefix("y") ?? false
  }

  private func attach(_ draft: inout Draft) {
    guard let name = console.ask("file: "), !name.isEmpty else { return }
    do throws(Explanation) {
      let path = TypedPath.path([UInt8](name.utf8))
      let reader = AttachmentReader(limit: .max, session.task.partial)
      draft.attachments.append(.file(try reader.file(path)))
    } catch {
      context.report(error)
    }
  }

  private func view(_ draft: Draft) {
    do throws(Explanation) {
      let complete = try session.dispatch.completed(draft)
      let octets = try session.dispatch.message(complete, for: .sending)
      let message = try explaining(.noInput) { () throws(SourceError) in
        try StreamedMessage(reading: octets).message
      }
      var text = MessageText(
        prefersHTML: false,
        showsAllHeaders: false,
        style: TextStyle(.auto, TerminalTraits.of(descriptor: 1))
      )
      text.add(.unread(message), tags: [])
      if Pager.isWanted, Pager.show(text.octets) { return }
      console.print(octets: text.octets)
    } catch {
      context.report(error)
    }
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

extension DraftText.Problem {
  /// What is wrong, for people.
  var text: String {
    switch self {
    case .noField(let line):
      "line \(line) is no field of a header; an empty line has to be before the text"
    case .reserved(let name, let line):
      "line \(line): \(Printable.text(name, limit: 80)) cannot be set"
    case .badRecipient(let text):
      "\(LetterError.badAddress(text).explanation.what); between two there has to be a comma"
    case .badProtection(let line):
      "line \(line): Protect is one of: sign, encrypt, both with a comma between them, or none; "
        + "if-possible in place of encrypt"
    case .notUTF8: "the text is not UTF-8"
    }
  }
}
