internal import MailModel
internal import Octets

/// Reads a date word by word; the order of the words matters little.
struct DateParser {
  private var day: Int?
  private var month: Int?
  private var year: Int?
  private var clock: Int?
  private var isAfternoon: Bool?
  private var offset: Int?

  /// How many octets of a date are looked at; no real one has more.
  private static let lengthLimit = 200

  mutating func parse(_ body: [UInt8]) -> MessageDate? {
    let text = DateParser.withoutComments(body.prefix(DateParser.lengthLimit))
    for word in text.split(whereSeparator: { $0 <= ASCII.space || $0 == ASCII.comma }) {
      guard takeWord(word) else { return nil }
    }
    return date
  }

  private var date: MessageDate? {
    guard let day, let month, let year, (1...31).contains(day) else { return nil }
    let days = CivilDate(year: year, month: month, day: day).days
    let local = Int64(days) * 86_400 + Int64(clockOfDay)
    let offset = offset ?? 0
    return MessageDate(
      seconds: local - Int64(offset) * 60,
      offset: offset,
      isZoneKnown: self.offset != nil
    )
  }

  private var clockOfDay: Int {
    let clock = clock ?? 0
    switch isAfternoon {
    case true? where clock < 43_200: return clock + 43_200
    case false? where clock >= 43_200: return clock - 43_200
    default: return clock
    }
  }

  /// Takes one word; `false` when it makes the date impossible.
  private mutating func takeWord(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first else { return true }
    if ASCII.isLetter(first) { return takeName(word) }
    if first == ASCII.plus || first == ASCII.minus {
      takeOffset(word)
      return true
    }
    guard ASCII.isDigit(first) else { return true }
    if word.contains(ASCII.colon) { return takeISODate(word) ?? takeClock(word) }
    if let taken = takeISODate(word) ?? takeDashedDate(word) { return taken }
    return takeNumber(word)
  }

  private mutating func takeName(_ word: ArraySlice<UInt8>) -> Bool {
    if month == nil, let index = DateParser.index(of: word, in: CivilDate.monthNames) {
      month = index + 1
    } else if word.equalsCaseless("pm") || word.equalsCaseless("am") {
      isAfternoon = word.equalsCaseless("pm")
    } else if clock != nil, offset == nil {
      takeZone(word)
    }
    return true
  }

  /// Takes a name such as `EST`, `GMT+0100`, or a military letter, which tells nothing
  /// (RFC 5322 §4.3).
  private mutating func takeZone(_ word: ArraySlice<UInt8>) {
    let name = word.prefix { ASCII.isLetter($0) }
    let rest = word.dropFirst(name.count)
    if let hours = ZoneNames.minutes(name) { offset = hours }
    if rest.first == ASCII.plus || rest.first == ASCII.minus { takeOffset(rest) }
  }

  private mutating func takeOffset(_ word: ArraySlice<UInt8>) {
    let digits = word.dropFirst().filter { $0 != ASCII.colon }.prefix { ASCII.isDigit($0) }
    guard let number = DateParser.number(digits[...], 1...4) else { return }
    let minutes = digits.count <= 2 ? number * 60 : number / 100 * 60 + number % 100
    let isUnknown = word.first == ASCII.minus && number == 0
    guard digits.count <= 2 || number % 100 < 60, minutes < 24 * 60, !isUnknown else { return }
    offset = word.first == ASCII.minus ? -minutes : minutes
  }

  /// Takes `5:00`, `05:00:31.5`, and a zone or `AM` that stands right behind.
  private mutating func takeClock(_ word: ArraySlice<UInt8>) -> Bool {
    let numbers = word.prefix { ASCII.isDigit($0) || $0 == ASCII.colon }
    let parts = numbers.split(separator: ASCII.colon).map { DateParser.number($0, 1...2) ?? 99 }
    guard parts.count >= 2, parts[0] < 24 || parts == [24, 0] || parts == [24, 0, 0],
      parts[1] < 60, parts.dropFirst(2).first ?? 0 <= 60
    else { return false }
    clock = parts[0] * 3600 + parts[1] * 60 + (parts.dropFirst(2).first ?? 0)
    var rest = word.dropFirst(numbers.count)
    if rest.first == ASCII.dot { rest = rest.dropFirst().drop { ASCII.isDigit($0) } }
    return rest.isEmpty || takeWord(rest)
  }

