internal import Octets
internal import SpoolPlan

/// The messages that came to an account and that rules have not looked at, as the text of a file.
///
///     magnum-arrivals 1
///     since 2026-11-22T22:01:33Z
///     came 0123456789abcdef 17 5
///     done 0123456789abcdef 17 5 6
///     undecided spam 2026-11-23T08:00:00Z
///
/// A message that comes again after a line `done` is open again: its fetch was not recorded, and so it was not sorted.
struct ArrivalList: Hashable {
  /// When rules began, in seconds since 1970: messages from before are left alone.
  let since: Int64
  /// Those that are not done, in the order in which they came.
  private(set) var open: [Arrival] = []
  /// When it was said last of the program of a rule that it gave no answer, by the name of the rule, in seconds since 1970.
  private(set) var undecided: [String: Int64] = [:]
  /// Octets of the lines that every file begins with.
  let headLength: Int
  /// Octets up to the end of the last whole line.
  let wholeLength: Int

  /// A longer file is cut once all is done, in octets.
  static let usualSize = 64 << 10

  private static let title = [UInt8](ascii: "magnum-arrivals 1\n")

  /// The list of a file; nil where it does not begin as it has to.
  ///
  /// Lines that mean nothing, as a later version may write them, are skipped, and so is one without its end.
  init?(_ octets: [UInt8]) {
    var lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    let rest = lines.removeLast()
    guard octets.starts(with: Self.title), lines.count >= 2 else { return nil }
    let words = lines[1].split(separator: ASCII.space)
    guard words.count == 2, words[0].elementsEqual("since".utf8),
      let since = Timestamp.seconds(words[1])
    else { return nil }
    self.since = since
    headLength = lines[1].endIndex + 1
    wholeLength = octets.count - rest.count
    var places: [Arrival: Int] = [:]
    for (number, line) in lines.dropFirst(2).enumerated() {
      let words = line.split(separator: ASCII.space)
      let arrivals = Self.arrivals(words.dropFirst())
      switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
      case "came": for arrival in arrivals { places[arrival] = places[arrival] ?? number }
      case "done": for arrival in arrivals { places[arrival] = nil }
      case "undecided" where words.count == 3:
        undecided[String(decoding: words[1], as: UTF8.self)] = Timestamp.seconds(words[2])
      default: continue
      }
    }
    open = places.sorted { ($0.value, $0.key.uid) < ($1.value, $1.key.uid) }.map(\.key)
  }

  private static func arrivals(_ words: some Collection<ArraySlice<UInt8>>) -> [Arrival] {
    let words = Array(words)
    guard words.count > 2, words[0].count == 16, let mailbox = Hex.value([UInt8](words[0])),
      let validity = number(words[1])
    else { return [] }
    return words.dropFirst(2).compactMap(number).map {
      Arrival(mailbox: mailbox, validity: validity, uid: $0)
    }
  }

  private static func number(_ word: ArraySlice<UInt8>) -> UInt32? {
    var cursor = Cursor(word)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return UInt32(exactly: number)
  }

  // MARK: Writing

  /// A file in which none came yet.
  static func head(since: Int64) -> [UInt8] {
    title + [UInt8](ascii: "since ") + Timestamp.octets(since) + [ASCII.lineFeed]
  }

  /// The lines that add arrivals.
  static func came(_ arrivals: [Arrival]) -> [UInt8] { lines("came", arrivals) }

  /// The lines by which they are done.
  static func done(_ arrivals: [Arrival]) -> [UInt8] { lines("done", arrivals) }

  /// The line that it was said of the program of a rule that it gave no answer.
  static func undecided(_ rule: String, at time: Int64) -> [UInt8] {
    [UInt8]("undecided \(rule) ".utf8) + Timestamp.octets(time) + [ASCII.lineFeed]
  }

  /// Whether that was said within a day.
  func isSilent(about rule: String, at now: Int64) -> Bool {
    undecided[rule].map { $0 <= now && now < $0 + 86_400 } ?? false
  }

  /// A line for each mailbox.
  private static func lines(_ word: StaticString, _ arrivals: [Arrival]) -> [UInt8] {
    var octets: [UInt8] = []
    var last: Arrival?
    for arrival in arrivals {
      if last?.mailbox != arrival.mailbox || last?.validity != arrival.validity {
        if last != nil { octets.append(ASCII.lineFeed) }
        octets += [UInt8](ascii: word) + [ASCII.space] + Hex.digits(arrival.mailbox)
        octets += [ASCII.space] + [UInt8](decimal: Int(arrival.validity))
      }
      octets += [ASCII.space] + [UInt8](decimal: Int(arrival.uid))
      last = arrival
    }
    return last == nil ? [] : octets + [ASCII.lineFeed]
  }
}
