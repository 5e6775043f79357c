import Query

/// Lines of tables.
enum Table {
  /// What stands before and behind the arrow.
  static func cut(_ line: String) -> (String, String) {
    let octets = Array(line.utf8)
    let arrow = Array("=> ".utf8)
    guard let place = octets.indices.last(where: { octets[$0...].starts(with: arrow) }) else {
      return (line, "")
    }
    let before = octets[..<place].last == 0x20 ? octets[..<(place - 1)] : octets[..<place]
    return (
      String(decoding: before, as: UTF8.self),
      String(decoding: octets[(place + 3)...], as: UTF8.self)
    )
  }

  /// A range of dates on the local clock.
  static func range(_ text: [UInt8], _ dates: DateContext) -> String {
    guard let range = try? DateRange(text, dates) else { return "bad" }
    let parts = [
      range.first.map { clock($0, dates) }, "..", range.last.map { clock($0, dates) },
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private static func clock(_ moment: Int64, _ dates: DateContext) -> String {
    let local = Int(dates.local(moment))
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let seconds = local - days * 86_400
    let (year, month, day) = civil(days)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
    return "\(year)-\(two(month))-\(two(day)) \(clock)"
  }

  /// Counts days one year and month at a time, so as not to share the mistakes of the code under test.
  private static func civil(_ days: Int) -> (Int, Int, Int) {
    var (year, rest) = (1970, days)
    while rest < 0 {
      year -= 1
      rest += isLeap(year) ? 366 : 365
    }
    while rest >= (isLeap(year) ? 366 : 365) {
      rest -= isLeap(year) ? 366 : 365
      year += 1
    }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while rest >= lengths[month] {
      rest -= lengths[month]
      month += 1
    }
    return (year, month + 1, rest + 1)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
