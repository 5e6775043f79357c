internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue edit`.
struct QueueEdit {
  /// What its options ask for.
  struct Options {
    var to: [String] = []
    var message: String?
    var html = HTMLOptions()
  }

  private let options: Options
  let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "edit",
      abstract: "Change the recipients or the message of an entry, and put it back into the queue.",
      discussion:
        "The message comes from standard input with --message -, or from a file. Without --to and "
        + "--message an editor shows it: $VISUAL, $EDITOR, or vi.",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .texts(
          "--to",
          value: "address",
          addsTo: \.to,
          help: "Send to this address in place of those left."
        ),
        .text(
          "--message",
          value: "file",
          completion: .files,
          sets: \.message,
          help: "Take the message from this file."
        ),
      ] + HTMLOptions.all { \Options.html },
      operands: .one("entry", completion: .names(.entries)),
      check: { (options, _) throws(UsageMistake) in
        try options.html.check()
        if options.html.wish != nil, options.message == nil, !options.to.isEmpty {
          throw UsageMistake("HTML is made of a new text, and --to alone keeps the text")
        }
      },
      run: { options, command in
        QueueContext.runSubcommand(command) { (queue) throws(SpoolError) in
          try QueueEdit(options: options, queue: queue).run()
        }
      }
    )
  }

  private func run() throws(SpoolError) -> ExitStatus {
    // Before root takes on another user's rights: that user may not be able to read it.
    let new: (any OctetSource)?
    do throws(Explanation) {
      new = try options.message.map { (file) throws(Explanation) in try read(file) }
    } catch {
      return queue.command.report(error)
    }
    return try queue.with(queue.command.operands.first ?? "") {
      (outbox, item) throws(SpoolError) in
      if let action = item.content?.entry.action, !action.hasMessage {
        queue.command.report(place: "\(item.id)", "it has no message to edit")
        return .partial
      }
      if item.content?.progress.left.isEmpty == true { return refuse(item) }
      if let refusal = try protectionRefusal(item) { return refusal }
      let revision = Revision(of: item, outbox.user, queue)
      let html = QueueHTML(options.html, sender(of: item))
      guard !options.to.isEmpty || options.message != nil else {
        return try editInPlace(item, outbox, revision, html)
      }
      guard let new else { return try put(nil, item, outbox, revision) }
      let old = try item.spool.load(item.id, in: item.state)?.message
      return try put(new, hadHTML: old.map(html.isMade) ?? false, html, item, outbox, revision)
    }
  }

  /// Refuses what would break a signature, or be sent to people who cannot decrypt it; nil where nothing speaks against it.
  private func protectionRefusal(_ item: QueuedItem) throws(SpoolError) -> ExitStatus? {
    guard options.message == nil,
      let message = try item.spool.load(item.id, in: item.state)?.message,
      let streamed = try? StreamedMessage(reading: message)
    else { return nil }
    let words: String
    switch MessageEnvelope(of: streamed.message) {
    case .clear: return nil
    case .signed where !options.to.isEmpty: return nil
    case .signed: words = "it is signed: an editor would break the signature"
    case .encrypted where options.to.isEmpty: words = "it is encrypted, and cannot be edited"
    case .encrypted: words = "it is encrypted: a new recipient could not read it"
    }
    queue.command.report(
      place: "\(item.id)",
      words,
      hint: "magnum queue cancel \(item.id) makes a draft of it, which magnum resume continues"
    )
    return .data
  }

  /// Shows the message in an editor; the queue goes on meanwhile, and what it has sent stays sent.
  private func editInPlace(
    _ item: QueuedItem,
    _ outbox: Outbox,
    _ revision: Revision,
    _ html: QueueHTML
  ) throws(SpoolError) -> ExitStatus {
    // An editor of root's must not open a file where another user can put a link in its place.
    guard outbox.user == getuid() else {
      queue.command.report(
        place: "\(item.id)",
        "no editor is started on another user's entry",
        hint: "magnum queue show --raw \(item.id), then edit --message FILE"
      )
      return .partial
    }
    guard EditorProcess.isPossible else {
      queue.command.report(
        place: "\(item.id)",
        "there is no terminal to edit it at",
        hint: "give --to or --message, or set EDITOR"
      )
      return .usage
    }
    guard let stored = try item.spool.load(item.id, in: item.state), stored.message != nil else {
      throw .noEntry(item.id)
    }
    let whole = try stored.wholeMessage
    let (old, hadHTML): ([UInt8], Bool)
    do throws(Explanation) {
      (old, hadHTML) = try html.editable(whole)
    } catch {
      return queue.command.report(error)
    }
    let editor = try MessageEditor(old, limit: limit.octets)
    guard editor.editMessage() else { return abandon(editor, old, item) }
    return finish(editor, old, item) { (new) throws(SpoolError) in
      try put(new, hadHTML: hadHTML, html, item, outbox, revision)
    }
  }

  /// Leaves the entry as it is after an editor that failed; what a person wrote before that stays in its file.
  private func abandon(_ editor: MessageEditor, _ old: [UInt8], _ item: QueuedItem) -> ExitStatus {
    queue.command.report("the editor failed; the entry is unchanged")
    if editor.holdsWork(besides: old) {
      sayKept(editor, item, hint: "to send it: magnum queue edit --message FILE \(item.id)")
    } else {
      editor.remove()
    }
    return .partial
  }

  /// Puts what was made of the message in its place; where that cannot be, the file stays: it may be the work of hours.
  private func finish(
    _ editor: MessageEditor,
    _ old: [UInt8],
    _ item: QueuedItem,
    _ put: ([UInt8]) throws(SpoolError) -> ExitStatus
  ) -> ExitStatus {
    let status: ExitStatus
    do throws(SpoolError) {
      let new = try editor.edited()
      if new == old || new.isEmpty {
        queue.command.report("nothing is changed")
        status = .success
      } else {
        status = try put(new)
      }
    } catch {
      status = queue.report(error)
    }
    if status == .success, !editor.hasOtherFiles {
      editor.remove()
    } else {
      sayKept(editor, item)
    }
    return status
  }

  private func sayKept(_ editor: MessageEditor, _ item: QueuedItem, hint: String? = nil) {
    queue.command.report(
      place: "\(item.id)",
      "the edited message is kept in \(editor.file.display)",
      hint: hint
    )
  }

  /// Puts the new version into the queue, prepared as magnum-send does it.
  func put(
    _ message: (any OctetSource)?,
    _ item: QueuedItem,
    _ outbox: Outbox,
    _ revision: Revision
  ) throws(SpoolError) -> ExitStatus {
    var problem: Explanation?
    let new = try outbox.edit(item) { unsent in
      do throws(Explanation) {
        return try revision.prepared(unsent, message, to: options.to)
      } catch {
        problem = error
        return nil
      }
    }
    if let problem { return queue.command.report(problem) }
    guard let new else { return refuse(item) }
    if queue.command.globals.json {
      queue.console.print(octets: ChangeLine(item, "edit", new: new.id).json.octets)
      return .success
    }
    guard !queue.command.globals.quiet else { return .success }
    queue.console.print("\(new.id)")
    queue.console.writeNote(
      new.action.agent == nil
        ? "it waits in the queue; to send it now: magnum queue flush \(new.account)"
        : "an agent wrote it, so it is held; to have it shown and sent: magnum queue release \(new.id)"
    )
    return .success
  }

  private func refuse(_ item: QueuedItem) -> ExitStatus {
    queue.command.report(
      place: "\(item.id)",
      "all recipients have the message",
      hint: item.isSentWithoutCopy ? UncopiedWords.hint(item.id) : nil
    )
    return .partial
  }
}
