internal import MailModel
internal import Octets

/// What holds in a zone after the last change that its file lists: a text as TZ has it (POSIX, RFC 9636 §3.3.1).
struct ZoneRule: Hashable, Sendable {
  /// A day of each year, and a time on it by the clock before.
  private struct Change: Hashable {
    enum Day: Hashable {
      /// The n-th such weekday of a month; the last one for 5.
      case weekday(Int, week: Int, month: Int)
      /// 1…365: leap days are not counted.
      case withoutLeapDay(Int)
      /// 0…365.
      case ofYear(Int)
    }

    let day: Day
    let time: Int

    /// Seconds since 1970 by the clock before.
    func reading(in year: Int) -> Int {
      let start = CivilDate(year: year, month: 1, day: 1)
      let days =
        switch day {
        case .weekday(let weekday, let week, let month):
          MonthDays.day(weekday, week == 5 ? -1 : week, of: month, in: year)?.days ?? start.days
        case .withoutLeapDay(let number):
          start.days + number - 1 + (number > 59 && MonthDays.count(2, in: year) == 29 ? 1 : 0)
        case .ofYear(let number): start.days + number
        }
      return days * 86_400 + time
    }
  }

  private let standard: Int
  private let summer: (offset: Int, start: Change, end: Change)?

  /// Nil for a text that says nothing.
  init?(_ text: [UInt8]) {
    var cursor = Cursor(text)
    guard Self.skipName(&cursor), let offset = Self.time(&cursor) else { return nil }
    standard = -offset
    guard !cursor.isAtEnd else {
      summer = nil
      return
    }
    guard Self.skipName(&cursor) else { return nil }
    let other = cursor.peek == ASCII.comma ? offset - 3600 : Self.time(&cursor)
    guard let other, cursor.skip(ASCII.comma), let start = Self.change(&cursor),
      cursor.skip(ASCII.comma), let end = Self.change(&cursor)
    else { return nil }
    summer = (-other, start, end)
  }

  func offset(at moment: Int) -> Int {
    guard let summer else { return standard }
    let year = CivilDate.split(moment + standard).date.year
    let start = summer.start.reading(in: year) - standard
    let end = summer.end.reading(in: year) - summer.offset
    let isSummer =
      start < end ? start <= moment && moment < end : !(end <= moment && moment < start)
    return isSummer ? summer.offset : standard
  }

  static func == (left: ZoneRule, right: ZoneRule) -> Bool {
    left.standard == right.standard && left.summer?.offset == right.summer?.offset
      && left.summer?.start == right.summer?.start && left.summer?.end == right.summer?.end
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(standard)
  }

  private static func skipName(_ cursor: inout Cursor) -> Bool {
    if cursor.skip(ASCII.lessThan) {
      return cursor.take(upTo: ASCII.greaterThan) != nil && cursor.skip(ASCII.greaterThan)
    }
    return !cursor.take(while: ASCII.isLetter).isEmpty
  }

  private static func time(_ cursor: inout Cursor) -> Int? {
    let sign = cursor.skip(ASCII.minus) ? -1 : 1
    _ = cursor.skip(ASCII.plus)
    guard let hours = number(&cursor) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where cursor.skip(ASCII.colon) {
      guard let number = number(&cursor) else { return nil }
      seconds += number * unit
    }
    return sign * seconds
  }

  private static func number(_ cursor: inout Cursor) -> Int? {
    cursor.decimal().flatMap { $0 <= 1000 ? Int($0) : nil }
  }

  private static func change(_ cursor: inout Cursor) -> Change? {
    let day: Change.Day
    if cursor.skip(UInt8(ascii: "M")) {
      guard let month = number(&cursor), cursor.skip(ASCII.dot), let week = number(&cursor),
        cursor.skip(ASCII.dot), let weekday = number(&cursor), (1...12).contains(month),
        (1...5).contains(week), weekday < 7
      else { return nil }
      day = .weekday(weekday, week: week, month: month)
    } else if cursor.skip(UInt8(ascii: "J")) {
      guard let number = number(&cursor), (1...365).contains(number) else { return nil }
      day = .withoutLeapDay(number)
    } else {
      guard let number = number(&cursor), number < 366 else { return nil }
      day = .ofYear(number)
    }
    guard cursor.skip(ASCII.slash) else { return Change(day: day, time: 7200) }
    return time(&cursor).map { Change(day: day, time: $0) }
  }
}

/// Days of months.
enum MonthDays {
  /// How many days a month has.
  static func count(_ month: Int, in year: Int) -> Int {
    CivilDate(year: year, month: month + 1, day: 1).days
      - CivilDate(year: year, month: month, day: 1).days
  }

  /// The n-th such weekday of a month, 0 for Sunday; from its end where the number is negative.
  static func day(_ weekday: Int, _ number: Int, of month: Int, in year: Int) -> CivilDate? {
    let length = count(month, in: year)
    let first = CivilDate(year: year, month: month, day: 1)
    let start = 1 + CivilDate.floorModulo(weekday - first.weekday, 7)
    let last = start + (length - start) / 7 * 7
    let day = number > 0 ? start + (number - 1) * 7 : last + (number + 1) * 7
    return number != 0 && (1...length).contains(day)
      ? CivilDate(year: year, month: month, day: day) : nil
  }
}
