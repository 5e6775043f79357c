internal import Correspondence
internal import Invitations
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// What a message says of an event, for people and programs.
struct InvitationLook {
  /// Nil where the calendar cannot be read.
  let invitation: Invitation?
  /// Why it cannot.
  let problem: CalendarProblem?
  /// What was answered to it, as its tags have it; nil where nothing was.
  let answered: String?
  /// The version of it that another message has; nil where none is known.
  var earlier: Invitation?

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
