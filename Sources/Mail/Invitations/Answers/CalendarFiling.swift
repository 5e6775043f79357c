internal import Octets

/// What a file of a calendar gets by an invitation: a file has one event, with all times of a series that differ.
package struct CalendarFiling: Sendable {
  /// Why nothing is written.
  package enum Problem: Error, Hashable, Sendable {
    /// The file has the event of another organizer: who knows the UID of an event could overwrite it.
    case otherOrganizer
    /// The file has a newer version.
    case newer
    /// The file cannot be read.
    case damaged
    /// There is no event that could be cancelled.
    case missing
    /// The event does not say when it begins: only a message may lack that (RFC 5545 §3.6.1), and programs skip such a file.
    case noStart

    /// For people.
    package var words: String {
      switch self {
      case .otherOrganizer: "the calendar has this event of another organizer"
      case .newer: "the calendar has a newer version of the event"
      case .damaged: "the file of the event cannot be read"
      case .missing: "the calendar does not have the event"
      case .noStart: "the invitation does not say when the event begins"
      }
    }
  }

  private let invitation: Invitation
  /// The answer, and the address of the person who gave it; nil for a cancellation.
  private let answer: (InvitationAnswer, address: [UInt8])?

  /// By an answer to an invitation.
  package init(_ invitation: Invitation, _ answer: InvitationAnswer, by address: [UInt8]) {
    (self.invitation, self.answer) = (invitation, (answer, address))
  }

  /// By a cancellation.
  package init(cancelling invitation: Invitation) {
    (self.invitation, answer) = (invitation, nil)
  }

  /// The new content of the file.
  ///
  /// - Parameter file: what it has; nil where there is none.
  /// - Returns: the whole of it.
  /// - Throws: why it stays as it is.
  package func content(of file: [UInt8]?) throws(Problem) -> [UInt8] {
    let old = try file.map { (octets) throws(Problem) in try Self.calendar(octets) }
    let known = (old?.components ?? []).compactMap { CalendarEvent($0) }
    try check(known)
    if answer == nil, known.isEmpty { throw .missing }
    let events = merged(known)
    guard events.allSatisfy({ CalendarEvent($0)?.start != nil }) else { throw .noStart }
    var calendar = CalendarComponent(name: [UInt8](ascii: "VCALENDAR"))
    calendar.lines = (old ?? invitation.calendar).lines.filter { !$0.isNamed("METHOD") }
    let described = (old?.within("VTIMEZONE") ?? []) + invitation.calendar.within("VTIMEZONE")
    let lines = events.flatMap(\.lines)
    let used = Set(lines.compactMap { $0.parameter("TZID") })
    var names: Set<[UInt8]> = []
    calendar.components = described.filter { zone in
      guard let name = zone.first("TZID")?.value, used.contains(name) else { return false }
      return names.insert(name).inserted
    }
    let others = (old?.components ?? []).filter { component in
      !component.isNamed("VTIMEZONE") && !component.isNamed("VEVENT")
    }
    calendar.components += events + others
    return calendar.octets
  }

  private static func calendar(_ file: [UInt8]) throws(Problem) -> CalendarComponent {
    guard let roots = try? CalendarReader.read(file), roots.count == 1, let calendar = roots.first,
      calendar.isNamed("VCALENDAR")
    else { throw .damaged }
    return calendar
  }

  private func check(_ known: [CalendarEvent]) throws(Problem) {
    guard let address = invitation.event.organizer?.address else { throw .otherOrganizer }
    // One of a series that names no organizer has that of the others in the file.
    let isOther = known.contains { event in
      event.uid != invitation.event.uid || !(event.organizer?.has(address) ?? true)
    }
    guard !isOther, known.isEmpty || known.contains(where: { $0.organizer != nil }) else {
      throw .otherOrganizer
    }
    for event in incoming {
      let same = known.first { $0.recurrenceID?.value == event.recurrenceID?.value }
      if let same, same.sequence > event.sequence { throw .newer }
    }
  }

  /// The events of the message with its UID, of its organizer or without one: for each time of a series the first, and of a series
  /// that is cancelled nothing else.
  private var incoming: [CalendarEvent] {
    if answer == nil, invitation.event.recurrenceID == nil { return [invitation.event] }
    var times: Set<[UInt8]?> = []
    return invitation.events.filter { event in
      guard event.uid == invitation.event.uid,
        invitation.event.organizer?.address.map({ event.organizer?.has($0) ?? true }) ?? false
      else { return false }
      return times.insert(event.recurrenceID?.value).inserted
    }
  }

  /// Those of the file, each in the place of the one before; an instance joins them.
  private func merged(_ known: [CalendarEvent]) -> [CalendarComponent] {
    var components = known.map(\.component)
    for event in incoming {
      let place = known.firstIndex { $0.recurrenceID?.value == event.recurrenceID?.value }
      if let answer {
        let component = Self.answered(event.component, answer.0, by: answer.address)
        if let place { components[place] = component } else { components.append(component) }
      } else if event.recurrenceID == nil {
        components = components.map { Self.cancelled($0, event) }
      } else if let place {
        components[place] = Self.cancelled(components[place], event)
      } else {
        components.append(Self.cancelled(Self.withStart(event), event))
      }
    }
    return components
  }

  private static func answered(
    _ component: CalendarComponent,
    _ answer: InvitationAnswer,
    by address: [UInt8]
  ) -> CalendarComponent {
    var component = component
    for place in component.lines.indices where component.lines[place].isNamed("ATTENDEE") {
      guard CalendarAddress(component.lines[place]).has(address) else { continue }
      component.lines[place] = component.lines[place].answering(answer.status)
    }
    return component
  }

  /// One of a series that is only known by its cancellation, which need not say when it begins: at the time by which it is named.
  private static func withStart(_ event: CalendarEvent) -> CalendarComponent {
    var component = event.component
    guard component.first("DTSTART") == nil, let id = event.recurrenceID else { return component }
    let parameters = id.parameters.filter { !$0.name.equalsCaseless("RANGE") }
    component.lines.append(CalendarLine("DTSTART", parameters: parameters, id.value))
    return component
  }

  /// The event with STATUS:CANCELLED, and the SEQUENCE of the cancellation.
  private static func cancelled(
    _ component: CalendarComponent,
    _ event: CalendarEvent
  ) -> CalendarComponent {
    var component = component
    component.lines.removeAll { $0.isNamed("STATUS") || $0.isNamed("SEQUENCE") }
    component.lines.append(CalendarLine("STATUS", [UInt8](ascii: "CANCELLED")))
    component.lines.append(CalendarLine("SEQUENCE", Array("\(event.sequence)".utf8)))
    return component
  }
}
