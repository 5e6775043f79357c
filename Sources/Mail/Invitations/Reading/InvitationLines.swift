internal import MailModel
internal import Octets

/// What people are shown of an event: names of lines, and their values, in which a stranger may have written anything.
package struct InvitationLines: Sendable {
  /// What it is about, and what a calendar says of that.
  package struct Line: Hashable, Sendable {
    package let name: String
    package let value: [UInt8]
  }

  package private(set) var all: [Line] = []

  /// More people are counted, not named.
  private static let nameLimit = 10

  /// The octets of a longer text are cut.
  private static let textLimit = 500

  /// The lines.
  ///
  /// - Parameters:
  ///   - invitation: what a message says of the event.
  ///   - local: by how many seconds the clock here is ahead of UTC at a moment (seconds since 1970).
  ///   - earlier: the version of it that another message has; nil where none is known.
  ///   - answered: what was answered to it, such as `accepted`; nil where nothing was.
  package init(
    _ invitation: Invitation,
    local: (Int64) -> Int,
    earlier: Invitation? = nil,
    answered: String? = nil
  ) {
    let event = invitation.event
    add(Self.title(invitation, isUpdate: earlier != nil), Self.cut(event.summary))
    if let times = EventTimes(event, invitation.zones, local: local) {
      add("When", times.when)
      if let here = times.here { add("Here", here) }
    }
    if let recurrence = event.recurrence { add("Repeats", Self.cut(recurrence)) }
    if let id = event.recurrenceID, let time = CalendarTime(id) {
      add("One of a series", "that of \(time.standard)")
    }
    let others = invitation.events.count - 1
    if others > 0 { add("More", others == 1 ? "1 other event" : "\(others) other events") }
    if !event.location.isEmpty { add("Where", Self.cut(event.location)) }
    if let organizer = event.organizer { add("Organizer", Self.person(organizer)) }
    addPeople(invitation)
    if let status = event.status, status != [UInt8](ascii: "CONFIRMED") { add("Status", status) }
    if let answered { add("Answered", answered) }
    for change in earlier.map({ EventChange.all(from: $0, to: invitation, local: local) }) ?? [] {
      add("Changed", change.name + Array(", from ".utf8) + Self.cut(change.old))
    }
    if !invitation.isMethodCertain {
      add("Note", "the header does not name the method of the calendar: it cannot be answered")
    }
  }

  private mutating func add(_ name: String, _ value: [UInt8]) {
    all.append(Line(name: name, value: value.map { $0 == ASCII.lineFeed ? ASCII.space : $0 }))
  }

  private mutating func add(_ name: String, _ value: String) { add(name, [UInt8](value.utf8)) }

  private static func title(_ invitation: Invitation, isUpdate: Bool) -> String {
    switch invitation.method {
    case .request: isUpdate ? "Changed invitation" : "Invitation"
    case .cancel: "Cancelled event"
    case .reply: "Answer to"
    case .counter: "Proposal of another time for"
    case .publish, .other: "Event"
    }
  }

  private mutating func addPeople(_ invitation: Invitation) {
    let people = invitation.event.attendees
    switch invitation.method {
    case .reply, .counter:
      for person in people.prefix(Self.nameLimit) {
        add("By", Self.person(person) + Array(": ".utf8) + Self.words(of: person))
      }
      if let comment = invitation.event.component.first("COMMENT")?.text {
        add("Comment", Self.cut(comment))
      }
    default:
      guard !people.isEmpty else { return }
      var list = [UInt8](
        people.prefix(Self.nameLimit).map { Self.person($0) }
          .joined(separator: [ASCII.comma, ASCII.space])
      )
      if people.count > Self.nameLimit {
        list += " and \(people.count - Self.nameLimit) more".utf8
      }
      add("Invited", list)
    }
  }

  private static func words(of person: CalendarAddress) -> [UInt8] {
    person.answer == [UInt8](ascii: "NEEDS-ACTION")
      ? [UInt8](ascii: "no answer") : cut(person.answer.map(ASCII.lowercased))
  }

  private static func person(_ person: CalendarAddress) -> [UInt8] {
    let address = person.address ?? person.line.value
    guard !person.name.isEmpty, !person.name.equalsCaseless(address) else { return cut(address) }
    return cut(person.name) + [ASCII.space, ASCII.lessThan] + cut(address) + [ASCII.greaterThan]
  }

  private static func cut(_ text: [UInt8]) -> [UInt8] {
    text.count <= textLimit
      ? text : text.prefix(LineCut.end(of: text[...], within: textLimit)) + Array("…".utf8)
  }
}
