internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import SMTP
internal import SpoolPlan
internal import Terminal
internal import Triage

// The way of a draft into the queue.
extension ComposeSession {
  /// Puts the message into the queue, does what belongs to that, and tries to send it.
  func send(_ start: ComposeStart, holding: Bool) throws(Explanation) -> ExitStatus {
    var start = start
    let warnings = DraftWarning.all(in: start.draft)
    let body = try body(keeping: start)
    let writing = try protection.writing(&start)
    let letter = try dispatch.prepared(start.draft, writing, body)
    try askAboutAuthor(of: start.draft, letter)
    let schedule = holding ? nil : try schedule(start)
    let reminder = try reminder()
    let isKept = start.composition != nil
    let entry: Entry
    do throws(Explanation) {
      try noteQueuing(&start)
      if let id = letter.messageID.flatMap({ MessageID($0) })?.octets {
        try reminder?.record(sent: id, of: sender.name)
      }
      entry = try dispatch.enqueue(letter, holding: holding, schedule)
    } catch {
      if isKept { try? start.composition?.write(start.facts) } else { start.composition?.discard() }
      throw error
    }
    finishDraft(start)
    if !context.globals.json { for warning in warnings { context.report(warning.text) } }
    let result = holding ? Dispatch.Result.held(nil) : delivery.attempt(entry, schedule)
    let recipients = letter.envelope.recipients.map(\.address.octets)
    return report(result, entry, recipients, warnings, start.draft.protection)
  }

  /// What is recorded so that a person is reminded of the message; nil where that is not wanted.
  ///
  /// - Throws: that the time is none, or that answers cannot be looked for.
  private func reminder() throws(Explanation) -> LaterRequest? {
    guard let time = task.options.remind else { return nil }
    guard configuration.account(named: sender.name)?.isIndexed == true else {
      throw Explanation(
        .data,
        place: sender.name,
        "--remind needs an account with an index of its mail"
      )
    }
    return try LaterRequest.waiting(time).request
  }

  /// Shows a person what an agent wrote, and asks whether it is sent.
  ///
  /// - Throws: that no person is there, or does not want it.
  private func askAboutAuthor(of draft: Draft, _ letter: PreparedLetter) throws(Explanation) {
    guard let agent = draft.agent else { return }
    let approval = AgentApproval(of: agent, context)
    guard approval.isPossible, !context.globals.json else {
      throw Explanation(
        .data,
        "an agent wrote this draft: it is sent from a terminal only",
        hint: "magnum resume shows it there, and asks"
      )
    }
    let message = try dispatch.message(draft, for: .sending)
    let addresses = letter.envelope.recipients.map(\.address.octets)
    guard try approval.ask("send it?", about: message, to: addresses, configuration) else {
      throw Explanation(.partial, "not sent")
    }
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

  /// What follows once a message is in the queue: the other message is marked, and the draft goes.
  func finishDraft(_ start: ComposeStart) {
    if let origin = start.draft.origin {
      OriginalMark(configuration, report: { [context] in context.report($0) })
        .set(origin, at: start.facts.original)
    }
    if let draft = start.facts.draft { removeDraft(MessageFile(draft)) }
    finish(start.composition)
  }

  private var delivery: QueuedDelivery { QueuedDelivery(context, dispatch) }

  /// The moment before which it is not sent; nil for at once.
  private func schedule(_ start: ComposeStart) throws(Explanation) -> ScheduledTime? {
    if let text = task.options.at ?? start.at { return try ScheduledTime([UInt8](text.utf8)) }
    return dispatch.usualSchedule
  }

  private func report(
    _ result: Dispatch.Result,
    _ entry: Entry,
    _ recipients: [[UInt8]],
    _ warnings: [DraftWarning],
    _ protection: DraftProtection?
  ) -> ExitStatus {
    var line = ComposeLine(state: ComposeLine.state(result), account: sender.name)
    line.recipients = recipients
    line.warnings = warnings
    line.protection = protection
    return delivery.report(result, entry, line)
  }
}
