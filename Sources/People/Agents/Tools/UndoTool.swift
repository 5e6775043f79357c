internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import JSON
internal import MailModel
internal import Maildir
internal import Platform
internal import Query
internal import SearchIndex
internal import Triage

/// The tool `undo`: takes back an act of the agent, as far as nothing was changed since.
///
/// Only what the agent may do now, to what it sees now, does it take back: all else a person does.
struct UndoTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let triage: Triage
  private let now: Int64

  init(_ mail: AgentMail, _ call: ToolCall, now: Int64) {
    (self.mail, self.call, self.now) = (mail, call, now)
    triage = Triage(mail.profile.configuration, stateHome: Environment.stateHome)
  }

  /// The way back; nothing is changed.
  ///
  /// - Throws: `not-found` where the act is none of the agent's, or is taken back; `refused` where the agent may not do such by
  ///   now, or does not see a message.
  func decide() throws(ToolFailure) -> UndoPlan {
    let number = call.number("act") ?? 0
    let acts = try mail.explained { () throws(Explanation) in try triage.acts(atLeast: .max) }
    guard let act = acts.first(where: { $0.act.number == number }), isOwn(act.act),
      !act.standing.isEmpty
    else { throw .notFound }
    let guardian = ActGuard(mail.profile, try ActVerb(act.act))
    try guardian.checkVerb(now: now)
    try guardian.check(act.standing)
    let undo = try mail.explained { () throws(Explanation) in try triage.planUndo(number) }
    try checkView(undo.plan)
    return undo
  }

  /// Whether the agent did an act, in accounts whose mail it still may see.
  ///
  /// What it took back it does again by `act`, with the rights and the view of then.
  private func isOwn(_ act: Act) -> Bool {
    act.origin == .agent(mail.profile.settings.name) && act.undoing == nil
      && act.steps.allSatisfy { mail.profile.settings.accounts.contains($0.account) }
  }

  // MARK: The view

  private func checkView(_ plan: PlannedAct) throws(ToolFailure) {
    if try sees(plan, mail) { return }
    // An index may be behind what was done.
    let names = Set(plan.steps.map(\.step.account))
    for account in mail.profile.accounts where names.contains(account.name) {
      _ = IndexNote.scan(account)
    }
    guard try sees(plan, AgentMail(mail.profile, FolderRoles(), now: now)) else { throw .refused }
  }

  /// Whether all files of a plan are in the view, where they lie before it.
  private func sees(_ plan: PlannedAct, _ mail: AgentMail) throws(ToolFailure) -> Bool {
    /// Where steps before put files, by account, base name and folder.
    var reached: Set<[[UInt8]]> = []
    for step in plan.steps.map(\.step) {
      let name = [[UInt8](step.account.utf8), step.base]
      if !reached.contains(name + [step.origin.folder]) {
        guard try sees(step, mail) else { return false }
      }
      if let target = step.target { reached.insert(name + [target.folder]) }
    }
    return true
  }

  private func sees(_ step: ActStep, _ mail: AgentMail) throws(ToolFailure) -> Bool {
    let query = Query.and([mail.view.query, .exact(.id, step.id)])
    let found = try mail.look { (set) throws(IndexError) in try set.messages(query, .unsorted) }
    for message in found where message.id == step.id {
      let files = try mail.files(of: message)
      guard !files.isEmpty else { continue }
      let isMeant = try mail.target(of: message).files.contains { file in
        file.account.name == step.account && file.folder == step.origin.folder
          && file.file.name.base == step.base
      }
      if isMeant { return true }
    }
    return false
  }

  // MARK: Doing

  /// Takes the act back; `begin` as for ``ActTool/carryOut(_:_:)``.
  func carryOut(
    _ undo: UndoPlan,
    _ begin: (Int?) throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> JSONValue {
    let number = undo.act.act.number
    let command = [UInt8]("undo \(number)".utf8)
    let (act, result) = try mail.carryOut(triage, undo.plan, command, undoing: number, begin)
    // Of a message that a person changed since nothing is planned, or not all.
    let others = Set((undo.changed + undo.lasting).map(\.base))
    let planned = Set(undo.plan.steps.map(\.step.base))
    let done = result?.messages ?? 0
    let left = undo.plan.messages - done + others.subtracting(planned).count
    return ActTool.result(act: act, done: done, left: left)
  }
}

extension ActVerb {
  /// What an act of an agent did, by its words in the journal and the tags of its steps.
  ///
  /// - Throws: `refused` where no agent does such.
  fileprivate init(_ act: Act) throws(ToolFailure) {
    let words = String(decoding: act.command, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard let word = words.first,
      let verb = try Self.verb(String(word), words.dropFirst().first.map(String.init) ?? "", act)
    else { throw .refused }
    (self.verb, command) = (verb, act.command)
  }

  private static func verb(
    _ word: String,
    _ rest: String,
    _ act: Act
  ) throws(ToolFailure) -> TriageVerb? {
    switch word {
    case "move": return .move(rest)
    case "tag":
      let edits = act.steps.flatMap { step -> [String] in
        guard case .tags(_, let added, let removed) = step.change else { return [] }
        return added.map { "+" + String(decoding: $0, as: UTF8.self) }
          + removed.map { "-" + String(decoding: $0, as: UTF8.self) }
      }
      do throws(Explanation) { return .tag(try TagEdit(edits)) } catch { throw .refused }
    default: return plain(word)
    }
  }
}
