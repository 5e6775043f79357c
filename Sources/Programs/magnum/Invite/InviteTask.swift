internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import Invitations
internal import MailModel
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Protection
internal import Sendmail
internal import SpoolPlan
internal import Terminal

/// One command on an invitation: shows it, or answers it.
struct InviteTask {
  let options: InviteCommand.Options
  let context: CommandContext
  let configuration: Configuration
  let message: InvitedMessage
  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  var console: Console { context.console }
  var invitation: Invitation { message.invitation }

  init(_ options: InviteCommand.Options, _ context: CommandContext) throws(Explanation) {
    (self.options, self.context) = (options, context)
    configuration = try context.neededConfiguration()
    message = try InvitedMessage(context.operands, configuration, context)
  }

  /// Prints what the message says of the event, and where that is wanted, marks a cancelled one in the calendar.
  func show() throws(Explanation) -> ExitStatus {
    showEvent()
    return options.saves ? try saveCancellation() : .success
  }

  private func showEvent() {
    if context.globals.json {
      var line = JSONLine()
      line.add("version", 1)
      line.add("id", octets: message.reading.message.header.messageID?.octets ?? [])
      if let event = message.look.json { line.add("invitation", event) }
      line.add("notes", message.look.notes)
      console.print(octets: line.octets)
    } else {
      for line in message.look.lines {
        console.print("\(line.name): \(Printable.text(line.value))")
      }
      for note in message.look.notes { console.writeNote(note) }
    }
  }

  // MARK: Answers

  /// Answers: into the queue first, then the calendar, then the tag of the message, then an attempt to send it.
  ///
  /// Each step is done once, also where the command was cut short and is run again.
  func send(_ answer: InvitationAnswer) throws(Explanation) -> ExitStatus {
    if let problem = options.note.flatMap({ Explanation(notUTF8: "note", $0) }) { throw problem }
    let plan = try plan(answer)
    let sender = try sender(for: plan.from)
    let dispatch = Dispatch(sender, configuration, user: geteuid())
    let note = options.note.map { [UInt8]($0.utf8) }
    let id = AnswerID(
      answer,
      to: invitation,
      in: message.reading.message.header.messageID,
      by: plan.from,
      note: note
    )
    let letter = try letter(answer, plan, id, note, dispatch)
    if options.isDryRun {
      try explaining(.noInput) { () throws(SourceError) in
        try console.print(content: letter.message)
      }
      for question in plan.questions { console.writeNote(question.words) }
      return .success
    }
    let queued = try dispatch.queued(id)
    let questions = plan.questions.filter { $0 != .repeated || queued == nil }
    guard try isAgreed(answer, plan, questions) else {
      console.writeNote("nothing is sent")
      return .partial
    }
    let schedule = queued == nil ? dispatch.usualSchedule : nil
    let entry = if let queued { queued } else { try dispatch.enqueue(letter, schedule) }
    let saved = save(answer, by: plan.from)
    let marked = mark(answer)
    let delivery = QueuedDelivery(context, dispatch)
    let result = delivery.attempt(entry, schedule)
    var line = ComposeLine(state: ComposeLine.state(result), account: sender.name)
    line.recipients = [plan.organizer]
    line.answer = answer.rawValue
    return ExitStatus.mostSevere(of: [delivery.report(result, entry, line), saved, marked])
  }

  /// The message that goes to the organizer.
  private func letter(
    _ answer: InvitationAnswer,
    _ plan: AnswerPlan,
    _ id: AnswerID,
    _ note: [UInt8]?,
    _ dispatch: Dispatch
  ) throws(Explanation) -> PreparedLetter {
    let calendar = AnswerCalendar(
      answer,
      of: plan.attendee,
      to: invitation,
      note: note,
      now: Int(Clock.now())
    ).octets
    var draft = try dispatch.completed(draft(answer, plan))
    draft.messageID = draft.messageID.flatMap { id.id(from: $0) }
    return try dispatch.prepared(draft, calendar: .calendar(calendar, method: "REPLY"))
  }

  private func plan(_ answer: InvitationAnswer) throws(Explanation) -> AnswerPlan {
    var facts = AnswerFacts(invitation)
    let header = message.reading.message.header
    let own = configuration.senders.flatMap(\.addresses)
    facts.own = (own + configuration.accounts.compactMap(\.address)).map { [UInt8]($0.utf8) }
    facts.sending = own.map { [UInt8]($0.utf8) }
    let fields: [StaticString] = ["Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc"]
    facts.delivered = fields.flatMap { header.mailboxes($0, decoder).map(\.address) }
    facts.chosen = options.address.map { [UInt8]($0.utf8) }
    facts.authors = header.mailboxes("From", decoder).map(\.address)
    facts.isDisowned = message.isDisowned
    let times = EventTimes(invitation.event, invitation.zones) { LocalTime.offset(at: $0) }
    facts.isOver = invitation.event.isOver(at: Int(Clock.now()), times)
    facts.isRepeated = message.look.answered == answer.rawValue && options.note == nil
    facts.newer = message.newer
    do throws(AnswerRefusal) {
      return try AnswerPlan(facts)
    } catch {
      throw Explanation(.data, place: message.found.place, error.words, hint: error.hint)
    }
  }

  private func sender(for address: [UInt8]) throws(Explanation) -> Sender {
    let choice = AccountChoice(configuration, user: geteuid())
    if let name = context.globals.accounts.first { return try choice.sender(named: name) }
    return try choice.sender(for: [address])
  }

  private func draft(_ answer: InvitationAnswer, _ plan: AnswerPlan) -> Draft {
    var draft = Draft()
    let header = message.reading.message.header
    draft.from = Self.mailbox(plan.from)
    draft.to = Self.mailbox(plan.organizer).map { [.mailbox($0)] } ?? []
    let summary = invitation.event.summary
    let title = summary.isEmpty ? [] : Array(": ".utf8) + summary
    let length = LineCut.end(of: title[...], within: 300)
    draft.subject = Array(answer.title.utf8) + title.prefix(length)
    draft.inReplyTo = header.messageID.map { [$0] } ?? []
    draft.references = ReplyBuilder.references(header)
    return draft
  }

  private static func mailbox(_ address: [UInt8]) -> Mailbox? {
    guard let at = address.lastIndex(of: ASCII.at) else { return nil }
    return Mailbox(
      name: [],
      localPart: [UInt8](address[..<at]),
      domain: [UInt8](address[(at + 1)...])
    )
  }

  /// Whether it is sent: a person is asked where something is unusual.
  private func isAgreed(
    _ answer: InvitationAnswer,
    _ plan: AnswerPlan,
    _ questions: [AnswerQuestion]
  ) throws(Explanation) -> Bool {
    for note in message.look.notes { console.writeNote(note) }
    guard !questions.isEmpty else { return true }
    let reasons = questions.map(\.words).joined(separator: "; ")
    if options.isConfirmed {
      console.writeNote(reasons)
      return true
    }
    guard console.canAsk, !context.globals.json else {
      let place = message.found.place
      throw Explanation(.data, place: place, reasons, hint: "--yes answers all the same")
    }
    for question in questions { console.writeNote(question.words) }
    let (from, to) = (Printable.text(plan.from), Printable.text(plan.organizer))
    return console.confirm("answer \(answer.rawValue) from \(from) to \(to)?")
  }
}
