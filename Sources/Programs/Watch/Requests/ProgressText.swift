internal import Octets
internal import Terminal

/// How far a sync has come, as a watch tells it: a line, and the octets of a name that it announces.
///
/// The line: `progress`, the phase, the messages that came, all that are to come, the octets that came, octets a second,
/// seconds to the end. The length of the mailbox's name follows, or of the words of the phase `other`. Unknown values are `-`.
struct ProgressText {
  /// The words of a line.
  static let count = 8

  let state: ProgressState

  init(_ state: ProgressState) {
    self.state = state
  }

  /// Reads the words of a line, and the octets behind it; nil where it is none.
  init?(_ words: [Substring], _ text: [UInt8]) {
    guard words.count == Self.count, let messages = Int(words[2]),
      let total = Self.optional(words[3], { Int($0) }), let octets = UInt64(words[4]),
      let rate = Self.optional(words[5], { UInt64($0) }),
      let left = Self.optional(words[6], { UInt64($0) })
    else { return nil }
    let phase: ProgressState.Phase
    if let known = Self.phases.first(where: { $0.word == words[1] }) {
      phase = known.phase
    } else {
      guard words[1] == "other" else { return nil }
      phase = .other(String(decoding: text, as: UTF8.self))
    }
    let isOther = if case .other = phase { true } else { false }
    state = ProgressState(
      account: "",
      phase: phase,
      mailbox: isOther || text.isEmpty ? nil : text,
      messagesDone: messages,
      messagesTotal: total,
      bytesDone: octets,
      bytesPerSecond: rate.map { Double($0) },
      secondsLeft: left.map { Double($0) }
    )
  }

  /// As it is sent.
  var octets: [UInt8] {
    let (word, name): (String, [UInt8])
    if case .other(let words) = state.phase {
      (word, name) = ("other", Array(words.utf8))
    } else {
      word = Self.phases.first { $0.phase == state.phase }?.word ?? "connecting"
      name = state.mailbox ?? []
    }
    let words = [
      "progress", word, "\(state.messagesDone)", Self.word(state.messagesTotal.map { Double($0) }),
      "\(state.bytesDone)", Self.word(state.bytesPerSecond), Self.word(state.secondsLeft),
      "\(name.count)",
    ]
    return Array(words.joined(separator: " ").utf8) + [ASCII.lineFeed] + name
  }

  private static let phases: [(phase: ProgressState.Phase, word: String)] = [
    (.connecting, "connecting"), (.authenticating, "authenticating"), (.folders, "folders"),
    (.headers, "headers"), (.bodies, "bodies"),
  ]

  private static func word(_ number: Double?) -> String {
    number.flatMap { UInt64(exactly: $0.rounded()) }.map { "\($0)" } ?? "-"
  }

  /// Nil where it is no number.
  private static func optional<Number>(
    _ word: Substring,
    _ parse: (Substring) -> Number?
  ) -> Number?? {
    word == "-" ? .some(nil) : parse(word).map { .some($0) }
  }
}
