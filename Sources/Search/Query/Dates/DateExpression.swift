internal import Octets

/// One end of a range of dates as people write it: `yesterday`, `2 weeks`, `5M2d`, `2012-07-31`, `august_3`, `17:05`.
///
/// The language is that of notmuch-search-terms(7); `_` stands for a space.
struct DateExpression {
  private(set) var fields = DateFields()

  private var text: [UInt8]
  private var index = 0
  /// A number whose meaning the next word tells.
  private var number: Int?
  private var isForward = false
  private var relative: Int?

  /// The expression a text holds; nil where part of it cannot be made out, or where it says nothing.
  init?(_ text: [UInt8]) {
    self.text = text
    guard takeAll() else { return nil }
    if fields == DateFields() { return nil }
  }

  private var next: UInt8? { index < text.count ? text[index] : nil }

  private mutating func takeAll() -> Bool {
    if text.first == ASCII.at { return takeMoment() }
    while let octet = next {
      let isTaken: Bool
      if octet == ASCII.space || octet == ASCII.underscore || octet == ASCII.comma {
        index += 1
        continue
      } else if ASCII.isDigit(octet) {
        isTaken = takeNumber()
      } else if octet == ASCII.plus || octet == ASCII.minus {
        isTaken = takeSign(octet)
      } else {
        isTaken = takeWord()
      }
      guard isTaken else { return false }
    }
    return finishNumber() && relative == nil && !isForward && fields.isDay
  }

  /// `@1234567890`.
  private mutating func takeMoment() -> Bool {
    fields.moment = Int64(String(decoding: text.dropFirst(), as: UTF8.self))
    return fields.moment != nil
  }

  private mutating func takeSign(_ sign: UInt8) -> Bool {
    index += 1
    let isZone = fields.absolute[.hour] != nil
    guard isZone else {
      isForward = sign == ASCII.plus
      // The first sign of 18-Nov-2009 stands behind a number.
      let isBeforeMonth = sign == ASCII.minus && number != nil
      return next.map { ASCII.isDigit($0) || isBeforeMonth && ASCII.isLetter($0) } ?? false
    }
    let hours = digits(2)
    if next == ASCII.colon { index += 1 }
    let minutes = digits(2)
    guard hours.count == 2, let hours = Int(hours) else { return false }
    let seconds = hours * 3600 + (Int(minutes) ?? 0) * 60
    return setZone(sign == ASCII.plus ? seconds : -seconds)
  }

  private mutating func digits(_ limit: Int = 18) -> String {
    let run = text[index...].prefix(limit).prefix { ASCII.isDigit($0) }
    index = run.endIndex
    return String(decoding: run, as: UTF8.self)
  }

  private mutating func takeNumber() -> Bool {
    let digits = digits()
    guard let value = Int(digits) else { return false }
    switch next {
    case ASCII.colon: return takeClock(hour: value)
    case ASCII.minus, ASCII.slash, ASCII.dot:
      if text[(index + 1)...].first.map({ ASCII.isDigit($0) }) == true {
        return finishNumber() && takeDate(digits)
      }
    default: break
    }
    guard finishNumber() else { return false }
    return takeLone(digits, value)
  }

  private mutating func takeLone(_ digits: String, _ value: Int) -> Bool {
    let isBeforeWord = text[index...].drop { $0 == ASCII.space || $0 == ASCII.underscore }.first
      .map { ASCII.isLetter($0) }
    switch digits.utf8.count {
    case 8: return setDate(value / 10_000, value / 100 % 100, value % 100)
    case 6 where isBeforeWord != true:
      return setClock(value / 10_000, value / 100 % 100, value % 100)
    case 4 where (1900...2199).contains(value) && fields.absolute[.year] == nil:
      fields.absolute[.year] = value
      return true
    case 4 where isBeforeWord != true: return setClock(value / 100, value % 100, nil)
    default:
      number = value
      return true
    }
  }

  /// The rest of `17:05`, `17:05:30`, and what may follow.
  private mutating func takeClock(hour: Int) -> Bool {
    index += 1
    guard let minute = Int(digits()) else { return false }
    var second: Int?
    if next == ASCII.colon {
      index += 1
      second = Int(digits())
      guard second != nil else { return false }
    }
    return setClock(hour, minute, second)
  }

