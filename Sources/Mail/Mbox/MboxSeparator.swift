internal import MailModel
internal import Octets

/// A line that begins a message in an mbox: `From SENDER DATE`.
///
/// The date is that of asctime(3), with or without seconds, and with zones before or behind the year, or that of RFC 5322 §3.3.
/// UUCP writes `remote from` and a host behind it; Thunderbird `-` in place of the sender, or neither sender nor date.
package struct MboxSeparator: Hashable, Sendable {
  /// The moment that it names, in seconds since 1970, UTC where it names no zone.
  ///
  /// Nil for a line without a date, and for that of `git format-patch`, whose date is always the same.
  package let date: Int64?
  /// Whether nothing follows `From `.
  package let isBare: Bool

  /// What the line begins with.
  static let start: StaticString = "From "
  /// Octets of a line that is looked at; a longer one is text.
  static let lengthLimit = 4096

  /// Reads a line without its line end; nil where it is none.
  package init?(_ line: ArraySlice<UInt8>) {
    guard line.starts(with: [UInt8](ascii: Self.start)), line.count <= Self.lengthLimit else {
      return nil
    }
    let words = line.dropFirst(5).split { $0 == ASCII.space || $0 == ASCII.tab }
    guard !words.isEmpty else {
      (date, isBare) = (nil, true)
      return
    }
    guard let found = Self.date(Self.withoutHost(words)[...]) else { return nil }
    isBare = false
    date = Self.isOfGit(words) ? nil : found
  }

  /// The words before `remote from HOST`.
  private static func withoutHost(_ words: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    let isRemote = words.dropLast().suffix(2)
      .elementsEqual(["remote", "from"]) { $0.elementsEqual($1.utf8) }
    return isRemote ? words.dropLast(3) : words
  }

  /// The moment that the last words name, from the last name of a weekday on.
  private static func date(_ words: ArraySlice<ArraySlice<UInt8>>) -> Int64? {
    guard let weekday = words.lastIndex(where: { isWeekday($0) }) else { return nil }
    var rest = words[(weekday + 1)...]
    let isOfMail = words[weekday].last == ASCII.comma
    guard rest.count >= 4 else { return nil }
    let first = rest.startIndex
    // `Thu, 9 Jul 2026 13:00:00 +0200`: the words as asctime(3) has them.
    if isOfMail {
      rest = [rest[first + 1], rest[first], rest[first + 3], rest[first + 2]] + rest.dropFirst(4)
    }
    guard let month = rest.popFirst().flatMap({ index(of: $0, in: CivilDate.monthNames) }),
      let day = rest.popFirst().flatMap({ number($0) }), (1...31).contains(day),
      let clock = rest.popFirst().flatMap({ clock($0) })
    else { return nil }
    var (year, offset): (Int?, Int?)
    for word in rest {
      if year == nil, word.count == 4, let found = number(word) {
        year = found
      } else if let minutes = zone(word) {
        offset = offset ?? minutes
      } else if !isZoneName(word) {
        return nil
      }
    }
    guard let year, rest.count <= 4 else { return nil }
    let days = CivilDate(year: year, month: month + 1, day: day).days
    return Int64(days) * 86_400 + Int64(clock) - Int64(offset ?? 0) * 60
  }

  /// `git format-patch` writes the name of a commit and a fixed date.
  private static func isOfGit(_ words: [ArraySlice<UInt8>]) -> Bool {
    guard words.count == 6, [40, 64].contains(words[0].count),
      words[0].allSatisfy({ Hex.nibble($0) != nil })
    else { return false }
    return words[1...].joined(separator: [ASCII.space])
      .elementsEqual("Mon Sep 17 00:00:00 2001".utf8)
  }

  private static func isWeekday(_ word: ArraySlice<UInt8>) -> Bool {
    index(of: word.last == ASCII.comma ? word.dropLast() : word, in: CivilDate.dayNames) != nil
  }

  private static func index(of word: ArraySlice<UInt8>, in names: [String]) -> Int? {
    guard word.count == 3 else { return nil }
    return names.firstIndex { word.equalsCaseless($0.utf8) }
  }

  private static func number(_ word: ArraySlice<UInt8>) -> Int? {
    guard (1...4).contains(word.count), word.allSatisfy(ASCII.isDigit) else { return nil }
    return word.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }

  /// Seconds of the day: `hh:mm` or `hh:mm:ss`.
  private static func clock(_ word: ArraySlice<UInt8>) -> Int? {
    let parts = word.split(separator: ASCII.colon, omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count <= 2 }) else { return nil }
    let numbers = parts.compactMap { number($0) } + [0]
    guard numbers.count == parts.count + 1, numbers[0] < 24, numbers[1] < 60,
      parts.count == 2 || numbers[2] <= 60
    else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + (parts.count == 2 ? 0 : numbers[2])
  }

  /// Minutes ahead of UTC: `+0100`.
  private static func zone(_ word: ArraySlice<UInt8>) -> Int? {
    guard word.count == 5, let sign = word.first, sign == ASCII.plus || sign == ASCII.minus,
      let digits = number(word.dropFirst())
    else { return nil }
    let minutes = digits / 100 * 60 + digits % 100
    return sign == ASCII.minus ? -minutes : minutes
  }

  /// Whether a word is a name such as `EST` or `MET DST`'s, which counts for nothing.
  private static func isZoneName(_ word: ArraySlice<UInt8>) -> Bool {
    (1...5).contains(word.count) && word.allSatisfy(ASCII.isLetter)
  }
}

/// Which rules an mbox was written by.
package enum MboxKind: String, Hashable, Sendable, CaseIterable {
  /// As each message looks.
  case auto
  /// Each line `>…From ` has one `>` more than it had.
  case rd
  /// Each line `>From ` was `From `; those with more stand as they were.
  case o
  /// As `rd`, and Content-Length tells where a message ends.
  case cl
  /// Nothing is quoted, since Content-Length tells where a message ends.
  case cl2
  /// Nothing was quoted.
  case none
}
