internal import Octets

/// An event of a calendar: a VEVENT (RFC 5545 §3.6.1).
package struct CalendarEvent: Hashable, Sendable {
  /// As it came.
  package let component: CalendarComponent

  package let uid: [UInt8]
  package let organizer: CalendarAddress?
  package let start: CalendarTime?
  /// The moment at which it is over, or the day after its last one; nil where it does not say.
  package let end: CalendarTime?

  /// Nil for a component that is no event, or has no UID.
  package init?(_ component: CalendarComponent) {
    guard component.isNamed("VEVENT"), let uid = component.first("UID")?.value, !uid.isEmpty else {
      return nil
    }
    self.component = component
    self.uid = uid
    organizer = component.first("ORGANIZER").map { CalendarAddress($0) }
    start = component.first("DTSTART").flatMap { CalendarTime($0) }
    let duration = component.first("DURATION").flatMap { CalendarDuration.seconds($0.value) }
    let start = start
    end =
      component.first("DTEND").flatMap { CalendarTime($0) }
      ?? duration.flatMap { seconds in start.map { $0.later(seconds) } }
  }

  /// Who is invited; read when it is asked for, since a calendar may have thousands in events that are not shown.
  package var attendees: [CalendarAddress] {
    component.all("ATTENDEE").map { CalendarAddress($0) }
  }

  /// Which version of the event it is; the organizer counts them.
  package var sequence: Int { number("SEQUENCE") ?? 0 }

  private func number(_ name: StaticString) -> Int? {
    component.first(name).flatMap { line in
      var cursor = Cursor(line.value)
      return cursor.decimal().flatMap { Int(exactly: $0) }
    }
  }

  /// When this version of it was written, in seconds since 1970; nil where it does not say.
  package var stamp: Int? {
    guard let line = component.first("DTSTAMP") else { return nil }
    switch CalendarTime(line) {
    case .utc(let moment): return moment
    case .floating(let reading), .zoned(let reading, _): return reading.seconds
    case .day, nil: return nil
    }
  }

  /// Which one of a series it is; nil for the series, or for an event that does not repeat.
  package var recurrenceID: CalendarLine? { component.first("RECURRENCE-ID") }

  /// What it is called; empty where it has no name.
  package var summary: [UInt8] { component.first("SUMMARY")?.text ?? [] }

  /// Where it is; empty where it does not say.
  package var location: [UInt8] { component.first("LOCATION")?.text ?? [] }

  /// `CONFIRMED`, `TENTATIVE` or `CANCELLED`, in large letters; nil where it does not say.
  package var status: [UInt8]? { component.first("STATUS")?.value.map(ASCII.uppercased) }

  /// How it repeats, in words or as it is written; nil where it does not.
  package var recurrence: [UInt8]? {
    let rules = component.all("RRULE")
    guard let value = rules.first?.value else { return nil }
    guard rules.count == 1, let words = RecurrenceRule(value)?.words else { return value }
    return [UInt8](words.utf8)
  }

  /// The names of the zones in its times.
  package var zones: [[UInt8]] { component.lines.compactMap { $0.parameter("TZID") } }

  /// Whether it is the same event, or the same one of a series, by the same organizer.
  ///
  /// A stranger who knows the UID can write anything else into an event of his own.
  package func isSame(as other: CalendarEvent) -> Bool {
    guard uid == other.uid, recurrenceID?.value == other.recurrenceID?.value,
      let address = organizer?.address
    else { return false }
    return other.organizer?.has(address) ?? false
  }

  /// Whether this version came after another one of the same event: a higher SEQUENCE, else a later DTSTAMP (RFC 5546 §2.1.5).
  package func isNewer(than other: CalendarEvent) -> Bool {
    guard sequence == other.sequence else { return sequence > other.sequence }
    guard let stamp, let otherStamp = other.stamp else { return false }
    return stamp > otherStamp
  }
}
