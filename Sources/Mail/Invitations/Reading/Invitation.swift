package import MIME
internal import Octets

/// What a message says of an event: an invitation, a change, a cancellation, an answer (RFC 5546).
package struct Invitation: Sendable {
  /// What the message is for.
  package enum Method: Hashable, Sendable {
    case request, cancel, reply, counter, publish
    /// Another one in large letters; empty where there is none.
    case other([UInt8])

    init(_ word: [UInt8]) {
      let word = word.map(ASCII.uppercased)
      let known: [(StaticString, Method)] = [
        ("REQUEST", .request), ("CANCEL", .cancel), ("REPLY", .reply), ("COUNTER", .counter),
        ("PUBLISH", .publish),
      ]
      self = known.first { word.equalsCaseless($0.0) }?.1 ?? .other(word)
    }

    /// As calendars write it.
    package var octets: [UInt8] {
      switch self {
      case .request: [UInt8](ascii: "REQUEST")
      case .cancel: [UInt8](ascii: "CANCEL")
      case .reply: [UInt8](ascii: "REPLY")
      case .counter: [UInt8](ascii: "COUNTER")
      case .publish: [UInt8](ascii: "PUBLISH")
      case .other(let word): word
      }
    }
  }

  /// The VCALENDAR as it came.
  package let calendar: CalendarComponent
  package let method: Method
  /// Whether the header of the part names the same method, as it must (RFC 6047 §2.4): else it is only shown.
  package let isMethodCertain: Bool
  /// The event, or the series if there is one.
  package let event: CalendarEvent
  /// All events of the calendar.
  package let events: [CalendarEvent]
  package let zones: CalendarZones

  /// What the calendar of a part says; nil where it has no event.
  ///
  /// - Parameters:
  ///   - text: the calendar, in UTF-8.
  ///   - parameter: the method that the header of the part names; nil where it names none.
  ///   - zone: gives the file of the system for a zone; see `CalendarZones`.
  /// - Throws: that it is too long, or none.
  package init?(
    _ text: some Collection<UInt8>,
    method parameter: [UInt8]?,
    zone: ([UInt8]) -> [UInt8]?
  ) throws(CalendarProblem) {
    let calendars = try CalendarReader.read(text).filter { $0.isNamed("VCALENDAR") }
    guard let calendar = calendars.first else { throw .malformed }
    let events = calendar.components.compactMap { CalendarEvent($0) }
    guard let event = events.first(where: { $0.recurrenceID == nil }) ?? events.first else {
      return nil
    }
    self.calendar = calendar
    (self.event, self.events) = (event, events)
    let method = Method(calendar.first("METHOD")?.value ?? [])
    self.method = method
    isMethodCertain = parameter.map { Method($0) == method } ?? false
    zones = CalendarZones(of: calendar, events.flatMap(\.zones), file: zone)
  }

  /// The part of a message that has the calendar: one whose header names a method, else any; nil where there is none.
  ///
  /// Those of messages inside are not among them.
  package static func part(of root: Part) -> Part? {
    let parts = calendars(root)
    return parts.first { $0.contentType.parameters.octets("method") != nil } ?? parts.first
  }

  private static func calendars(_ part: Part) -> [Part] {
    switch part.kind {
    case .multipart: part.children.flatMap(calendars)
    case .message: []
    case .leaf:
      part.contentType.isType("text", "calendar") || part.contentType.isType("application", "ics")
        ? [part] : []
    }
  }

  /// What a message says of an event; nil where it has no calendar with one.
  ///
  /// - Throws: that the calendar is too long, or none.
  package init?(
    of root: Part,
    _ decoder: CharsetDecoder,
    zone: ([UInt8]) -> [UInt8]?
  ) throws(CalendarProblem) {
    guard let part = Self.part(of: root) else { return nil }
    let octets = part.decodedSlice
    guard octets.count <= CalendarReader.sizeLimit else { throw .tooLong }
    let text = decoder.decode(octets, part.contentType.charset ?? .utf8)
    try self.init(text, method: part.contentType.parameters.octets("method"), zone: zone)
  }
}

extension Invitation {
  /// Whether the organizer is the one who says it, and not a person who answers.
  package var isOfOrganizer: Bool {
    switch method {
    case .request, .cancel, .publish: true
    case .reply, .counter: false
    case .other(let word): word.equalsCaseless("ADD")
    }
  }
}
