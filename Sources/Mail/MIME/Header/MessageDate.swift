internal import MailModel
internal import Octets

/// A moment, and the zone it was written in (RFC 5322 §3.3).
package struct MessageDate: Sendable, Hashable {
  /// Seconds since 1970-01-01 00:00 UTC.
  package let seconds: Int64

  /// Minutes that the writer's clock was ahead of UTC, negative to the west.
  package let offset: Int

  /// Whether the zone is known; `false` for `-0000` and names of zones that are not known.
  package let isZoneKnown: Bool

  /// A moment in a zone that is known.
  package init(seconds: Int64, offset: Int) {
    self.init(seconds: seconds, offset: offset, isZoneKnown: true)
  }

  init(seconds: Int64, offset: Int, isZoneKnown: Bool) {
    self.seconds = seconds
    self.offset = offset
    self.isZoneKnown = isZoneKnown
  }

  /// The date in the value of a Date field; `nil` when day, month or year cannot be made out or a
  /// number is out of range.
  ///
  /// Accepts the obsolete forms (zones by name, years of two and three digits, comments), and those that other programs write.
  /// Weekday, seconds, time or zone may be missing. `Nov 21, 2026`, `21-Nov-2026`, asctime, ISO 8601, `AM` and `PM` are
  /// understood. A missing zone is UTC, a missing time is midnight.
  package init?(_ body: [UInt8]) {
    var parser = DateParser()
    guard let date = parser.parse(body) else { return nil }
    self = date
  }

  /// The date as the standard writes it: `Sat, 21 Nov 2026 05:00:31 +0100`.
  package var octets: [UInt8] {
    let (date, clock) = CivilDate.split(Int(seconds) + offset * 60)
    var result = [UInt8](CivilDate.dayNames[date.weekday].utf8)
    result.append(ascii: ", ")
    result.append(decimal: date.day)
    result.append(ASCII.space)
    result += CivilDate.monthNames[date.month - 1].utf8
    result.append(ASCII.space)
    result += MessageDate.padded(date.year, 4) + [ASCII.space]
    result += MessageDate.padded(clock / 3600, 2) + [ASCII.colon]
    result += MessageDate.padded(clock / 60 % 60, 2) + [ASCII.colon]
    return result + MessageDate.padded(clock % 60, 2) + [ASCII.space] + zone
  }

  private var zone: [UInt8] {
    guard isZoneKnown else { return [UInt8](ascii: "-0000") }
    let minutes = abs(offset)
    return [offset < 0 ? ASCII.minus : ASCII.plus]
      + MessageDate.padded(minutes / 60 * 100 + minutes % 60, 4)
  }

  private static func padded(_ number: Int, _ width: Int) -> [UInt8] {
    let digits = [UInt8](decimal: number)
    return [UInt8](repeating: ASCII.zero, count: max(0, width - digits.count)) + digits
  }
}
