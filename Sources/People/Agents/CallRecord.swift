internal import AgentPlan
internal import Glibc
internal import JSON
internal import Octets
internal import SpoolPlan

/// A line of the record: a call, and what it came to.
struct CallRecord {
  private let call: ToolCall
  private let client: String?
  let time: Int64
  var outcome = ""
  /// The Message-IDs of what the agent was shown.
  var ids: [[UInt8]] = []
  /// The handle of a draft that it wrote.
  var draft: String?
  /// The entry of the queue that it made.
  var entry: EntryID?
  /// The number of an act that it did.
  var act: Int?
  /// Octets of the answer.
  var octets = 0
  /// Whether it must be on the disk before anything else is done.
  var isDurable = false

  /// Texts that are longer stand as their length and checksum.
  private static let textLimit = 1000

  init(_ call: ToolCall, _ client: String?, at time: Int64) {
    (self.call, self.client, self.time) = (call, client, time)
  }

  var line: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("version", .number("1")),
      ("time", .string(String(decoding: Timestamp.octets(time), as: UTF8.self))),
      ("process", .number("\(getpid())")), ("tool", .string(call.tool.rawValue)),
      ("arguments", Self.short(call.arguments, name: nil)), ("outcome", .string(outcome)),
    ]
    if let client { members.append(("client", .string(client))) }
    if !ids.isEmpty { members.append(("ids", .array(ids.map { .string(Self.text($0)) }))) }
    if let draft { members.append(("draft", .string(draft))) }
    if let entry { members.append(("entry", .string("\(entry)"))) }
    if let act { members.append(("act", .number("\(act)"))) }
    members.append(("octets", .number("\(octets)")))
    return .object(members)
  }

  private static func text(_ octets: [UInt8]) -> String {
    var clean = CleanText()
    return String(decoding: clean.line(octets, limit: 1000), as: UTF8.self)
  }

  /// Arguments without long texts: what a draft says is in the draft.
  private static func short(_ value: JSONValue, name: String?) -> JSONValue {
    switch value {
    case .string(let text) where name == "text" || text.utf8.count > textLimit:
      let octets = [UInt8](text.utf8)
      return .object([
        ("length", .number("\(octets.count)")),
        ("sha256", .string(String(decoding: AgentDrafts.sum(octets), as: UTF8.self))),
      ])
    case .object(let members):
      return .object(
        members.prefix(50).map { member in
          (Self.text([UInt8](member.name.utf8)), short(member.value, name: member.name))
        }
      )
    case .array(let values): return .array(values.prefix(50).map { short($0, name: name) })
    case .string(let text): return .string(Self.text([UInt8](text.utf8)))
    case .null, .boolean, .number: return value
    }
  }
}
