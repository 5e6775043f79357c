internal import Octets
internal import Syncing
internal import Terminal

/// What a program asks of a watch: a sync of the account now, over the connection that is open.
///
/// A line: `sync`, the version, the checksum of the configuration, the form of the report, whether a person reads it, whether
/// the account was named, and where the report goes.
struct WatchRequest: Hashable, Sendable {
  /// Where the program writes its messages.
  enum Terminal: String, Hashable, Sendable, CaseIterable {
    case none, plain, colours
  }

  /// The version of requests and answers; to one of another version no watch makes a sync.
  private static let version = "2"
  /// The longest line, in octets.
  static let limit = 200

  /// What the program has read as its configuration.
  var configuration: UInt64
  /// In which form the sync is reported to it.
  var form: ReportForm
  /// Whether standing problems are reported each time, as to a person.
  var isAttended: Bool
  /// Whether the account was named, so that what the server refused before is tried again.
  var isNamed = false
  /// Whether a terminal shows the messages.
  var terminal = Terminal.none

  init(
    configuration: UInt64,
    form: ReportForm,
    isAttended: Bool,
    isNamed: Bool = false,
    terminal: Terminal = .none
  ) {
    self.configuration = configuration
    self.form = form
    self.isAttended = isAttended
    self.isNamed = isNamed
    self.terminal = terminal
  }

  /// The request of a line without its end; nil for anything else, such as what a later version asks.
  init?(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
    guard words.count == 7, words[0].elementsEqual("sync".utf8),
      words[1].elementsEqual(Self.version.utf8),
      let configuration = UInt64(String(decoding: words[2], as: UTF8.self), radix: 16),
      let form = Self.forms.first(where: { words[3].elementsEqual(Self.word($0).utf8) }),
      let isAttended = Self.choice(words[4], "attended", "unattended"),
      let isNamed = Self.choice(words[5], "named", "unnamed"),
      let terminal = Terminal.allCases.first(where: { words[6].elementsEqual($0.rawValue.utf8) })
    else { return nil }
    self.init(
      configuration: configuration,
      form: form,
      isAttended: isAttended,
      isNamed: isNamed,
      terminal: terminal
    )
  }

  /// The line, with its end.
  var line: [UInt8] {
    let words = [
      "sync", Self.version, String(configuration, radix: 16), Self.word(form),
      isAttended ? "attended" : "unattended", isNamed ? "named" : "unnamed", terminal.rawValue,
    ]
    return Array((words.joined(separator: " ") + "\n").utf8)
  }

  private static let forms: [ReportForm] = [
    .json, .text(.quiet), .text(.normal), .text(.verbose),
  ]

  private static func word(_ form: ReportForm) -> String {
    switch form {
    case .json: "json"
    case .text(.quiet): "quiet"
    case .text(.normal): "normal"
    case .text(.verbose): "verbose"
    }
  }

  private static func choice(_ word: ArraySlice<UInt8>, _ yes: String, _ no: String) -> Bool? {
    if word.elementsEqual(yes.utf8) { return true }
    return word.elementsEqual(no.utf8) ? false : nil
  }
}

extension WatchRequest.Terminal {
  /// The kind of what has these traits.
  init(_ traits: TerminalTraits) {
    self = !traits.isTerminal ? .none : traits.allowsColours ? .colours : .plain
  }

  /// What a report may hold that is passed on to it; nil for plain text.
  var traits: TerminalTraits? {
    switch self {
    case .none: nil
    case .plain: TerminalTraits(relayedWithColours: false)
    case .colours: TerminalTraits(relayedWithColours: true)
    }
  }
}
