internal import MailModel
internal import Octets

/// A zone as a calendar describes it: a VTIMEZONE (RFC 5545 §3.6.5) with dates, and rules that are yearly.
package struct ZoneDescription: Hashable, Sendable {
  /// The clocks are set at some moments.
  private struct Observance: Hashable {
    let from: Int
    let to: Int
    /// By the clock before.
    let start: ClockReading
    let dates: [ClockReading]
    let rule: YearlyRule?
  }

  private let observances: [Observance]

  private static let limit = 200

  /// Nil where something in it is not understood: then the zone is not known.
  package init?(_ component: CalendarComponent) {
    let parts = component.components.filter { $0.isNamed("STANDARD") || $0.isNamed("DAYLIGHT") }
    guard (1...Self.limit).contains(parts.count) else { return nil }
    var observances: [Observance] = []
    for part in parts {
      guard let observance = Self.observance(part) else { return nil }
      observances.append(observance)
    }
    self.observances = observances
  }

  private static func observance(_ part: CalendarComponent) -> Observance? {
    guard let from = part.first("TZOFFSETFROM").flatMap({ offset($0.value) }),
      let to = part.first("TZOFFSETTO").flatMap({ offset($0.value) }),
      let start = part.first("DTSTART").flatMap({ reading($0.value, from) })
    else { return nil }
    var dates: [ClockReading] = []
    for value in part.all("RDATE").flatMap({ $0.value.split(separator: ASCII.comma) }) {
      guard let date = reading([UInt8](value), from) else { return nil }
      dates.append(date)
    }
    let rules = part.all("RRULE")
    guard rules.count < 2 else { return nil }
    var rule: YearlyRule?
    if let line = rules.first {
      rule = YearlyRule(line.value, from: start, offset: from)
      guard rule != nil else { return nil }
    }
    return Observance(from: from, to: to, start: start, dates: dates, rule: rule)
  }

  private static func reading(_ value: [UInt8], _ offset: Int) -> ClockReading? {
    switch CalendarTime(value, zone: nil) {
    case .floating(let reading): reading
    case .utc(let moment): ClockReading(moment + offset)
    case .day(let day): ClockReading(day.days * 86_400)
    case .zoned, nil: nil
    }
  }

  /// The seconds of `+0100` or `-053000`.
  private static func offset(_ value: [UInt8]) -> Int? {
    var cursor = Cursor(value)
    let isBehind = cursor.skip(ASCII.minus)
    guard isBehind || cursor.skip(ASCII.plus) || cursor.peek.map(ASCII.isDigit) == true else {
      return nil
    }
    let digits = cursor.takeAll().map { Int($0) - Int(ASCII.zero) }
    guard digits.count == 4 || digits.count == 6, digits.allSatisfy({ (0...9).contains($0) }) else {
      return nil
    }
    let pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    let seconds = pairs[0] * 3600 + pairs[1] * 60 + (pairs.count > 2 ? pairs[2] : 0)
    return pairs[0] < 24 && pairs[1] < 60 ? (isBehind ? -seconds : seconds) : nil
  }

  /// Seconds by which its clocks are ahead of UTC at a moment.
  func offset(at moment: Int) -> Int {
    var last: (onset: Int, offset: Int)?
    var first: (onset: Int, offset: Int)?
    for observance in observances {
      for reading in onsets(of: observance, around: moment) {
        let onset = reading.seconds - observance.from
        if onset <= moment, last.map({ $0.onset < onset }) ?? true { last = (onset, observance.to) }
        if first.map({ $0.onset > onset }) ?? true { first = (onset, observance.from) }
      }
    }
    // Before the first change the clocks are what it sets them from.
    return last?.offset ?? first?.offset ?? 0
  }

  private func onsets(of observance: Observance, around moment: Int) -> [ClockReading] {
    var onsets = [observance.start] + observance.dates
    if let rule = observance.rule {
      let year = CivilDate.split(moment + observance.from).date.year
      onsets += rule.readings(near: year).filter {
        $0.seconds > observance.start.seconds
      }
    }
    return onsets
  }
}

/// A rule by which clocks are set once a year.
private struct YearlyRule: Hashable {
  private let month: Int
  private let weekday: (day: Int, number: Int)?
  private let monthDays: [Int]
  private let clock: Int
  private let until: Int?
  private let interval: Int
  private let firstYear: Int
  /// How many years it holds.
  private let count: Int?

  init?(_ value: [UInt8], from start: ClockReading, offset: Int) {
    guard let rule = RecurrenceRule(value), rule.frequency == .yearly, rule.others.isEmpty,
      rule.months.count < 2, rule.days.count < 2
    else { return nil }
    let date = start.day
    month = rule.months.first ?? date.month
    let day = rule.days.first
    if let day, day.number == nil, rule.monthDays.isEmpty { return nil }
    weekday = day.map { ($0.day, $0.number ?? 0) }
    monthDays = rule.monthDays.isEmpty && day == nil ? [date.day] : rule.monthDays
    clock = CivilDate.split(start.seconds).clock
    until =
      switch rule.until {
      case .utc(let moment): moment + offset
      case .floating(let reading), .zoned(let reading, _): reading.seconds
      case .day(let day): day.days * 86_400 + 86_399
      case nil: nil
      }
    (interval, firstYear, count) = (rule.interval, date.year, rule.count)
  }

  /// Those of a year and the next one, and the last two before, by the clock before.
  func readings(near year: Int) -> [ClockReading] {
    let ends = [
      year + 1, until.map { CivilDate.split($0).date.year },
      count.map { firstYear + interval * ($0 - 1) },
    ]
    let last = ends.compactMap(\.self).min() ?? year
    guard last >= firstYear else { return [] }
    let newest = last - (last - firstYear) % interval
    return (0..<4).compactMap { number in
      let year = newest - number * interval
      guard year >= firstYear, let day = day(in: year) else { return nil }
      let seconds = day.days * 86_400 + clock
      return until.map { seconds <= $0 } ?? true ? ClockReading(seconds) : nil
    }
  }

  private func day(in year: Int) -> CivilDate? {
    guard let weekday else {
      return monthDays.first.map { CivilDate(year: year, month: month, day: $0) }
    }
    guard !monthDays.isEmpty else {
      return MonthDays.day(weekday.day, weekday.number, of: month, in: year)
    }
    return monthDays.lazy.map { CivilDate(year: year, month: month, day: $0) }
      .first { $0.weekday == weekday.day }
  }

  static func == (left: YearlyRule, right: YearlyRule) -> Bool {
    left.month == right.month && left.weekday?.day == right.weekday?.day
      && left.weekday?.number == right.weekday?.number && left.monthDays == right.monthDays
      && left.clock == right.clock && left.until == right.until && left.interval == right.interval
      && left.firstYear == right.firstYear && left.count == right.count
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(month)
    hasher.combine(clock)
  }
}
