internal import Octets

/// A line of an entry's log: a fact, and when it was noted.
package struct LogRecord: Hashable, Sendable {
  /// When, in seconds since 1970.
  package let time: Int64

  /// What happened.
  package let fact: LogFact

  package init(_ fact: LogFact, at time: Int64) {
    self.fact = fact
    self.time = time
  }

  /// The line, with its end.
  package var line: [UInt8] {
    [UInt8](([Timestamp.octets(time)] + words).joined(separator: [ASCII.space]))
      + [ASCII.lineFeed]
  }

  private var words: [[UInt8]] {
    switch fact {
    case .sending(let numbers): [[UInt8](ascii: "sending"), Self.list(numbers)]
    case .accepted(let numbers, let text):
      [[UInt8](ascii: "accepted"), Self.list(numbers), EntryText.escape(text)]
    case .refused(let numbers, let text):
      [[UInt8](ascii: "refused"), Self.list(numbers), EntryText.escape(text)]
    case .deferred(let numbers, let until, let text):
      [
        [UInt8](ascii: "deferred"), Self.list(numbers), Timestamp.octets(until),
        EntryText.escape(text),
      ]
    case .unanswered(let numbers, let until, let text):
      [
        [UInt8](ascii: "unanswered"), Self.list(numbers), Timestamp.octets(until),
        EntryText.escape(text),
      ]
    case .unsent(let numbers, let text):
      [[UInt8](ascii: "unsent"), Self.list(numbers), EntryText.escape(text)]
    case .split(let numbers, let id): [[UInt8](ascii: "split"), Self.list(numbers), id.octets]
    case .replaced(let id): [[UInt8](ascii: "replaced"), id.octets]
    case .begun(let number, let note):
      [[UInt8](ascii: "begun"), Self.list([number]), EntryText.escape(note)]
    case .done(let numbers, let text):
      [[UInt8](ascii: "done"), Self.list(numbers), EntryText.escape(text)]
    case .postponed(let numbers, let until, let text):
      [
        [UInt8](ascii: "postponed"), Self.list(numbers), Timestamp.octets(until),
        EntryText.escape(text),
      ]
    case .rejected(let numbers, let text):
      [[UInt8](ascii: "rejected"), Self.list(numbers), EntryText.escape(text)]
    case .undone(let numbers, let text):
      [[UInt8](ascii: "undone"), Self.list(numbers), EntryText.escape(text)]
    case .failed(let text): [[UInt8](ascii: "failed"), EntryText.escape(text)]
    case .retried: [[UInt8](ascii: "retried")]
    case .reported: [[UInt8](ascii: "reported")]
    case .seen: [[UInt8](ascii: "seen")]
    case .held(let text): [[UInt8](ascii: "held"), EntryText.escape(text)]
    case .released: [[UInt8](ascii: "released")]
    case .approved: [[UInt8](ascii: "approved")]
    case .discarded(let state): [[UInt8](ascii: "discarded"), Array(state.rawValue.utf8)]
    case .undiscarded: [[UInt8](ascii: "undiscarded")]
    case .cancelling(let name): [[UInt8](ascii: "cancelling"), EntryText.escape(name)]
    case .uncancelled: [[UInt8](ascii: "uncancelled")]
    case .cancelled: [[UInt8](ascii: "cancelled")]
    }
  }

  /// Numbers as people count, from 1: `1,2,5`.
  private static func list(_ numbers: [Int]) -> [UInt8] {
    [UInt8](numbers.map { [UInt8](decimal: $0 + 1) }.joined(separator: [ASCII.comma]))
  }
}

// Reading.
extension LogRecord {
  /// The records of a log; behind its last line end may stand what a crash left of a line.
  ///
  /// - Throws: `LogError` with the line, counted from 1, that cannot be understood.
  package static func parse(_ log: [UInt8]) throws(LogError) -> [LogRecord] {
    var cursor = Cursor(log)
    var records: [LogRecord] = []
    while let line = cursor.take(upTo: ASCII.lineFeed), cursor.skip(ASCII.lineFeed) {
      guard let record = LogRecord(line) else { throw LogError(line: records.count + 1) }
      records.append(record)
    }
    return records
  }