  /// Takes `2026-11-21`, `2026/11/21` and what follows after a `T`; `nil` when it is no such date.
  private mutating func takeISODate(_ word: ArraySlice<UInt8>) -> Bool? {
    let isMark = { (octet: UInt8) in octet == ASCII.minus || octet == ASCII.slash }
    let head = word.prefix { ASCII.isDigit($0) || isMark($0) }
    let parts = head.split(maxSplits: 3, omittingEmptySubsequences: false, whereSeparator: isMark)
    guard parts.count == 3, parts[0].count == 4, let year = DateParser.number(parts[0], 4...4),
      let month = DateParser.number(parts[1], 1...2), let day = DateParser.number(parts[2], 1...2)
    else { return nil }
    guard (1...12).contains(month) else { return false }
    (self.year, self.month, self.day) = (year, month, day)
    let rest = word.dropFirst(head.count)
    guard let mark = rest.first else { return true }
    return ASCII.lowercased(mark) == 0x74 ? rest.count == 1 || takeWord(rest.dropFirst()) : true
  }

  /// Takes `21-Nov-2026` and `11/21/2026`; `nil` when it is no such date.
  private mutating func takeDashedDate(_ word: ArraySlice<UInt8>) -> Bool? {
    let parts = word.split { $0 == ASCII.minus || $0 == ASCII.slash || $0 == ASCII.dot }
    guard parts.count == 3, let first = DateParser.number(parts[0], 1...2),
      let year = DateParser.year(parts[2])
    else { return nil }
    self.year = year
    if let index = DateParser.index(of: parts[1], in: CivilDate.monthNames) {
      (day, month) = (first, index + 1)
      return true
    }
    guard let second = DateParser.number(parts[1], 1...2) else { return nil }
    let isMonthFirst = word.contains(ASCII.slash) && first <= 12
    (month, day) = isMonthFirst ? (first, second) : (second, first)
    return (1...12).contains(month ?? 0)
  }

  private mutating func takeNumber(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.prefix { ASCII.isDigit($0) }
    if day == nil, digits.count <= 2 {
      day = DateParser.number(digits, 1...2)
    } else if year == nil {
      year = DateParser.year(digits)
      return year != nil
    } else if clock == nil, let clock = DateParser.number(digits, 4...4), word.count == 4 {
      return takeClock([UInt8](decimal: clock / 100) + [ASCII.colon] + digits.suffix(2))
    } else if offset == nil, word.count == 4 {
      takeOffset([ASCII.plus] + digits)
    }
    return true
  }

  private mutating func takeClock(_ octets: [UInt8]) -> Bool {
    takeClock(octets[...])
  }

  /// The year of two, three or four digits (RFC 5322 §4.3).
  private static func year(_ digits: ArraySlice<UInt8>) -> Int? {
    guard let number = number(digits, 2...4) else { return nil }
    if digits.count == 4 { return number }
    return digits.count == 2 && number < 50 ? number + 2000 : number + 1900
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.count) else { return nil }
    var cursor = Cursor(digits)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Int(number)
  }

  /// The name that the word begins with, in full (`November`) or cut (`Sept.`).
  private static func index(of word: ArraySlice<UInt8>, in names: [String]) -> Int? {
    guard word.count >= 3 else { return nil }
    return names.firstIndex { word.prefix(3).equalsCaseless($0.utf8) }
  }

  private static func withoutComments(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var depth = 0
    for octet in text {
      switch octet {
      case ASCII.openParenthesis: depth += 1
      case ASCII.closeParenthesis:
        depth = max(0, depth - 1)
        result.append(ASCII.space)
      default: if depth == 0 { result.append(octet) }
      }
    }
    return result
  }
}

/// Time zones by name, obsolete in mail and alive in it (RFC 5322 §4.3).
enum ZoneNames {
  /// Minutes ahead of UTC; `nil` for a name that is unknown or means different zones.
  static func minutes(_ name: ArraySlice<UInt8>) -> Int? {
    names.first { name.equalsCaseless($0.name) }?.minutes
  }

  private static let names: [(name: StaticString, minutes: Int)] = [
    ("GMT", 0), ("UT", 0), ("UTC", 0), ("Z", 0), ("WET", 0),
    ("EST", -300), ("EDT", -240), ("CST", -360), ("CDT", -300),
    ("MST", -420), ("MDT", -360), ("PST", -480), ("PDT", -420),
    ("AKST", -540), ("AKDT", -480), ("HST", -600), ("AST", -240), ("ADT", -180), ("NST", -210),
    ("BRT", -180), ("ART", -180),
    ("BST", 60), ("WEST", 60), ("CET", 60), ("MET", 60), ("MEZ", 60), ("CEST", 120),
    ("MEST", 120), ("MESZ", 120), ("EET", 120), ("SAST", 120), ("EEST", 180), ("MSK", 180),
    ("MSD", 240), ("HKT", 480), ("SGT", 480), ("AWST", 480), ("JST", 540), ("KST", 540),
    ("AEST", 600), ("AEDT", 660), ("NZST", 720), ("NZDT", 780),
  ]
}
