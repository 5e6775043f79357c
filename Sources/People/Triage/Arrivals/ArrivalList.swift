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
/// The lines of an account without a server name files, by their folder and their base names:
///
///     delivered /Lists 1700000000.M1P2.host
///     seen /Lists 1700000000.M1P2.host
///
/// A message that comes again after a line `done` is open again: its fetch was not recorded, and so it was not sorted.
struct ArrivalList: Hashable {
  /// When rules began, in seconds since 1970: messages from before are left alone.
  let since: Int64
  /// Those that are not done, in the order in which they came.
  private(set) var open: [Arrival] = []
  /// The files that are done; they may lie in `new` for long.
  private(set) var seen: Set<Arrival> = []
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
      switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
      case "came":
        for arrival in Self.arrivals(words.dropFirst()) where places[arrival] == nil {
          places[arrival] = number
        }
      case "done": for arrival in Self.arrivals(words.dropFirst()) { places[arrival] = nil }
      case "delivered":
        for arrival in Self.files(words.dropFirst()) where places[arrival] == nil {
          places[arrival] = number
        }
      case "seen":
        for arrival in Self.files(words.dropFirst()) {
          places[arrival] = nil
          seen.insert(arrival)
        }
      case "undecided" where words.count == 3:
        undecided[String(decoding: words[1], as: UTF8.self)] = Timestamp.seconds(words[2])
      default: continue
      }
    }
    open = places.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value < $1.value }
      .map(\.key)
  }

  private static func arrivals(_ words: some Collection<ArraySlice<UInt8>>) -> [Arrival] {
    let words = Array(words)
    guard words.count > 2, words[0].count == 16, let mailbox = Hex.value([UInt8](words[0])),
      let validity = number(words[1])
    else { return [] }
    return words.dropFirst(2).compactMap(number).map {
      .fetched(mailbox: mailbox, validity: validity, uid: $0)
    }
  }

  private static func files(_ words: some Collection<ArraySlice<UInt8>>) -> [Arrival] {
    guard let first = words.first, first.first == ASCII.slash,
      let folder = PercentEscape.unescape(first.dropFirst())
    else { return [] }
    return words.dropFirst().compactMap { PercentEscape.unescape($0) }.map {
      .delivered(folder: folder, base: $0)
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
  static func came(_ arrivals: [Arrival]) -> [UInt8] {
    lines(arrivals) { $0.mailbox == nil ? "delivered" : "came" }
  }

  /// The lines by which they are done.
  static func done(_ arrivals: [Arrival]) -> [UInt8] {
    lines(arrivals) { $0.mailbox == nil ? "seen" : "done" }
  }

  /// The line that it was said of the program of a rule that it gave no answer.
  static func undecided(_ rule: String, at time: Int64) -> [UInt8] {
    [UInt8]("undecided \(rule) ".utf8) + Timestamp.octets(time) + [ASCII.lineFeed]
  }

  /// Whether that was said within a day.
  func isSilent(about rule: String, at now: Int64) -> Bool {
    undecided[rule].map { $0 <= now && now < $0 + 86_400 } ?? false
  }

  /// A line for each mailbox or folder.
  private static func lines(
    _ arrivals: [Arrival],
    _ word: (Arrival) -> StaticString
  ) -> [UInt8] {
    var octets: [UInt8] = []
    var last: [UInt8] = []
    for arrival in arrivals {
      let place = [UInt8](ascii: word(arrival)) + [ASCII.space] + arrival.place
      if last != place {
        if !last.isEmpty { octets.append(ASCII.lineFeed) }
        octets += place
      }
      octets += [ASCII.space] + arrival.number
      last = place
    }
    return last.isEmpty ? [] : octets + [ASCII.lineFeed]
  }
}

extension Arrival: Comparable {
  /// What its line begins with: its mailbox or folder.
  fileprivate var place: [UInt8] {
    switch self {
    case .fetched(let mailbox, let validity, _):
      Hex.digits(mailbox) + [ASCII.space] + [UInt8](decimal: Int(validity))
    case .delivered(let folder, _): [ASCII.slash] + Self.escaped(folder)
    }
  }

  /// What tells it from the others there.
  fileprivate var number: [UInt8] {
    switch self {
    case .fetched(_, _, let uid): [UInt8](decimal: Int(uid))
    case .delivered(_, let base): Self.escaped(base)
    }
  }

  private static func escaped(_ name: [UInt8]) -> [UInt8] {
    PercentEscape.escape(name) { $0 <= ASCII.space || $0 == 0x7f }
  }

  /// In the order of UIDs, or of names.
  package static func < (left: Arrival, right: Arrival) -> Bool {
    switch (left, right) {
    case (.fetched(_, _, let left), .fetched(_, _, let right)): left < right
    case (.delivered(_, let left), .delivered(_, let right)): left.lexicographicallyPrecedes(right)
    case (.fetched, .delivered): true
    case (.delivered, .fetched): false
    }
  }
}
