internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import GnuPG
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import SyncState
internal import Terminal

// Going on with a draft that lies in a folder.
extension ComposeTask {
  /// A draft that lies in a folder, or that a program left that did not come to its end.
  func resume(_ words: [String]) throws(Explanation) -> ComposeStart {
    if words.count == 1, let left = try abandoned(named: words[0]) { return left }
    let found = try finder().one(words)
    let isDraft = found.file?.isDraft(of: found.account) ?? false
    let opened = isDraft ? try openSecret(found) : nil
    let content = try withoutHTML(opened ?? found.content)
    try checkText(of: content.message, hint: "finish it in the program that it was written with")
    let draft = try explaining(.noInput) { () throws(SourceError) in
      try DraftMessage.read(content, decoder)
    }
    var start = ComposeStart(draft: draft, isFresh: false)
    start.isSecret = opened != nil
    start.draft.concernsEncrypted =
      start.isSecret && (draft.concernsEncrypted || draft.origin != nil)
    start.mayHoldText = true
    start.facts.account = found.account?.name
    do throws(Explanation) {
      try checkRecipients(of: content.message)
    } catch {
      // Anyone who edits it sees whom it goes to, and can write the others anew.
      guard try end(start) == .editor else { throw error }
      context.report(error)
    }
    guard let file = found.file, isDraft else {
      // A message that is no draft is only the beginning of another one: it stays, and the new one has an id of its own.
      (start.draft.messageID, start.draft.origin, start.draft.protection) = (nil, nil, nil)
      // Another person does not decide who else gets it, and where answers to it go.
      if !(start.draft.from.map { own.contains($0) } ?? false) {
        (start.draft.from, start.draft.bcc, start.draft.replyTo) = (nil, [], [])
        start.draft.extra = []
      } else {
        try keepFailedRecipients(&start, found)
      }
      return start
    }
    start.facts.draft = file.path
    start.draftLock = try lock(file)
    try checkLeft(start, file)
    try checkQueue(start)
    return start
  }

  /// A message without the HTML that was made of its text, which is made anew.
  private func withoutHTML(_ content: StreamedMessage) throws(Explanation) -> StreamedMessage {
    try explaining(.noInput) { () throws(SourceError) in
      guard let text = try TextMessage(content, decoder), text.hadHTML else { return content }
      return try StreamedMessage(reading: text.octets())
    }
  }

  /// What is within a draft that is kept encrypted; nil for any other message.
  private func openSecret(_ found: MessageFinder.Found) throws(Explanation) -> StreamedMessage? {
    guard SecretDraft.isOne(found.message) else { return nil }
    let octets = try explaining(.noInput) { () throws(SourceError) in
      try found.content.whole.whole()
    }
    let tools = GnuPG(for: context)
    tools.beginMessage()
    let opened: SecretDraft.Opened
    do throws(SecretDraft.Failure) {
      opened = try SecretDraft.open(Message(octets), decoder) { tools.answer($0) }
    } catch {
      var explanation = error.explanation
      explanation.place = found.place
      throw explanation
    }
    // What S/MIME encrypts can be changed on the server, and so whom it goes to.
    if !opened.isAuthenticated, options.ends.contains(.send) || options.ends.contains(.hold) {
      throw Explanation(
        .refused,
        place: found.place,
        "the draft is not protected against changes: look at its recipients first",
        hint: "resume it in the editor"
      )
    }
    return opened.content
  }

  /// Keeps other programs from going on with the draft; nil where the file system cannot lock.
  func lock(_ file: MessageFile) throws(Explanation) -> FileLock? {
    let outcome = try explaining(.noInput) { () throws(SystemError) in
      try FileLock.acquire(existing: file.path)
    }
    let place = file.path.display
    switch outcome {
    case .acquired(let lock):
      guard file.currentPath() != nil else {
        throw Explanation(.partial, place: place, "another program has just sent or removed it")
      }
      return lock
    case .heldByOther: throw Explanation(.tryAgain, place: place, "another program goes on with it")
    case .unsupported: return nil
    }
  }

