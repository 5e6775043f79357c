internal import Octets

/// The calendar of an answer (RFC 5546 §3.2.3).
package struct AnswerCalendar: Sendable {
  private let calendar: CalendarComponent

  /// The lines that go back to the organizer as they came.
  private static let kept: [StaticString] = [
    "UID", "SEQUENCE", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "SUMMARY",
  ]

  /// The answer of a person to an invitation.
  ///
  /// - Parameters:
  ///   - answer: what is answered.
  ///   - attendee: the line of the person.
  ///   - invitation: the invitation.
  ///   - note: what the organizer is told besides, in UTF-8; nil for nothing.
  ///   - now: the time, in seconds since 1970.
  package init(
    _ answer: InvitationAnswer,
    of attendee: CalendarLine,
    to invitation: Invitation,
    note: [UInt8]?,
    now: Int
  ) {
    let event = invitation.event.component
    var component = CalendarComponent(name: [UInt8](ascii: "VEVENT"))
    let stamp = CalendarTime.utc(now).standard.utf8.filter { !"-:".utf8.contains($0) }
    component.lines.append(CalendarLine("DTSTAMP", stamp))
    component.lines += event.lines.filter { $0.isNamed("ORGANIZER") }.prefix(1)
    component.lines.append(attendee.answering(answer.status))
    for name in Self.kept { component.lines += event.all(name).prefix(1) }
    component.lines = component.lines.map(\.withoutControls)
    if let note { component.lines.append(CalendarLine("COMMENT", CalendarLine.escaped(note))) }
    var calendar = CalendarComponent(name: [UInt8](ascii: "VCALENDAR"))
    calendar.lines = [
      CalendarLine("PRODID", [UInt8](ascii: "-//Magnum//Magnum//EN")),
      CalendarLine("VERSION", [UInt8](ascii: "2.0")),
      CalendarLine("METHOD", [UInt8](ascii: "REPLY")),
    ]
    let zones = component.lines.compactMap { $0.parameter("TZID") }
    let used = invitation.calendar.within("VTIMEZONE").filter { zone in
      zone.first("TZID").map { zones.contains($0.value) } ?? false
    }
    calendar.components = used + [component]
    self.calendar = calendar
  }

  /// It as text, with CRLF and lines of at most 75 octets.
  package var octets: [UInt8] { calendar.octets }
}

extension CalendarLine {
  /// The line of a person with an answer, and without the wish for one.
  func answering(_ status: [UInt8]) -> CalendarLine {
    let answer = Parameter(
      name: [UInt8](ascii: "PARTSTAT"),
      values: [status],
      raw: Array("PARTSTAT=".utf8) + status
    )
    var line = self
    line.parameters.removeAll { $0.name.equalsCaseless("RSVP") }
    if let place = line.parameters.firstIndex(where: { $0.name.equalsCaseless("PARTSTAT") }) {
      line.parameters[place] = answer
    } else {
      line.parameters.append(answer)
    }
    return line
  }
}
