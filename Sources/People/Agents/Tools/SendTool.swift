internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import Glibc
internal import JSON
internal import MIME
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Query
internal import SearchIndex
internal import Sendmail
internal import SpoolPlan

/// The tool `send`: a draft of the agent among what is held, until a person releases it.
struct SendTool {
  private let mail: AgentMail
  private let record: AgentRecord
  private let drafts: AgentDrafts
  private let draft: AgentRecord.WrittenDraft
  private let file: Path
  private let dispatch: Dispatch
  private let protection: ProtectionSettings

  /// - Throws: `not-found` where the agent has no such draft, `refused` where its account cannot send.
  init(_ mail: AgentMail, _ call: ToolCall, _ record: AgentRecord) throws(ToolFailure) {
    (self.mail, self.record) = (mail, record)
    drafts = AgentDrafts(mail.profile, record)
    (draft, file) = try drafts.draft(call.text("draft") ?? "")
    let configuration = mail.profile.configuration
    do throws(Explanation) {
      let sender = try AccountChoice(configuration, user: geteuid()).sender(named: draft.account)
      protection = sender.composing.protection
      dispatch = Dispatch(sender, configuration, user: geteuid())
    } catch {
      throw .refused
    }
  }

  /// What is done, once it is decided.
  struct Decision {
    /// The name of the entry.
    let entry: EntryID
    /// Nil where the entry was made already: a call before was ended behind that.
    fileprivate let letter: PreparedLetter?
    /// The message that it answers or forwards.
    fileprivate let origin: Draft.Origin?
  }

  // MARK: Deciding

  /// What the call asks for; nothing is changed.
  func decide() throws(ToolFailure) -> Decision {
    let entries = HandedIn(mail.profile.configuration, record)
    if let known = try entries.entry(of: draft.handle) {
      return Decision(entry: known, letter: nil, origin: nil)
    }
    guard try entries.heldCount(of: mail.profile.settings.name) < HandedIn.limit else {
      throw .tooManyHeld
    }
    let (letter, origin) = try letter(of: try drafts.octets(of: draft, file))
    do throws(Explanation) {
      return Decision(entry: try dispatch.newEntryName(), letter: letter, origin: origin)
    } catch {
      throw .full
    }
  }

  /// The message as the draft's `--send` makes it, and the one that it answers or forwards.
  private func letter(
    of octets: [UInt8]
  ) throws(ToolFailure) -> (letter: PreparedLetter, origin: Draft.Origin?) {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    do {
      let draft = try DraftMessage.read(StreamedMessage(Message(octets)), decoder)
      guard draft.hasRecipients else { throw ToolFailure.arguments }
      try DraftTool.checkAddresses(of: draft)
      try checkProtection(of: draft)
      return (try dispatch.prepared(try dispatch.completed(draft)), draft.origin)
    } catch let error as ToolFailure {
      throw error
    } catch {
      throw .refused
    }
  }

  /// Refuses what is to be signed or encrypted: keys are a person's.
  private func checkProtection(of draft: Draft) throws(ToolFailure) {
    var wishes = DraftProtection.Wishes(protection)
    wishes.draft = draft.protection
    guard DraftProtection.decide(wishes) == .decided(nil) else { throw .refused }
    let ids = (draft.origin.map { [$0.id] } ?? []) + draft.inReplyTo
    for id in ids where try isEncrypted(id) { throw .refused }
  }

  private func isEncrypted(_ id: MessageID) throws(ToolFailure) -> Bool {
    let query = Query.exact(.id, id.octets)
    let messages = try mail.look { (set) throws(IndexError) in
      try set.messages(query, .newestFirst, limit: 10)
    }
    for message in messages {
      if message.isTagged("encrypted") { return true }
      for path in message.files.compactMap({ $0.currentPath() })
      where AgentMail.isEncrypted(message, try mail.open(path).message) {
        return true
      }
    }
    return false
  }

  // MARK: Doing

  func result(of decision: Decision) -> JSONValue {
    .object([
      ToolAnswer.version, ("entry", .string("\(decision.entry)")), ("state", .string("held")),
    ])
  }

  /// Carries a decision out: the entry is on record before it is there, and there before the draft goes.
  ///
  /// - Parameters:
  ///   - decision: what is done.
  ///   - begin: is called before anything is changed, and keeps it from being changed by what it throws.
  /// - Returns: the result.
  /// - Throws: why nothing is changed.
  func carryOut(
    _ decision: Decision,
    _ begin: () throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> JSONValue {
    let lock = try record.lock(".sending")
    defer { lock.release() }
    try drafts.locked(draft, file) { (_) throws(ToolFailure) in
      let entries = HandedIn(mail.profile.configuration, record)
      // Another process of the agent may have come first.
      let name = mail.profile.settings.name
      let known = try entries.entry(of: draft.handle)
      let count = try entries.heldCount(of: name)
      guard known == (decision.letter == nil ? decision.entry : nil) else { throw .again }
      guard known != nil || count < HandedIn.limit else { throw .tooManyHeld }
      try begin()
      if let letter = decision.letter { try hold(letter, decision) }
      try drafts.removeLocked(draft, file)
    }
    try record.addEnd(of: draft)
    return result(of: decision)
  }

  private func hold(_ letter: PreparedLetter, _ decision: Decision) throws(ToolFailure) {
    try record.add(
      SentDraft(
        entry: decision.entry,
        account: draft.account,
        draft: draft.handle,
        origin: decision.origin
      )
    )
    do throws(Explanation) {
      try dispatch.hold(letter, of: [UInt8](mail.profile.settings.name.utf8), as: decision.entry)
    } catch {
      throw .full
    }
  }
}
