internal import Platform

/// A moment on the local calendar.
struct LocalDate {
  /// Days since 1970-01-01.
  let day: Int
  let year: Int
  let month: Int
  let dayOfMonth: Int
  private let seconds: Int

  init(_ moment: Int64) {
    let local = Int(moment) + LocalTime.offset(at: moment)
    day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    seconds = local - day * 86_400
    // Years of 400 begin in March, so that leap days come last.
    let shifted = day + 719_468
    let era = shifted >= 0 ? shifted / 146_097 : (shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    month = march < 10 ? march + 3 : march - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    dayOfMonth = dayOfYear - (153 * march + 2) / 5 + 1
  }

  /// 0 for Sunday.
  var weekday: Int { ((day + 4) % 7 + 7) % 7 }

  /// `17:05`.
  var clock: String { "\(Self.two(seconds / 3600)):\(Self.two(seconds / 60 % 60))" }

  /// `2026-11-21`.
  var date: String { "\(year)-\(Self.two(month))-\(Self.two(dayOfMonth))" }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
