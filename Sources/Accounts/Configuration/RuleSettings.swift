package import MailModel
internal import Octets

/// A section `[rule.NAME]`: what is done to messages that a query finds.
package struct RuleSettings: Hashable, Sendable {
  /// Where a rule moves messages.
  package enum Move: Hashable, Sendable {
    /// Into the folder of that name, in the account of the message.
    case folder(String)
    case archive, junk
    /// Into Trash.
    case delete
  }

  package let name: String
  /// Which messages it is about; empty as long as the section was not read.
  package internal(set) var when = QueryText.none
  /// The program that decides besides, with its arguments; empty for none.
  package internal(set) var command: [String] = []
  /// What it does, as the section has it.
  package internal(set) var deeds: [String] = []
  /// The line of these, from 1.
  package internal(set) var deedsLine: Int?
  /// Where it moves messages; nil for nowhere.
  package internal(set) var move: Move?
  /// The tags and flags that messages get and lose, as `magnum tag` takes them: `+work`, `-unread`.
  package internal(set) var tags: [String] = []
  /// The mailboxes in which messages arrive for it.
  package internal(set) var mailboxes = [MailboxPattern("INBOX")]
  /// The accounts for whose mail it is.
  package internal(set) var accounts: [String] = []
  /// Whether the section names these; else they are all that can have rules.
  package internal(set) var namesAccounts = false
  /// The machines that it is for, by their names; empty for all.
  package internal(set) var hosts: [String] = []
  /// Whether later rules do not see the messages that it is about.
  package internal(set) var isLast = false

  static let section = "rule"

  init(name: String) {
    self.name = name
  }

  /// Whether it is for the machine of that name; the case of ASCII letters does not matter.
  package func applies(on host: [UInt8]) -> Bool {
    hosts.isEmpty || hosts.contains { [UInt8]($0.utf8).equalsCaseless(host) }
  }

  // MARK: Reading

  private static let keys = ["when", "when-command", "do", "in", "accounts", "hosts", "stop"]
  private static let moves: [String: Move] = [
    "archive": .archive, "junk": .junk, "delete": .delete,
  ]
  private static let marks = [
    "read": "-unread", "unread": "+unread", "flag": "+flagged", "unflag": "-flagged",
  ]
  private static let verbs = [
    "move", "archive", "junk", "delete", "read", "unread", "flag", "unflag", "tag",
  ]

  /// Reads an entry of the section.
  mutating func readEntry(_ entry: TOMLEntry) throws(Mistake) {
    switch entry.key {
    case "when": when = try QueryText(entry)
    case "when-command": try readCommand(entry)
    case "do": try readDeeds(entry)
    case "in": mailboxes = try entry.value.patterns(as: "in = [\"INBOX\"]")
    case "accounts":
      accounts = try Self.names(entry, as: "accounts = [\"work\"]")
      namesAccounts = true
    case "hosts": hosts = try Self.names(entry, as: "hosts = [\"desk\"]")
    case "stop":
      guard case .boolean(let isLast) = entry.value else {
        throw Mistake(.wrongType(expected: "a boolean", found: entry.value.typeName))
      }
      self.isLast = isLast
    case let other:
      let near = Suggestion.nearest(to: other, among: Self.keys)
      throw Mistake(.unknownKey, remedy: near.map { "did you mean \"\($0)\"?" })
    }
  }

  /// What the section lacks, as the key that is missing; nil where nothing is.
  var missing: (key: String, remedy: String)? {
    if when.text.isEmpty {
      return ("when", "write a query that finds the messages: when = \"list:swift\"")
    }
    return deeds.isEmpty
      ? ("do", "write what is done to them: do = [\"move Lists\", \"read\"]") : nil
  }

  /// Why mail of an account is for no rule; nil where it is.
  static func objection(to account: Account) -> Mistake? {
    if !account.isIndexed {
      return .badValue(
        "the account \(account.name) has no index",
        remedy: "write index = true there"
      )
    }
    guard account.server != nil, account.sync.direction != .both else { return nil }
    return .badValue(
      "the account \(account.name) is not synced both ways",
      remedy: "rules need direction = \"both\""
    )
  }

  private mutating func readCommand(_ entry: TOMLEntry) throws(Mistake) {
    command = try entry.value.words()
    guard let program = command.first, !program.isEmpty else {
      throw .badValue("must name a program", remedy: "write when-command = [\"bogofilter\"]")
    }
    // It decides alone unless there is a query.
    if when.text.isEmpty { when = .all }
  }

  private static func names(_ entry: TOMLEntry, as example: String) throws(Mistake) -> [String] {
    let names = try entry.value.strings(as: example)
    guard !names.isEmpty else { throw .badValue("must not be empty", remedy: "write \(example)") }
    return names
  }

  private mutating func readDeeds(_ entry: TOMLEntry) throws(Mistake) {
    let example = "do = [\"move Lists\", \"read\"]"
    (deeds, deedsLine) = (try Self.names(entry, as: example), entry.line)
    for deed in deeds { try read(deed) }
    for (one, other) in [("read", "unread"), ("flag", "unflag")]
    where deeds.contains(one) && deeds.contains(other) {
      throw .badValue("\"\(one)\" and \"\(other)\" do not go together")
    }
  }

  private mutating func read(_ deed: String) throws(Mistake) {
    let words = deed.split(separator: " ", maxSplits: 1).map(String.init)
    let verb = words.first ?? ""
    let rest = words.dropFirst().first.map(Self.trimmed) ?? ""
    guard Self.verbs.contains(verb) else { throw KeyValue.unknownWord(verb, among: Self.verbs) }
    switch verb {
    case "move":
      guard !rest.isEmpty else {
        throw .badValue("\"move\" names no folder", remedy: "write do = [\"move Lists\"]")
      }
      try setMove(.folder(rest))
    case "tag":
      let tags = rest.split(separator: " ").map(String.init)
      guard !tags.isEmpty, tags.allSatisfy(Self.isSigned) else {
        throw .badValue(
          "\"\(Printable.text(deed.utf8, limit: 60))\" does not say which tags are set and removed",
          remedy: "write do = [\"tag +work -todo\"]"
        )
      }
      self.tags += tags
    default:
      guard rest.isEmpty else { throw .badValue("\"\(verb)\" takes no further words") }
      if let mark = Self.marks[verb] { tags.append(mark) }
      if let move = Self.moves[verb] { try setMove(move) }
    }
  }

  private mutating func setMove(_ move: Move) throws(Mistake) {
    guard self.move == nil else {
      throw .badValue(
        "moves a message twice",
        remedy: "keep one of \"move\", \"archive\", \"junk\" and \"delete\""
      )
    }
    self.move = move
  }

  private static func isSigned(_ tag: String) -> Bool {
    tag.utf8.count > 1 && (tag.hasPrefix("+") || tag.hasPrefix("-"))
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
