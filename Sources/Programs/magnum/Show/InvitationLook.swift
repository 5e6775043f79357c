internal import Correspondence
internal import Invitations
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import Terminal

/// What a message says of an event, for people and programs.
struct InvitationLook {
  /// Nil where the calendar cannot be read.
  let invitation: Invitation?
  /// Why it cannot.
  let problem: CalendarProblem?
  /// What was answered to it, as its tags have it; nil where nothing was.
  let answered: String?
  /// What other messages say of the event; nil where that was not looked for.
  var versions: InvitationVersions?

  /// Nil for a message without an event.
  init?(of root: Part, tags: [String]) {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    do throws(CalendarProblem) {
      guard let found = try Invitation(of: root, decoder, zone: SystemZone.file) else { return nil }
      (invitation, problem) = (found, nil)
    } catch {
      (invitation, problem) = (nil, error)
    }
    answered = InvitationAnswer.allCases.map(\.rawValue).first { tags.contains($0) }
  }

  /// What a message that is shown says of an event; nil where it has none, or the calendar is in a part that is not shown.
  init?(in reading: ProtectionReading, tags: [String], _ senders: SenderLook) {
    guard let part = Invitation.part(of: reading.message.root), !reading.isHidden(part) else {
      return nil
    }
    self.init(of: reading.message.root, tags: tags)
    // A configuration that is missing or wrong knows of no other messages.
    guard let invitation, let configuration = senders.configuration else { return }
    versions = try? InvitationVersions(
      of: invitation,
      in: reading.message,
      configuration,
      CharsetDecoder { CharsetConversion.utf8($0, $1) },
      isDisowned: { senders.verdict(on: $0, at: $1)?.kind == .fail }
    )
  }

  private var earlier: Invitation? { versions?.earlier?.invitation }

  /// The message with a newer version, as people name it; nil where none is known.
  var newer: String? { versions?.newer.map { "id:\(Printable.text($0.id))" } }

  /// What is to be known of other versions, for people.
  var notes: [String] {
    let outdated = newer.map { ["a newer version is in \($0)"] } ?? []
    return outdated
      + (versions?.disowned ?? []).map {
        "id:\(Printable.text($0)) claims to be newer, but is not of its sender: it does not count"
      }
  }

  /// The lines for people: names, and values in which a stranger may have written anything.
  var lines: [InvitationLines.Line] {
    guard let invitation else { return [] }
    return InvitationLines(
      invitation,
      local: { LocalTime.offset(at: $0) },
      earlier: earlier,
      answered: answered
    ).all
  }

  /// The member `invitation`; nil where the calendar cannot be read.
  var json: JSONLine? {
    guard let invitation else { return nil }
    let event = invitation.event
    let local = { (moment: Int64) in LocalTime.offset(at: moment) }
    let times = EventTimes(event, invitation.zones, local: local)
    var line = JSONLine()
    line.add("method", octets: invitation.method.octets)
    line.add("uid", octets: event.uid)
    line.add("sequence", event.sequence)
    if let id = event.recurrenceID { line.add("recurrence-id", octets: id.value) }
    line.add("summary", octets: event.summary)
    if !event.location.isEmpty { line.add("location", octets: event.location) }
    if let organizer = event.organizer { line.add("organizer", Self.json(organizer)) }
    line.add("attendees", event.attendees.map { Self.json($0, isInvited: true) })
    if let start = event.start { line.add("start", start.standard) }
    if let end = event.end { line.add("end", end.standard) }
    if let zone = event.start?.zone {
      line.add("zone", octets: zone)
    } else if case .utc = event.start {
      line.add("zone", "UTC")
    }
    if let start = times?.localStart { line.add("local-start", start) }
    if let recurrence = event.recurrence { line.add("recurrence", octets: recurrence) }
    if let status = event.status { line.add("status", octets: status) }
    if let answered { line.add("answered", answered) }
    if let earlier {
      let changes = EventChange.all(from: earlier, to: invitation, local: local)
      line.add("changed", changes.map(Self.json))
    }
    if let newer = versions?.newer { line.add("newer", octets: newer.id) }
    return line
  }

  private static func json(_ change: EventChange) -> JSONLine {
    var line = JSONLine()
    line.add("what", octets: change.name)
    line.add("from", octets: change.old)
    line.add("to", octets: change.new)
    return line
  }

  private static func json(_ person: CalendarAddress, isInvited: Bool = false) -> JSONLine {
    var line = JSONLine()
    line.add("name", octets: person.name)
    if let address = person.address { line.add("address", octets: address) }
    if isInvited { line.add("answer", octets: person.answer) }
    return line
  }
}
