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

  package let name: String
  /// The accounts whose mail it may see.
  package internal(set) var accounts: [String] = []
  /// What it may see; empty as long as the section was not read.
  package internal(set) var read = QueryText.none
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

  // MARK: Reading

  private static let keys = ["accounts", "read", "never", "rights", "tags", "move-to", "limits"]

  /// Reads an entry of the section.
  mutating func readEntry(_ entry: TOMLEntry) throws(Mistake) {
    switch entry.key {
    case "accounts":
      accounts = try entry.value.words()
      guard !accounts.isEmpty else { throw .badValue("must name an account") }
    case "read": read = try QueryText(entry)
    case "never": never = try QueryText(entry)
    case "rights":
      for word in try entry.value.words() { rights.insert(try Self.right(word)) }
    case "tags": tags = try entry.value.patterns(as: "tags = [\"agent/*\"]")
    case "move-to": moveTargets = try entry.value.patterns(as: "move-to = [\"Archive/%\"]")
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

  private static func right(_ word: String) throws(Mistake) -> Right {
    if let right = Right(rawValue: word) { return right }
    throw KeyValue.unknownWord(word, among: Right.allCases.map(\.rawValue))
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
