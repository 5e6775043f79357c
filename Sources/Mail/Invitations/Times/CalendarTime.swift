package import MailModel
internal import Octets

/// A moment as calendars write it (RFC 5545 §3.3.4, §3.3.5).
package enum CalendarTime: Hashable, Sendable {
  /// A day, whatever the zone.
  case day(CivilDate)
  /// A time by the clock of whom it concerns, wherever that is.
  case floating(ClockReading)
  /// In seconds since 1970.
  case utc(Int)
  /// A time by the clock of a zone that the calendar names.
  case zoned(ClockReading, zone: [UInt8])

  /// The time of a line; nil where it has none.
  package init?(_ line: CalendarLine) {
    self.init(line.value, zone: line.parameter("TZID"))
  }

  /// The time of a value.
  package init?(_ value: [UInt8], zone: [UInt8]?) {
    var cursor = Cursor(value.filter { !ASCII.isBlank($0) })
    guard let day = Self.day(&cursor) else { return nil }
    if cursor.isAtEnd {
      self = .day(day)
      return
    }
    guard cursor.skip(UInt8(ascii: "T")), let hour = Self.number(&cursor, 2),
      let minute = Self.number(&cursor, 2), let second = Self.number(&cursor, 2),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let isUTC = cursor.skip(UInt8(ascii: "Z"))
    guard cursor.isAtEnd else { return nil }
    let reading = ClockReading(day.days * 86_400 + hour * 3600 + minute * 60 + min(second, 59))
    if isUTC || zone.map(Self.isUTC) ?? false {
      self = .utc(reading.seconds)
    } else {
      self = zone.map { .zoned(reading, zone: $0) } ?? .floating(reading)
    }
  }

  private static func isUTC(_ zone: [UInt8]) -> Bool {
    let names: [StaticString] = ["UTC", "GMT", "Etc/UTC"]
    return names.contains { zone.equalsCaseless($0) }
  }

  private static func day(_ cursor: inout Cursor) -> CivilDate? {
    guard let year = number(&cursor, 4), let month = number(&cursor, 2),
      let day = number(&cursor, 2), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return CivilDate(days: date.days) == date ? date : nil
  }

  private static func number(_ cursor: inout Cursor, _ count: Int) -> Int? {
    guard let digits = cursor.take(count: count), digits.allSatisfy(ASCII.isDigit) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }

  /// The time as it would be so many seconds later by its clock.
  func later(_ seconds: Int) -> CalendarTime {
    switch self {
    case .day(let day): .day(CivilDate(days: day.days + seconds / 86_400))
    case .floating(let reading): .floating(ClockReading(reading.seconds + seconds))
    case .utc(let moment): .utc(moment + seconds)
    case .zoned(let reading, let zone): .zoned(ClockReading(reading.seconds + seconds), zone: zone)
    }
  }

  /// The name of its zone; nil where it needs none.
  package var zone: [UInt8]? {
    if case .zoned(_, let zone) = self { zone } else { nil }
  }
}

/// What a clock shows, as the seconds since it showed the beginning of 1970.
package struct ClockReading: Hashable, Sendable {
  package let seconds: Int

  package init(_ seconds: Int) {
    self.seconds = seconds
  }

  /// The day that it shows.
  package var day: CivilDate { CivilDate.split(seconds).date }

  /// As in `10:00`, or `10:00:30`.
  package var clock: String {
    let clock = CivilDate.split(seconds).clock
    let parts = [clock / 3600, clock / 60 % 60] + (clock % 60 == 0 ? [] : [clock % 60])
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// As in `Tue 2026-11-24 10:00`.
  package var text: String { "\(day.withWeekday) \(clock)" }

  /// As in `2026-11-24T10:00:00`.
  package var standard: String {
    let clock = CivilDate.split(seconds).clock
    let parts = [clock / 3600, clock / 60 % 60, clock % 60]
    return day.text + "T" + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension CivilDate {
  /// As in `Tue 2026-11-24`.
  package var withWeekday: String { "\(Self.dayNames[weekday]) \(text)" }
}

/// Lengths of time (RFC 5545 §3.3.6).
package enum CalendarDuration {
  /// Longer ones are not read, in seconds: far above the life of a calendar, and far below where numbers end.
  private static let limit = 100_000_000_000

  /// The seconds of a value such as `PT1H30M`, `P1D` or `-P2W`; nil where it is none.
  package static func seconds(_ value: [UInt8]) -> Int? {
    var cursor = Cursor(value)
    let sign = cursor.skip(ASCII.minus) ? -1 : 1
    _ = cursor.skip(ASCII.plus)
    guard cursor.skip(UInt8(ascii: "P")) else { return nil }
    var (sum, isTime) = (0, false)
    while !cursor.isAtEnd {
      if !isTime, cursor.skip(UInt8(ascii: "T")) {
        isTime = true
        continue
      }
      guard let number = cursor.decimal(), number < 1_000_000_000, let unit = cursor.next(),
        let size = size(of: unit, isTime: isTime)
      else { return nil }
      sum += Int(number) * size
      // Each time: a stranger may have written any number of them.
      guard sum <= limit else { return nil }
    }
    return sign * sum
  }

  private static func size(of unit: UInt8, isTime: Bool) -> Int? {
    switch (unit, isTime) {
    case (UInt8(ascii: "W"), false): 604_800
    case (UInt8(ascii: "D"), false): 86_400
    case (UInt8(ascii: "H"), true): 3600
    case (UInt8(ascii: "M"), true): 60
    case (UInt8(ascii: "S"), true): 1
    default: nil
    }
  }
}