  /// The rest of a date in digits; the sign between them tells their order.
  private mutating func takeDate(_ first: String) -> Bool {
    let sign = text[index]
    var parts = [first]
    while next == sign, parts.count < 3 {
      index += 1
      parts.append(digits())
    }
    // `31.7.`, as Germans write it.
    if sign == ASCII.dot, parts.count == 3, parts[2].isEmpty { parts.removeLast() }
    // Only with three parts can the T of ISO 8601 follow.
    if parts.count == 3, next == 0x54 || next == 0x74 { index += 1 }
    let values = parts.compactMap { Int($0) }
    guard values.count == parts.count else { return false }
    let isYearFirst = parts[0].utf8.count == 4
    switch (sign, values.count, isYearFirst) {
    case (_, 3, true): return setDate(values[0], values[1], values[2])
    case (_, 2, true): return setDate(values[0], values[1], nil)
    case (_, 2, false) where parts[1].utf8.count == 4 && sign != ASCII.dot:
      return setDate(values[1], values[0], nil)
    case (ASCII.slash, 3, _): return setDate(year(parts[2]), values[0], values[1])
    case (ASCII.slash, 2, _): return setDate(nil, values[0], values[1])
    case (_, 3, _): return setDate(year(parts[2]), values[1], values[0])
    default: return setDate(nil, values[1], values[0])
    }
  }

  private func year(_ digits: String) -> Int? {
    guard let value = Int(digits) else { return nil }
    return digits.utf8.count > 2 ? value : value < 70 ? 2000 + value : 1900 + value
  }

  private mutating func setDate(_ year: Int?, _ month: Int, _ day: Int?) -> Bool {
    guard (1...12).contains(month), (1...31).contains(day ?? 1), (0...9999).contains(year ?? 0)
    else { return false }
    return set(.year, year) && set(.month, month) && set(.day, day)
  }

  private mutating func setClock(_ hour: Int, _ minute: Int, _ second: Int?) -> Bool {
    guard hour < 24, minute < 60, second ?? 0 < 61 else { return false }
    return set(.hour, hour) && set(.minute, minute) && set(.second, second)
  }

  private mutating func setZone(_ seconds: Int) -> Bool {
    guard fields.zone == nil else { return false }
    fields.zone = seconds
    return true
  }

  /// Names a field, if there is a value; false where it has one: who names it twice says two things.
  private mutating func set(_ field: DateFields.Field, _ value: Int?) -> Bool {
    guard let value else { return true }
    guard fields.absolute[field] == nil else { return false }
    fields.absolute[field] = value
    return true
  }

  private mutating func takeWord() -> Bool {
    let run = text[index...].prefix { ASCII.isLetter($0) || $0 == ASCII.dot && isAbbreviation() }
    guard !run.isEmpty else { return false }
    index = run.endIndex
    guard let meaning = DateWords.meaning(String(decoding: run, as: UTF8.self)) else {
      return false
    }
    return takeMeaning(meaning)
  }

  /// Whether `a.m.` or `p.m.` stands here: the only words with dots in them.
  private func isAbbreviation() -> Bool {
    let ahead = text[index...].prefix(4).map { ASCII.lowercased($0) }
    return ahead == [UInt8](ascii: "a.m.") || ahead == [UInt8](ascii: "p.m.")
  }

  private mutating func takeMeaning(_ meaning: DateWords.Meaning) -> Bool {
    switch meaning {
    case .unit(let unit): return takeUnit(unit)
    case .number(let value): number = min((number ?? 1) * value, 1_000_000)
    case .month(let month): return set(.month, month)
    case .weekday(let day):
      guard fields.weekday == nil else { return false }
      fields.weekday = day
    case .day(let back): fields.back[.day, default: 0] += back
    case .clock(let hour): return setClock(hour, 0, 0)
    case .now:
      for field in DateFields.Field.allCases { fields.back[field, default: 0] += 0 }
    case .relative(let count): relative = count
    case .afternoon(let isAfternoon): return takeHalf(isAfternoon)
    case .zone(let seconds): return setZone(seconds)
    case .filler: break
    }
    return true
  }

  private mutating func takeUnit(_ unit: DateWords.Unit) -> Bool {
    guard let count = relative ?? number else { return false }
    let back = isForward ? -count : count
    guard abs(back) < 1_000_000 else { return false }
    (relative, number, isForward) = (nil, nil, false)
    switch unit {
    case .second: fields.back[.second, default: 0] += back
    case .minute: fields.back[.minute, default: 0] += back
    case .hour: fields.back[.hour, default: 0] += back
    case .day: fields.back[.day, default: 0] += back
    case .week: fields.weeksBack = (fields.weeksBack ?? 0) + back
    case .month: fields.back[.month, default: 0] += back
    case .year: fields.back[.year, default: 0] += back
    }
    return true
  }

  private mutating func takeHalf(_ isAfternoon: Bool) -> Bool {
    let named = number
    number = nil
    guard named == nil || fields.absolute[.hour] == nil,
      let hour = named ?? fields.absolute[.hour], (1...12).contains(hour)
    else { return false }
    fields.absolute[.hour] = hour % 12 + (isAfternoon ? 12 : 0)
    return true
  }

  /// A number that no word has claimed is the day of a month.
  private mutating func finishNumber() -> Bool {
    guard let number else { return true }
    self.number = nil
    guard (1...31).contains(number), !isForward else { return false }
    return set(.day, number)
  }
}