  /// The length of the log without what a crash left of its last line.
  package static func wholeLength(of log: [UInt8]) -> Int {
    log.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
  }

  private init?(_ line: ArraySlice<UInt8>) {
    var cursor = Cursor(line)
    guard let time = Timestamp.seconds(Self.word(&cursor)) else { return nil }
    let name = Self.word(&cursor)
    guard let fact = Self.fact(String(decoding: name, as: UTF8.self), &cursor) else { return nil }
    self.init(fact, at: time)
  }

  private static func fact(_ name: String, _ cursor: inout Cursor) -> LogFact? {
    switch name {
    case "sending": return numbers(&cursor).map { .sending($0) }
    case "accepted": return numbersAndText(&cursor).map { .accepted($0, $1) }
    case "refused": return numbersAndText(&cursor).map { .refused($0, $1) }
    case "unsent": return numbersAndText(&cursor).map { .unsent($0, $1) }
    case "done": return numbersAndText(&cursor).map { .done($0, $1) }
    case "rejected": return numbersAndText(&cursor).map { .rejected($0, $1) }
    case "undone": return numbersAndText(&cursor).map { .undone($0, $1) }
    case "begun":
      guard let (numbers, note) = numbersAndText(&cursor), numbers.count == 1 else { return nil }
      return .begun(numbers[0], note)
    case "deferred": return attempt(&cursor).map { .deferred($0.0, until: $0.1, $0.2) }
    case "unanswered": return attempt(&cursor).map { .unanswered($0.0, until: $0.1, $0.2) }
    case "postponed": return attempt(&cursor).map { .postponed($0.0, until: $0.1, $0.2) }
    case "split":
      guard let numbers = numbers(&cursor), let id = EntryID(word(&cursor)) else { return nil }
      return .split(numbers, id)
    case "replaced": return EntryID(word(&cursor)).map { .replaced($0) }
    case "failed": return text(&cursor).map { .failed($0) }
    case "retried": return .retried
    case "reported": return .reported
    case "seen": return .seen
    case "held": return text(&cursor).map { .held($0) }
    case "released": return .released
    case "approved": return .approved
    case "discarded":
      return EntryState(rawValue: String(decoding: word(&cursor), as: UTF8.self))
        .map { .discarded($0) }
    case "undiscarded": return .undiscarded
    case "cancelling": return text(&cursor).map { .cancelling($0) }
    case "uncancelled": return .uncancelled
    case "cancelled": return .cancelled
    default: return nil
    }
  }

  /// Recipients or steps, the moment of the next attempt, and what the server said.
  private static func attempt(_ cursor: inout Cursor) -> ([Int], Int64, [UInt8])? {
    guard let numbers = numbers(&cursor), let until = Timestamp.seconds(word(&cursor)),
      let text = text(&cursor)
    else { return nil }
    return (numbers, until, text)
  }

  private static func word(_ cursor: inout Cursor) -> ArraySlice<UInt8> {
    defer { _ = cursor.skip(ASCII.space) }
    return cursor.take { $0 != ASCII.space }
  }

  private static func text(_ cursor: inout Cursor) -> [UInt8]? {
    PercentEscape.unescape(cursor.takeAll())
  }

  private static func numbersAndText(_ cursor: inout Cursor) -> ([Int], [UInt8])? {
    guard let numbers = numbers(&cursor), let text = text(&cursor) else { return nil }
    return (numbers, text)
  }

  private static func numbers(_ cursor: inout Cursor) -> [Int]? {
    var numbers: [Int] = []
    var list = Cursor(word(&cursor))
    repeat {
      guard let number = list.decimal(), (1...1_000_000).contains(number) else { return nil }
      numbers.append(Int(number) - 1)
    } while list.skip(ASCII.comma)
    return list.isAtEnd ? numbers : nil
  }
}

/// A line of a log that cannot be understood, so that it is unknown what became of the entry.
package struct LogError: Error, Hashable, Sendable {
  /// The number of the line, from 1.
  package let line: Int

  package init(line: Int) {
    self.line = line
  }
}
