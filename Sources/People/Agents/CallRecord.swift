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
  /// Whether the arguments are told, too.
  var hasArguments = true

  /// Texts that are longer stand as their length and checksum.
  private static let textLimit = 1000
  /// Octets of all arguments: where there are more, those members that are longer than `memberLimit` stand as their length and
  /// checksum.
  private static let argumentsLimit = 2000
  private static let memberLimit = 150

  init(_ call: ToolCall, _ client: String?, at time: Int64) {
    (self.call, self.client, self.time) = (call, client, time)
  }

  /// The record of a call that is about to change something, with the octets of its answer: it is on the disk before that.
  func begun(answering octets: Int) -> CallRecord {
    var begun = self
    (begun.outcome, begun.octets, begun.isDurable) = ("done", octets, true)
    return begun
  }

  var line: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("version", .number("1")),
      ("time", .string(String(decoding: Timestamp.octets(time), as: UTF8.self))),
      ("process", .number("\(getpid())")), ("tool", .string(call.tool.rawValue)),
    ]
    if hasArguments { members.append(("arguments", Self.bounded(call.arguments))) }
    members.append(("outcome", .string(outcome)))
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

  /// Arguments in so many octets.
  private static func bounded(_ arguments: JSONValue) -> JSONValue {
    let all = short(arguments, name: nil)
    guard all.text.count > argumentsLimit else { return all }
    guard case .object(let members) = arguments else { return sum(of: arguments) }
    let fewer = JSONValue.object(
      members.prefix(50).map { member in
        let value = short(member.value, name: member.name)
        let isLong = value.text.count > memberLimit
        return (text([UInt8](member.name.utf8)), isLong ? sum(of: member.value) : value)
      }
    )
    return fewer.text.count > argumentsLimit ? sum(of: arguments) : fewer
  }

  /// How much a value is, and the SHA-256 of it.
  private static func sum(of value: JSONValue) -> JSONValue {
    let count: Int
    switch value {
    case .string(let text): return .object(sums([UInt8](text.utf8)))
    case .array(let values): count = values.count
    case .object(let members): count = members.count
    case .null, .boolean, .number: return .object(sums(value.text))
    }
    return .object([("count", .number("\(count)"))] + sums(value.text))
  }

  private static func sums(_ octets: [UInt8]) -> [(name: String, value: JSONValue)] {
    [
      ("length", .number("\(octets.count)")),
      ("sha256", .string(String(decoding: AgentDrafts.sum(octets), as: UTF8.self))),
    ]
  }

  /// Arguments without long texts: what a draft says is in the draft.
  private static func short(_ value: JSONValue, name: String?) -> JSONValue {
    switch value {
    case .string(let text) where name == "text" || text.utf8.count > textLimit:
      return .object(sums([UInt8](text.utf8)))
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