  /// Refuses a draft that a program was about to queue when it was ended: if the queue has it, the draft goes, else it is not
  /// known whether it was sent.
  ///
  /// Also refused is one of which an encrypted version is kept.
  private func checkLeft(_ start: ComposeStart, _ file: MessageFile) throws(Explanation) {
    let found = try explaining(.noInput) { () throws(SystemError) in try left(of: file) }
    guard let (left, isQueuing) = found else { return }
    let name = Printable.text(left.directory.lastComponent)
    guard isQueuing else {
      throw Explanation(
        .partial,
        place: file.path.display,
        "a program was ended that encrypted this draft; its encrypted version counts",
        hint: "magnum resume \(name) goes on with that, and replaces this one"
      )
    }
    try checkQueue(start, left)
    throw Explanation(
      .partial,
      place: file.path.display,
      "it was about to be sent, and may have been",
      hint: "look for it in the mail that was sent; if it is not there: magnum resume \(name)"
    )
  }

  private func checkQueue(_ start: ComposeStart, _ left: Composition) throws(Explanation) {
    guard try saysTheSame(start.draft, left), let id = start.draft.messageID,
      let sender = try? sender(for: start),
      let entry = try Dispatch(sender, configuration, user: geteuid()).queued(id),
      !entry.isHalfCancelled
    else { return }
    var start = start
    start.composition = left
    ComposeSession(self, sender).finishDraft(start)
    throw Explanation(.partial, "it is in the queue already")
  }

  /// Whether a draft in its folder is what a program was about to queue: its text, and all that is attached, which another
  /// program may have changed since.
  private func saysTheSame(_ draft: Draft, _ left: Composition) throws(Explanation) -> Bool {
    let text = try explaining(.noInput) { () throws(SystemError) in try left.text() }
    let other = try LeftDrafts(context, partial).read(left).0
    // The text of an encrypted one is gone with the power.
    guard text ?? DraftText.render(other) == DraftText.render(draft) else { return false }
    guard !draft.attachments.isEmpty || !other.attachments.isEmpty else { return true }
    guard let one = try? seal(of: draft.attachments) else { return false }
    return one == (try? seal(of: other.attachments))
  }

  private func seal(of attachments: [DraftAttachment]) throws -> MessageSeal {
    let parts = try AttachmentReader(limit: .max, partial).read(attachments)
    let date = MessageDate(seconds: 0, offset: 0)
    let message = DraftMessage.make(Draft(), parts, date: date, for: .keeping)
    return try Spool.seal(try message.octets(token: [UInt8](ascii: "draft")))
  }

  /// What a program left of a draft that it was about to queue, or was encrypting.
  private func left(
    of file: MessageFile
  ) throws(SystemError) -> (Composition, isQueuing: Bool)? {
    for composition in try Composition.abandoned() {
      let facts = try composition.facts()
      guard let draft = facts.draft, MessageFile(draft).currentPath() == file.path else { continue }
      if facts.isQueuing || LeftDrafts.hasClearVersion(composition, facts) {
        return (composition, facts.isQueuing)
      }
    }
    return nil
  }

  /// Refuses a draft that is in the queue already.
  ///
  /// It stays: it may say something else than what is there.
  private func checkQueue(_ start: ComposeStart) throws(Explanation) {
    guard let id = start.draft.messageID, let sender = try? sender(for: start),
      let entry = try Dispatch(sender, configuration, user: geteuid()).queued(id)
    else { return }
    throw queued(entry, sender)
  }

  /// Says that the queue has the message of a draft, which stays.
  func queued(_ entry: Dispatch.Queued, _ sender: Sender) -> Explanation {
    let cancel = "magnum queue cancel \(entry.id)"
    return entry.isHalfCancelled
      ? Explanation(
        .partial,
        place: sender.name,
        "taking it back from the queue was cut short; the draft stays",
        hint: "\(cancel) goes on with that"
      )
      : Explanation(
        .partial,
        place: sender.name,
        "it is in the queue already; the draft stays",
        hint: "remove the draft if it says nothing else; to take the message back: \(cancel)"
      )
  }
}
