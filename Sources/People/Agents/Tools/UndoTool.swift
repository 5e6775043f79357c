internal import AgentPlan
internal import Configuration
internal import JSON
internal import MailModel
internal import Platform
internal import Triage

/// The tool `undo`: takes back an act of the agent, as far as nothing was changed since.
struct UndoTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let triage: Triage

  init(_ mail: AgentMail, _ call: ToolCall) {
    (self.mail, self.call) = (mail, call)
    triage = Triage(mail.profile.configuration, stateHome: Environment.stateHome)
  }

  /// The way back; nothing is changed.
  ///
  /// - Throws: `not-found` where the act is none of the agent's, or is taken back.
  func decide() throws(ToolFailure) -> UndoPlan {
    let number = call.number("act") ?? 0
    let acts = try mail.explained { () throws(Explanation) in try triage.acts(atLeast: .max) }
    guard let act = acts.first(where: { $0.act.number == number }), isOwn(act.act),
      !act.standing.isEmpty
    else { throw .notFound }
    return try mail.explained { () throws(Explanation) in try triage.planUndo(number) }
  }

  /// Whether the agent did an act, in accounts whose mail it still may see.
  ///
  /// What it took back it does again by `act`, with the rights and the view of then.
  private func isOwn(_ act: Act) -> Bool {
    act.origin == .agent(mail.profile.settings.name) && act.undoing == nil
      && act.steps.allSatisfy { mail.profile.settings.accounts.contains($0.account) }
  }

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
