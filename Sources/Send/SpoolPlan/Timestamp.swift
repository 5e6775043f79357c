internal import MailModel
internal import Octets

/// Moments as people and programs both can read them: `2026-11-21T02:31:25Z`, always UTC.
package enum Timestamp {
  /// The text of a moment given in seconds since 1970; years 0…9999, others as the nearest of them.
  package static func octets(_ seconds: Int64) -> [UInt8] {
    let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let (date, clock) = CivilDate.split(Int(seconds))
    var text = padded(date.year, 4) + [ASCII.minus] + padded(date.month, 2) + [ASCII.minus]
    text += padded(date.day, 2) + [UInt8(ascii: "T")] + padded(clock / 3600, 2) + [ASCII.colon]
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
    func number(_ range: Range<Int>) -> Int {
      text[range].reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }
    let (month, day) = (number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CivilDate(year: number(0..<4), month: month, day: day).days
    return Int64(days * 86_400 + hour * 3600 + minute * 60 + second)
  }

  private static func padded(_ number: Int, _ width: Int) -> [UInt8] {
    let digits = [UInt8](decimal: number)
    return [UInt8](repeating: ASCII.zero, count: max(0, width - digits.count)) + digits
  }
}
