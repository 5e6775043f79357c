internal import Octets

/// Moments as people and programs both can read them: `2026-11-21T02:31:25Z`, always UTC.
package enum Timestamp {
  /// The text of a moment given in seconds since 1970; years 0…9999, others as the nearest of them.
  package static func octets(_ seconds: Int64) -> [UInt8] {
    let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let clock = seconds - days * 86_400
    let (year, month, day) = civil(days)
    var text = padded(year, 4) + [ASCII.minus] + padded(month, 2) + [ASCII.minus]
    text += padded(day, 2) + [UInt8(ascii: "T")] + padded(clock / 3600, 2) + [ASCII.colon]
    text += padded(clock / 60 % 60, 2) + [ASCII.colon] + padded(clock % 60, 2)
    return text + [UInt8(ascii: "Z")]
  }

  /// The seconds since 1970 of a text in exactly that form; `nil` for any other.
  package static func seconds(_ text: some Collection<UInt8>) -> Int64? {
    let text = [UInt8](text)
    guard text.count == 20 else { return nil }
    let separators = [UInt8](ascii: "    -  -  T  :  :  Z")
    guard zip(text, separators).allSatisfy({ $1 == ASCII.space ? ASCII.isDigit($0) : $0 == $1 })
    else { return nil }
    func number(_ range: Range<Int>) -> Int64 {
      text[range].reduce(0) { $0 * 10 + Int64($1 - ASCII.zero) }
    }
    let (month, day) = (number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    return days(number(0..<4), month, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func padded(_ number: Int64, _ width: Int) -> [UInt8] {
    let digits = [UInt8](decimal: number)
    return [UInt8](repeating: ASCII.zero, count: max(0, width - digits.count)) + digits
  }

  /// Years are counted from March, so that the leap day is their last, in eras of 400 years.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isLate = month >= 10
    return (
      yearOfEra + era * 400 + (isLate ? 1 : 0), isLate ? month - 9 : month + 3,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
