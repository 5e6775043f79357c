import IMAP
import MailModel
import Octets
import TestSupport

/// Commands as people write them in a fixture: `fetch 1:3,7 uid,flags since 9`.
enum CommandText {
  static func parse(_ line: String) throws -> IMAP.Command {
    let words = try line.split(separator: " ").map { try octets($0) }
    let arguments = words.dropFirst()
    switch String(line.prefix { $0 != " " }) {
    case "capability": return .capability
    case "noop": return .noop
    case "idle": return .idle
    case "notify": return .notify
    case "notify-none": return .notifyNone
    case "logout": return .logout
    case "starttls": return .startTLS
    case "compress": return .compress
    case "unselect": return .unselect
    case "login": return .login(user: words[1], password: words[2])
    case "authenticate":
      let secret = words.count > 3 ? words[3] : []
      return .authenticate(
        mechanism: words[1],
        initialResponse: arguments.dropFirst().first,
        secret: secret
      )
    case "enable": return .enable([[UInt8]](arguments))
    case "namespace": return .namespace
    case "list": return try list(words)
    case "status": return .status(MailboxName(wire: words[1]), try statusItems(words[2]))
    case "examine": return .examine(MailboxName(wire: words[1]), try parameter(words))
    case "select": return .select(MailboxName(wire: words[1]), try parameter(words))
    case "fetch": return try fetch(words)
    case "search", "search-all":
      return .uidSearch(try query(words), returningAll: text(words[0]) == "search-all")
    default: return try ChangeText.parse(words)
    }
  }

  static func text(_ octets: some Collection<UInt8>) -> String {
    String(decoding: octets, as: UTF8.self)
  }

  static func set(_ text: String) throws -> UIDSet {
    UIDSet(
      try text.split(separator: ",").map { part in
        let bounds = part.split(separator: ":").compactMap { UInt32($0) }
        guard let first = bounds.first, let last = bounds.last else {
          throw HarnessError("not a set: \(text)")
        }
        return first...last
      }
    )
  }

  private static func octets(_ word: Substring) throws -> [UInt8] {
    word == "\"\"" ? [] : try Fixtures.unescape(String(word))
  }

  private static func list(_ words: [[UInt8]]) throws -> IMAP.Command {
    let options = words.dropFirst(3).map(text)
    var returning: ListReturn?
    if options.first == "return" {
      let items = options.dropFirst().filter { $0 != "special-use" }
      returning = ListReturn(
        specialUse: options.contains("special-use"),
        status: try items.flatMap { try statusItems([UInt8]($0.utf8)) }
      )
    }
    return .list(reference: words[1], pattern: words[2], returning: returning)
  }

  private static func statusItems(_ word: [UInt8]) throws -> [StatusItem] {
    try text(word).split(separator: ",").map { name in
      guard let item = StatusItem.allCases.first(where: { "\($0)" == name }) else {
        throw HarnessError("unknown status item: \(name)")
      }
      return item
    }
  }

  private static func parameter(_ words: [[UInt8]]) throws -> SelectParameter? {
    let options = words.dropFirst(2).map(text)
    switch options.first {
    case nil: return nil
    case "condstore": return .condstore
    case "qresync":
      guard let validity = UInt32(options[1]), let modSequence = UInt64(options[2]) else { break }
      let known = try options.dropFirst(3).first.map { try set($0) }
      return .qresync(validity: validity, modSequence: modSequence, knownUIDs: known)
    default: break
    }
    throw HarnessError("unknown parameter: \(options)")
  }

  private static func fetch(_ words: [[UInt8]]) throws -> IMAP.Command {
    let messages = text(words[1])
    let start = messages.hasSuffix(":*") ? UInt32(messages.dropLast(2)) : nil
    return .uidFetch(
      try start.map { .from($0) } ?? .uids(try set(messages)),
      try text(words[2]).split(separator: ",").map(fetchItem),
      changedSince: words.count > 4 ? UInt64(text(words[4])) : nil
    )
  }

  private static func fetchItem(_ name: Substring) throws -> FetchItem {
    switch name {
    case "uid": return .uid
    case "flags": return .flags
    case "date": return .internalDate
    case "size": return .size
    case "modseq": return .modSequence
    case "body": return .body
    case "emailid": return .emailID
    case "labels": return .labels
    case "structure": return .structure
    default: break
    }
    if name.hasPrefix("section:") {
      let parts = name.dropFirst(8).split(separator: "/")
      let numbers = parts.dropFirst().compactMap { Int($0) }
      guard numbers.count == parts.count - 1, let limit = numbers.last, numbers.count < 3 else {
        throw HarnessError("unknown section: \(name)")
      }
      return .section([UInt8](parts[0].utf8), from: numbers.dropLast().first ?? 0, limit: limit)
    }
    guard name.hasPrefix("header:") else { throw HarnessError("unknown item: \(name)") }
    return .header(name.dropFirst(7).split(separator: "+").map { [UInt8]($0.utf8) })
  }

  private static func query(_ words: [[UInt8]]) throws -> SearchQuery {
    switch text(words[1]) {
    case "all": return .all
    case "seen": return .seen
    case "answered": return .answered
    case "flagged": return .flagged
    case "deleted": return .deleted
    case "draft": return .draft
    case "keyword": return .keyword(words[2])
    case "since": if let day = Int64(text(words[2])) { return .since(day: day) }
    default: break
    }
    throw HarnessError("unknown query: \(words.map(text))")
  }
}
