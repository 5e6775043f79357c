internal import MailModel
internal import Octets

/// The dates of IMAP (RFC 9051 §9 `date-time` and `date`), without any library of calendars.
enum InternalDate {
  private static let months = [UInt8](ascii: "janfebmaraprmayjunjulaugsepoctnovdec")

  /// Seconds since 1970 for `17-Jul-1996 02:44:25 -0700`, quotes taken off.
  ///
  /// Accepts what servers send beside the standard: one-digit days without the space, any case
  /// of the month, a missing zone (then UTC). `nil` when it is no date at all.
  static func seconds(_ text: some Collection<UInt8>) -> Int64? {
    var cursor = Cursor([UInt8](text))
    while cursor.skip(ASCII.space) {}
    guard let day = number(&cursor, 1...31), cursor.skip(ASCII.minus),
      let month = month(&cursor), cursor.skip(ASCII.minus),
      let year = number(&cursor, 1...9999), cursor.skip(ASCII.space),
      let hour = number(&cursor, 0...23), cursor.skip(ASCII.colon),
      let minute = number(&cursor, 0...59), cursor.skip(ASCII.colon),
      let second = number(&cursor, 0...60), let zone = zone(&cursor)
    else { return nil }
    let days = CivilDate(year: Int(year), month: Int(month), day: Int(day)).days
    return Int64(days) * 86400 + hour * 3600 + minute * 60 + second - zone
  }

  /// The UTC day of a moment as SEARCH wants it: `1-Feb-1994`.
  static func searchDate(_ seconds: Int64) -> [UInt8] {
    let (date, _) = CivilDate.split(Int(seconds))
    return [UInt8](decimal: date.day) + [ASCII.minus] + name(date.month) + [ASCII.minus]
      + [UInt8](decimal: date.year)
  }

  /// The moments whose years have four digits, and of these only what `seconds(_:)` reads.
  private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// A moment in UTC as APPEND wants it: ` 1-Feb-1994 07:05:09 +0000`, without quotes.
  ///
  /// Moments out of the years 1 to 9999 become the first or the last of these.
  static func dateTime(_ seconds: Int64) -> [UInt8] {
    let seconds = min(max(seconds, range.lowerBound), range.upperBound)
    let (civil, time) = CivilDate.split(Int(seconds))
    let date = digits(civil.day, 2, ASCII.space) + [ASCII.minus] + name(civil.month)
    let clock = [time / 3600, time / 60 % 60, time % 60].map { digits($0, 2) }
    return date + [ASCII.minus] + digits(civil.year, 4) + [ASCII.space]
      + [UInt8](clock.joined(separator: [ASCII.colon])) + [UInt8](ascii: " +0000")
  }

  /// A number filled up to `width` places.
  private static func digits(_ number: Int, _ width: Int, _ fill: UInt8 = ASCII.zero) -> [UInt8] {
    let digits = [UInt8](decimal: number)
    return [UInt8](repeating: fill, count: max(0, width - digits.count)) + digits
  }

  private static func name(_ month: Int) -> [UInt8] {
    var name = [UInt8](months[(month - 1) * 3..<month * 3])
    name[0] = ASCII.uppercased(name[0])
    return name
  }

  private static func number(_ cursor: inout Cursor, _ range: ClosedRange<Int64>) -> Int64? {
    cursor.decimal().flatMap(Int64.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func month(_ cursor: inout Cursor) -> Int64? {
    guard let name = cursor.take(count: 3) else { return nil }
    let index = (0..<12).first { months[$0 * 3..<$0 * 3 + 3].equalsCaseless(name) }
    return index.map { Int64($0 + 1) }
  }

  /// Seconds east of Greenwich; 0 when there is no zone.
  private static func zone(_ cursor: inout Cursor) -> Int64? {
    guard cursor.skip(ASCII.space), !cursor.isAtEnd else { return 0 }
    let isWest = cursor.skip(ASCII.minus)
    guard isWest || cursor.skip(ASCII.plus), let zone = number(&cursor, 0...2359) else {
      return nil
    }
    let seconds = (zone / 100 * 60 + zone % 100) * 60
    return isWest ? -seconds : seconds
  }
}
