package import MailModel
internal import Octets

/// A section `[agent.NAME]`: what a program that reads mail for a person may see and do by `magnum mcp`.
package struct AgentSettings: Hashable, Sendable {
  /// What a section may allow an agent, in the order in which the manual has it.
  package enum Right: String, CaseIterable, Sendable {
    case search, show, draft
    case attachments
    case send
    case mark, tag, archive, move, junk, delete

    /// Those that let it change messages.
    package static let acts: Set<Right> = [.mark, .tag, .archive, .move, .junk, .delete]
  }

  /// What is counted of an agent, with the most of it in an hour.
  package enum Limit: String, CaseIterable, Sendable {
    case messages, bytes, searches, drafts, sends
    /// Messages that acts change.
    case acts

    /// The most of it where the section says nothing.
    package var usual: Int {
      switch self {
      case .messages: 200
      case .bytes: 20_000_000
      case .searches: 600
      case .drafts: 20
      case .sends: 10
      case .acts: 200
      }
    }

    /// More than that makes no sense of a limit.
    fileprivate var largest: Int { self == .bytes ? 1_000_000_000_000 : 1_000_000 }
  }

  /// A query of the section, and where it stands.
  package struct QueryText: Hashable, Sendable {
    package let text: String
    /// The line of the key, from 1.
    package let line: Int?
  }

  package let name: String
  /// The accounts whose mail it may see.
  package internal(set) var accounts: [String] = []
  /// What it may see; empty as long as the section was not read.
  package internal(set) var read = QueryText(text: "", line: nil)
  /// What it may not see, whatever else says; nil for nothing.
  package internal(set) var never: QueryText?
  package internal(set) var rights: Set<Right> = []
  /// The tags that it may set and remove by the right `tag`.
  package internal(set) var tags: [MailboxPattern] = []
  /// The mailboxes to which it may move messages by the right `move`.
  package internal(set) var moveTargets: [MailboxPattern] = []
  private var limits: [Limit: Int] = [:]

  static let section = "agent"

  init(name: String) {
    self.name = name
  }

  /// The most of something in an hour.
  package func limit(_ limit: Limit) -> Int { limits[limit] ?? limit.usual }

  /// Why a name cannot be that of an agent; nil where it can: 1 to 32 of a–z, 0–9 and `-`.
  ///
  /// It names a directory, too.
  package static func objection(to name: String) -> String? {
    let isPlain = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || ASCII.isDigit($0) || $0 == ASCII.minus
    }
    return isPlain && (1...32).contains(name.utf8.count)
      ? nil : "must be 1 to 32 of the characters a-z, 0-9 and \"-\""
  }

  // MARK: Reading

  private static let keys = ["accounts", "read", "never", "rights", "tags", "move-to", "limits"]

  /// Reads an entry of the section.
  mutating func readEntry(_ entry: TOMLEntry) throws(Mistake) {
    switch entry.key {
    case "accounts":
      accounts = try entry.value.words()
      guard !accounts.isEmpty else { throw .badValue("must name an account") }
    case "read": read = try Self.query(entry)
    case "never": never = try Self.query(entry)
    case "rights":
      for word in try entry.value.words() { rights.insert(try Self.right(word)) }
    case "tags": tags = try Self.patterns(entry, as: "tags = [\"agent/*\"]")
    case "move-to": moveTargets = try Self.patterns(entry, as: "move-to = [\"Archive/%\"]")
    case "limits": try readLimits(entry.value)
    case let other:
      let near = Suggestion.nearest(to: other, among: Self.keys)
      throw Mistake(.unknownKey, remedy: near.map { "did you mean \"\($0)\"?" })
    }
  }

  /// What the section lacks, as the key that is missing; nil where nothing is.
  var missing: (key: String, remedy: String)? {
    if accounts.isEmpty {
      return ("accounts", "name the accounts whose mail the agent may see: accounts = [\"NAME\"]")
    }
    if read.text.isEmpty {
      return ("read", "write a query that finds what the agent may see: read = \"folder:INBOX\"")
    }
    return nil
  }

  private static func query(_ entry: TOMLEntry) throws(Mistake) -> QueryText {
    guard case .string(let text) = entry.value else {
      throw Mistake(.wrongType(expected: "a string", found: entry.value.typeName))
    }
    guard !text.utf8.allSatisfy({ $0 <= ASCII.space }) else {
      throw .badValue("must not be empty", remedy: "write \"*\" for all mail")
    }
    return QueryText(text: text, line: entry.line)
  }

  private static func right(_ word: String) throws(Mistake) -> Right {
    if let right = Right(rawValue: word) { return right }
    throw KeyValue.unknownWord(word, among: Right.allCases.map(\.rawValue))
  }

  private static func patterns(
    _ entry: TOMLEntry,
    as example: String
  ) throws(Mistake) -> [MailboxPattern] {
    var patterns: [MailboxPattern] = []
    guard case .array(let nodes) = entry.value else {
      throw Mistake(
        .wrongType(expected: "an array of strings", found: entry.value.typeName),
        remedy: "write \(example)"
      )
    }
    for node in nodes {
      guard case .string(let text) = node else {
        throw Mistake(
          .wrongType(expected: "an array of strings", found: "an array with \(node.typeName)")
        )
      }
      guard !text.isEmpty else { throw .badValue("must not be empty", remedy: "write \(example)") }
      patterns.append(MailboxPattern(text))
    }
    return patterns
  }

  private mutating func readLimits(_ value: TOMLNode) throws(Mistake) {
    guard case .table(let entries) = value else {
      throw Mistake(
        .wrongType(expected: "a table", found: value.typeName),
        remedy: "write limits = { messages = 200 }"
      )
    }
    for entry in entries {
      guard let limit = Limit(rawValue: entry.key) else {
        throw KeyValue.unknownWord(entry.key, among: Limit.allCases.map(\.rawValue))
      }
      limits[limit] = try Self.number(entry.value, limit)
    }
  }

  private static func number(_ value: TOMLNode, _ limit: Limit) throws(Mistake) -> Int {
    var number: Int?
    switch value {
    case .integer(let plain): number = plain
    case .string(let text) where limit == .bytes:
      number = KeyValue.octets(ofSize: text).map { Int(clamping: $0) }
    default:
      let expected = limit == .bytes ? "an integer or a size such as \"20MB\"" : "an integer"
      throw Mistake(.wrongType(expected: expected, found: value.typeName))
    }
    guard let number, (0...limit.largest).contains(number) else {
      throw .badValue("\(limit.rawValue) must be 0 to \(limit.largest)")
    }
    return number
  }
}
