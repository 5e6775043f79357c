/// The words for dates; names may be abbreviated, but not below three letters.
enum DateWords {
  /// What a word means.
  enum Meaning: Hashable {
    case unit(Unit)
    case month(Int)
    case weekday(Int)
    case number(Int)
    case day(back: Int)
    case clock(hour: Int)
    case now
    /// "last" and "this": how many units to go back.
    case relative(Int)
    case afternoon(Bool)
    case zone(Int)
    case filler
  }

  /// What can be counted back.
  enum Unit: Hashable {
    case second, minute, hour, day, week, month, year
  }

  /// What a word means; nil for a word that says nothing about dates.
  static func meaning(_ word: String) -> Meaning? {
    // Only here case matters: 5M are months, 5m minutes.
    if word == "M" { return .unit(.month) }
    let word = word.lowercased()
    if let exact = exact[word] { return exact }
    if let unit = unit(word) { return .unit(unit) }
    guard word.utf8.count >= 3 else { return nil }
    if let month = months.firstIndex(where: { $0.hasPrefix(word) }) { return .month(month + 1) }
    return weekdays.firstIndex { $0.hasPrefix(word) }.map { .weekday($0) }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]

  private static let exact: [String: Meaning] = [
    "now": .now, "today": .day(back: 0), "yesterday": .day(back: 1), "tomorrow": .day(back: -1),
    "noon": .clock(hour: 12), "midnight": .clock(hour: 0),
    "last": .relative(1), "this": .relative(0),
    "am": .afternoon(false), "a.m.": .afternoon(false), "pm": .afternoon(true),
    "p.m.": .afternoon(true),
    "a": .number(1), "an": .number(1), "one": .number(1), "two": .number(2), "three": .number(3),
    "four": .number(4), "five": .number(5), "six": .number(6), "seven": .number(7),
    "eight": .number(8), "nine": .number(9), "ten": .number(10), "dozen": .number(12),
    "hundred": .number(100),
    "ago": .filler, "and": .filler, "at": .filler, "of": .filler, "on": .filler, "the": .filler,
    "st": .filler, "nd": .filler, "rd": .filler, "th": .filler,
    "utc": .zone(0), "gmt": .zone(0), "z": .zone(0), "cet": .zone(3600), "cest": .zone(7200),
    "est": .zone(-18_000), "edt": .zone(-14_400), "cst": .zone(-21_600), "cdt": .zone(-18_000),
    "mst": .zone(-25_200), "mdt": .zone(-21_600), "pst": .zone(-28_800), "pdt": .zone(-25_200),
    "wet": .zone(0), "west": .zone(3600), "bst": .zone(3600), "eet": .zone(7200),
    "eest": .zone(10_800), "msk": .zone(10_800), "jst": .zone(32_400), "kst": .zone(32_400),
    "hst": .zone(-36_000), "akst": .zone(-32_400), "akdt": .zone(-28_800),
    "awst": .zone(28_800), "aest": .zone(36_000), "aedt": .zone(39_600), "nzst": .zone(43_200),
    "nzdt": .zone(46_800),
    // Shorter than the names they would be cut from, or cut of two names at once.
    "mo": .unit(.month), "mon": .weekday(1), "sec": .unit(.second), "hrs": .unit(.hour),
    "hr": .unit(.hour), "wk": .unit(.week), "wks": .unit(.week), "yr": .unit(.year),
    "yrs": .unit(.year), "mth": .unit(.month), "mths": .unit(.month),
    "secs": .unit(.second), "mins": .unit(.minute), "tues": .weekday(2), "thurs": .weekday(4),
    "sept": .month(9),
  ]

  private static func unit(_ word: String) -> Unit? {
    let units: [(String, Unit)] = [
      ("seconds", .second), ("minutes", .minute), ("hours", .hour), ("days", .day),
      ("weeks", .week), ("months", .month), ("years", .year),
    ]
    return units.first { $0.0.hasPrefix(word) }?.1
  }
}
