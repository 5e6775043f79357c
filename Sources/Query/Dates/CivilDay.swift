/// A day of the Gregorian calendar, counted (proleptic, without time and zone).
enum CivilDay {
  /// Days since 1970-01-01; months below 1 and above 12, and any day, count on.
  static func number(year: Int, month: Int, day: Int) -> Int {
    let months = year * 12 + month - 1
    let (year, month) = (floorDivide(months, 12), floorModulo(months, 12) + 1)
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 + day - 1
  }

  /// Year, month (1 to 12) and day (1 to 31) of a number of days.
  static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The day of the week of a number of days: 0 for Sunday.
  static func weekday(_ number: Int) -> Int { floorModulo(number + 4, 7) }

  static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }

  static func floorModulo(_ number: Int, _ divisor: Int) -> Int {
    number - floorDivide(number, divisor) * divisor
  }
}
