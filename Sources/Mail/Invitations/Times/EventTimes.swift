internal import MailModel
internal import Octets

/// The times of an event, for people: by its own clock, and by the clock here.
package struct EventTimes: Hashable, Sendable {
  /// As in `Tue 2026-11-24 10:00 to 11:00 (Europe/Berlin)`.
  package let when: [UInt8]
  /// The same by the clock here; nil where that shows the same, and where it is not known.
  package let here: String?
  /// When it is over, in seconds since 1970; nil where that is not known.
  package let end: Int?
  /// The beginning by the clock here, as in `2026-11-24T10:00:00+01:00`.
  package let localStart: String?

  /// The times of an event; nil where it has none.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - zones: the zones of its calendar.
  ///   - local: by how many seconds the clock here is ahead of UTC at a moment (seconds since 1970).
  package init?(_ event: CalendarEvent, _ zones: CalendarZones, local: (Int64) -> Int) {
    guard let start = event.start else { return nil }
    let first = Self.moment(start, zones, local)
    let last = event.end.flatMap { Self.moment($0, zones, local) }
    (here, localStart) = Self.here(start, first, last, local)
    if let end = event.end, end.zone != start.zone, end.zone != nil {
      when = Self.words(start, zones) + Array(" to ".utf8) + Self.words(end, zones)
    } else {
      when = Self.span(start, event.end) + Self.suffix(start, zones)
    }
    end = last ?? first.map { if case .day = start { $0 + 86_400 } else { $0 } }
  }

  private static func moment(
    _ time: CalendarTime,
    _ zones: CalendarZones,
    _ local: (Int64) -> Int
  ) -> Int? {
    func here(_ seconds: Int) -> Int {
      let near = seconds - local(Int64(seconds))
      return seconds - local(Int64(near))
    }
    switch time {
    case .utc(let moment): return moment
    case .zoned(let reading, let name): return zones[name]?.moment(of: reading)
    case .floating(let reading): return here(reading.seconds)
    case .day(let day): return here(day.days * 86_400)
    }
  }

  private static func here(
    _ start: CalendarTime,
    _ first: Int?,
    _ last: Int?,
    _ local: (Int64) -> Int
  ) -> (String?, String?) {
    guard let first else { return (nil, nil) }
    if case .day = start { return (nil, nil) }
    func reading(_ moment: Int) -> ClockReading { ClockReading(moment + local(Int64(moment))) }
    let standard = reading(first).standard + offset(local(Int64(first)))
    switch start {
    case .floating, .day: return (nil, standard)
    case .zoned(let shown, _) where shown == reading(first): return (nil, standard)
    case .utc, .zoned: return (span(reading(first), last.map(reading)), standard)
    }
  }

  /// As in `+01:00`.
  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (seconds < 0 ? "-" : "+") + parts.joined(separator: ":")
  }

  private static func span(_ start: ClockReading, _ end: ClockReading?) -> String {
    guard let end, end.seconds > start.seconds else { return start.text }
    return "\(start.text) to \(end.day == start.day ? end.clock : end.text)"
  }

  private static func words(_ time: CalendarTime, _ zones: CalendarZones) -> [UInt8] {
    span(time, nil) + suffix(time, zones)
  }

  /// The zone behind a time, and whether it is known.
  private static func suffix(_ time: CalendarTime, _ zones: CalendarZones) -> [UInt8] {
    guard let name = time.zone else { return [] }
    let mark = zones[name] == nil ? "zone unknown: " : ""
    return Array(" (\(mark)".utf8) + name + Array(")".utf8)
  }

  private static func span(_ start: CalendarTime, _ end: CalendarTime?) -> [UInt8] {
    switch (start, end) {
    case (.day(let first), .day(let after)?) where after.days > first.days + 1:
      return Array("\(first.withWeekday) to \(CivilDate(days: after.days - 1).withWeekday)".utf8)
    case (.day(let day), _): return Array(day.withWeekday.utf8)
    case (.utc(let first), .utc(let last)?):
      return Array("\(span(ClockReading(first), ClockReading(last))) (UTC)".utf8)
    case (.utc(let first), _): return Array("\(ClockReading(first).text) (UTC)".utf8)
    case (.floating(let first), .floating(let last)?), (.zoned(let first, _), .zoned(let last, _)?):
      return Array(span(first, last).utf8)
    case (.floating(let first), _), (.zoned(let first, _), _): return Array(first.text.utf8)
    }
  }
}

extension CalendarTime {
  /// As in `2026-11-24`, `2026-11-24T10:00:00` or `2026-11-24T10:00:00Z`.
  package var standard: String {
    switch self {
    case .day(let day): day.text
    case .floating(let reading), .zoned(let reading, _): reading.standard
    case .utc(let moment): ClockReading(moment).standard + "Z"
    }
  }
}

extension CalendarEvent {
  /// Whether it is over, with all times that it repeats as far as that is known.
  package func isOver(at now: Int, _ times: EventTimes?) -> Bool {
    if let value = component.first("RRULE")?.value {
      guard let rule = RecurrenceRule(value), let until = rule.until else { return false }
      switch until {
      case .utc(let moment): return moment + 86_400 < now
      case .floating(let reading), .zoned(let reading, _): return reading.seconds + 86_400 < now
      case .day(let day): return (day.days + 2) * 86_400 < now
      }
    }
    if !component.all("RDATE").isEmpty { return false }
    return times?.end.map { $0 < now } ?? false
  }
}
