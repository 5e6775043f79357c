internal import MailModel
internal import Octets

/// How an event repeats: the value of an RRULE (RFC 5545 §3.3.10).
package struct RecurrenceRule: Hashable, Sendable {
  /// Each day, week, month or year; other frequencies are not read.
  package enum Frequency: String, CaseIterable, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"

    /// As in `every week`.
    fileprivate var unit: String {
      switch self {
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    }
  }

  /// A day of the week, 0 for Sunday; which one of the month, from its end where it is negative, or nil for each.
  package struct Day: Hashable, Sendable {
    package let day: Int
    package let number: Int?
  }

  package private(set) var frequency = Frequency.daily
  package private(set) var interval = 1
  package private(set) var count: Int?
  package private(set) var until: CalendarTime?
  package private(set) var days: [Day] = []
  package private(set) var monthDays: [Int] = []
  package private(set) var months: [Int] = []
  /// The names of its other parts, except for WKST where the interval is one.
  package private(set) var others: [[UInt8]] = []

  /// Nil where it is malformed, or more frequent than daily.
  package init?(_ value: [UInt8]) {
    var hasFrequency = false
    for part in value.split(separator: ASCII.semicolon) {
      let halves = part.split(separator: ASCII.equals, maxSplits: 1).map { [UInt8]($0) }
      guard halves.count == 2 else { return nil }
      let (name, words) = (halves[0].map(ASCII.uppercased), halves[1].map(ASCII.uppercased))
      guard add(words, to: String(decoding: name, as: UTF8.self)) else { return nil }
      if name == [UInt8](ascii: "FREQ") { hasFrequency = true }
    }
    guard hasFrequency else { return nil }
    if interval == 1 { others.removeAll { $0 == [UInt8](ascii: "WKST") } }
  }

  private mutating func add(_ value: [UInt8], to name: String) -> Bool {
    switch name {
    case "FREQ":
      guard let frequency = Frequency(rawValue: String(decoding: value, as: UTF8.self)) else {
        return false
      }
      self.frequency = frequency
    case "INTERVAL":
      guard let number = Self.numbers(value, 1...10_000)?.first else { return false }
      interval = number
    case "COUNT":
      guard let number = Self.numbers(value, 1...1_000_000)?.first else { return false }
      count = number
    case "UNTIL":
      guard let time = CalendarTime(value, zone: nil) else { return false }
      until = time
    case "BYDAY":
      let days = value.split(separator: ASCII.comma).map { Self.day([UInt8]($0)) }
      self.days = days.compactMap(\.self)
      return days.count == self.days.count
    case "BYMONTHDAY":
      guard let numbers = Self.numbers(value, -31...31) else { return false }
      monthDays = numbers
    case "BYMONTH":
      guard let numbers = Self.numbers(value, 1...12) else { return false }
      months = numbers
    default: others.append([UInt8](name.utf8))
    }
    return true
  }

  private static func numbers(_ value: [UInt8], _ range: ClosedRange<Int>) -> [Int]? {
    let numbers = value.split(separator: ASCII.comma).map { word -> Int? in
      var cursor = Cursor(word)
      let sign = cursor.skip(ASCII.minus) ? -1 : 1
      _ = cursor.skip(ASCII.plus)
      guard let number = cursor.decimal(), cursor.isAtEnd, number <= 1_000_000 else { return nil }
      return sign * Int(number)
    }
    let known = numbers.compactMap { $0 }
    let isRight = known.count == numbers.count && known.allSatisfy { $0 != 0 && range.contains($0) }
    return isRight ? known : nil
  }

  private static let dayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  private static func day(_ word: [UInt8]) -> Day? {
    let name = String(decoding: word.suffix(2), as: UTF8.self)
    guard let day = dayNames.firstIndex(of: name) else { return nil }
    let rest = [UInt8](word.dropLast(2))
    if rest.isEmpty { return Day(day: day, number: nil) }
    return numbers(rest, -53...53)?.first.map { Day(day: day, number: $0) }
  }

  // MARK: Words

  /// As people say it: `every 2 weeks on Tue and Thu until 2026-12-31`; nil for what has no words here.
  package var words: String? {
    guard others.isEmpty, months.isEmpty || frequency == .yearly else { return nil }
    var words = interval == 1 ? "every \(frequency.unit)" : "every \(interval) \(frequency.unit)s"
    if !months.isEmpty {
      words += " in " + Self.list(months.map { CivilDate.monthNames[$0 - 1] })
    }
    if !days.isEmpty {
      let isCounted = frequency == .monthly || frequency == .yearly && !months.isEmpty
      guard isCounted || days.allSatisfy({ $0.number == nil }), frequency != .yearly || isCounted,
        monthDays.isEmpty
      else { return nil }
      words += " on " + Self.list(days.map(Self.words))
    }
    if !monthDays.isEmpty {
      guard frequency == .monthly || frequency == .yearly && !months.isEmpty else { return nil }
      words += " on " + Self.list(monthDays.map(Self.monthDay))
    }
    if let count { words += count == 1 ? ", once" : ", \(count) times" }
    if let until { words += " until \(Self.words(until))" }
    return words
  }

  private static func words(_ day: Day) -> String {
    let name = CivilDate.dayNames[day.day]
    switch day.number {
    case nil: return name
    case -1: return "the last \(name)"
    case let number? where number < 0: return "the \(ordinal(-number)) last \(name)"
    case let number?: return "the \(ordinal(number)) \(name)"
    }
  }

  private static func monthDay(_ number: Int) -> String {
    switch number {
    case -1: "the last day"
    case ..<0: "the \(ordinal(-number)) last day"
    default: "day \(number)"
    }
  }

  private static func ordinal(_ number: Int) -> String {
    let isTeen = (11...13).contains(number % 100)
    switch number % 10 {
    case 1 where !isTeen: return "\(number)st"
    case 2 where !isTeen: return "\(number)nd"
    case 3 where !isTeen: return "\(number)rd"
    default: return "\(number)th"
    }
  }

  private static func words(_ until: CalendarTime) -> String {
    switch until {
    case .day(let day): day.text
    case .floating(let reading), .zoned(let reading, _): reading.day.text
    case .utc(let moment): "\(ClockReading(moment).day.text) (UTC)"
    }
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
