internal import MailModel
internal import Octets
internal import Terminal

/// What a watch tells a program that asked it for a sync.
enum WatchAnswer: Hashable, Sendable {
  /// The sync is waited for, or under way.
  case working
  /// Further lines that the sync reports on standard output, and as messages.
  case output([UInt8])
  case errors([UInt8])
  /// How far the sync has come, without the name of the account.
  case progress(ProgressState)
  /// The sync is over; the last that is told.
  case done(ExitStatus)
  /// No sync is made for the program, which is to make its own.
  case declined
  /// The watch ends, or begins anew, before the sync is done: the program is to ask once more, or to make its own.
  case again

  /// Whether nothing follows it.
  var isEnd: Bool {
    switch self {
    case .working, .output, .errors, .progress: false
    case .done, .declined, .again: true
    }
  }

  /// The most octets of a report, and so of each part of it.
  static let limit = 16 << 20

  /// As it is sent: a line, and the octets that it announces.
  var octets: [UInt8] {
    switch self {
    case .working: Array("working\n".utf8)
    case .output(let octets): Array("output \(octets.count)\n".utf8) + octets
    case .errors(let octets): Array("errors \(octets.count)\n".utf8) + octets
    case .progress(let state): ProgressText(state).octets
    case .done(let status): Array("done \(status.rawValue)\n".utf8)
    case .declined: Array("declined\n".utf8)
    case .again: Array("again\n".utf8)
    }
  }
}

/// Reads answers as they come in, in pieces of any size.
struct WatchAnswerReader: Sendable {
  /// What is no answer.
  struct Malformed: Error, Hashable {}

  /// The longest line, in octets.
  private static let lineLimit = 200

  private var octets: [UInt8] = []

  /// Reads what came in, and gives the answers that are complete.
  mutating func readAnswers(_ piece: [UInt8]) throws(Malformed) -> [WatchAnswer] {
    octets += piece
    var answers: [WatchAnswer] = []
    while let answer = try next() { answers.append(answer) }
    return answers
  }

  private mutating func next() throws(Malformed) -> WatchAnswer? {
    guard let end = octets.firstIndex(of: ASCII.lineFeed) else {
      guard octets.count <= Self.lineLimit else { throw Malformed() }
      return nil
    }
    guard end <= Self.lineLimit else { throw Malformed() }
    let words = String(decoding: octets[..<end], as: UTF8.self).split(separator: " ")
    let rest = octets[(end + 1)...]
    let answer: WatchAnswer
    var length = 0
    switch (words.first, words.count) {
    case ("working", 1): answer = .working
    case ("declined", 1): answer = .declined
    case ("again", 1): answer = .again
    case ("done", 2): answer = .done(try Self.status(words[1]))
    case ("output", 2), ("errors", 2):
      length = try Self.length(words[1])
      guard rest.count >= length else { return nil }
      let text = Array(rest.prefix(length))
      answer = words[0] == "output" ? .output(text) : .errors(text)
    case ("progress", ProgressText.count):
      length = try Self.length(words[ProgressText.count - 1])
      guard rest.count >= length else { return nil }
      guard let text = ProgressText(words, Array(rest.prefix(length))) else { throw Malformed() }
      answer = .progress(text.state)
    default: throw Malformed()
    }
    octets = Array(rest.dropFirst(length))
    return answer
  }

  private static func length(_ word: Substring) throws(Malformed) -> Int {
    guard let length = Int(word), (0...WatchAnswer.limit).contains(length) else {
      throw Malformed()
    }
    return length
  }

  private static func status(_ word: Substring) throws(Malformed) -> ExitStatus {
    guard let status = Int32(word).flatMap(ExitStatus.init(rawValue:)) else { throw Malformed() }
    return status
  }
}
