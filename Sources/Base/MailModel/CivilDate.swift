/// A day of the Gregorian calendar, also before its time, without time and zone.
package struct CivilDate: Hashable, Sendable {
  /// As mail writes them.
  package static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// As mail writes them, Sunday first.
  package static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The year; 0 is the one before the year 1.
  package let year: Int

  /// 1…12, unless it was given otherwise.
  package let month: Int

  /// 1…31, unless it was given otherwise.
  package let day: Int

  /// A day by its numbers; ``days`` counts on where its month or year does not have the day or the month.
  package init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that many days after 1970-01-01.
  ///
  /// Years are counted from March, so that the leap day is their last, in eras of 400 years.
  package init(days: Int) {
    let shifted = days + 719_468
    let era = Self.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day of a moment, in seconds since 1970, and the seconds of that day before it.
  package static func split(_ seconds: Int) -> (date: CivilDate, clock: Int) {
    let days = floorDivide(seconds, 86_400)
    return (CivilDate(days: days), seconds - days * 86_400)
  }

  /// Days since 1970-01-01.
  package var days: Int {
    let months = year * 12 + month - 1
    let (year, month) = (Self.floorDivide(months, 12), Self.floorModulo(months, 12) + 1)
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Self.floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// 0 for Sunday … 6 for Saturday.
  package var weekday: Int { Self.floorModulo(days + 4, 7) }

  /// As in `2026-11-21`.
  package var text: String {
    [year, month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }

  /// The quotient, rounded down; `divisor` is above 0.
  package static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }

  /// What is left of the number then: from 0 up.
  package static func floorModulo(_ number: Int, _ divisor: Int) -> Int {
    number - floorDivide(number, divisor) * divisor
  }
}
