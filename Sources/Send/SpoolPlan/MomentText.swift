internal import MailModel
internal import Octets

/// Moments to come, as people write them.
package enum MomentText {
  /// The moment that a text means, in seconds since 1970; `nil` where it means none.
  ///
  /// `+20s`, `+5m`, `+2h`, `+1d`; `18:30`, the next time that a clock shows it; `2026-11-24`, at its first moment;
  /// `2026-11-24 18:30`, with seconds if wanted, a `T` in place of the blank, and a `Z` at the end for UTC.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - now: the present moment.
  ///   - offset: how many seconds clocks here are ahead of UTC at a moment.
  /// - Returns: the moment.
  package static func seconds(
    _ text: [UInt8],
    now: Int64,
    offset: (Int64) -> Int
  ) -> Int64? {
    if text.first == ASCII.plus { return delay(text.dropFirst()).map { now + $0 } }
    if text.last == UInt8(ascii: "Z") {
      return moment(text.dropLast(), { _ in 0 })
    }
    if let clock = clock(text[...]) { return next(clock, after: now, offset) }
    return moment(text[...], offset)
  }

  private static let units: [UInt8: Int64] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
  ]

  private static func delay(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let unit = text.last.flatMap({ units[$0] }), let number = number(text.dropLast()),
      number <= 100_000
    else { return nil }
    return Int64(number) * unit
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(text.count), text.allSatisfy(ASCII.isDigit) else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }

  /// The seconds of a day that `HH:MM` or `HH:MM:SS` shows.
  private static func clock(_ text: ArraySlice<UInt8>) -> Int? {
    let parts = text.split(separator: ASCII.colon, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count <= 2 ? number($0) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
  }

  private static func next(_ clock: Int, after now: Int64, _ offset: (Int64) -> Int) -> Int64 {
    let local = Int(now) + offset(now)
    let day = local - (local % 86_400 + 86_400) % 86_400
    let today = day + clock
    return utc(today > local ? today : today + 86_400, offset)
  }

  private static func moment(_ text: ArraySlice<UInt8>, _ offset: (Int64) -> Int) -> Int64? {
    let halves = text.split(
      maxSplits: 1,
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == ASCII.space || $0 == UInt8(ascii: "T") }
    )
    guard let first = halves.first, let days = days(first) else { return nil }
    guard halves.count == 2 else { return utc(days * 86_400, offset) }
    return clock(halves[1]).map { utc(days * 86_400 + $0, offset) }
  }

  private static func days(_ text: ArraySlice<UInt8>) -> Int? {
    let numbers = text.split(separator: ASCII.minus, omittingEmptySubsequences: false)
      .compactMap { number($0) }
    guard numbers.count == 3, (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2])
    else { return nil }
    let days = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).days
    // The day has to be one of that month.
    return CivilDate.split(days * 86_400).0.day == numbers[2] ? days : nil
  }

  /// The moment at which clocks here show a time.
  private static func utc(_ local: Int, _ offset: (Int64) -> Int) -> Int64 {
    let guess = local - offset(Int64(local))
    return Int64(local - offset(Int64(guess)))
  }
}

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
