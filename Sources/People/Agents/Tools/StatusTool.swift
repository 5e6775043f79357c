internal import AgentPlan
internal import Configuration
internal import JSON
internal import MailModel
internal import Octets
internal import Platform
internal import SpoolPlan
internal import SyncState

/// The tool `status`: what an agent may do, and what is left of it.
struct StatusTool {
  let profile: AgentProfile
  let record: AgentRecord
  let rights: [AgentSettings.Right]
  let now: Int64

  func answer() throws(ToolFailure) -> JSONValue {
    .object([
      ToolAnswer.version, ("rights", .array(rights.map { .string($0.rawValue) })),
      ("limits", try limits()), ("accounts", .array(profile.accounts.map(account))),
      ("drafts", .array(try drafts())),
      ("held", .array(try HandedIn(profile.configuration, record).states())),
    ])
  }

  private func limits() throws(ToolFailure) -> JSONValue {
    let usage = try record.usage()
    return .object(
      AgentSettings.Limit.allCases.enumerated().map { kind, limit in
        let left = max(0, profile.settings.limit(limit) - usage.used(kind, at: now))
        var members: [(name: String, value: JSONValue)] = [("left", ToolAnswer.number(left))]
        if let until = usage.nextFree(kind, at: now) { members.append(("until", Self.time(until))) }
        return (limit.rawValue, .object(members))
      }
    )
  }

  private func account(_ account: Account) -> JSONValue {
    let memory = AccountPlaces.memory(of: account, in: Environment.stateHome)
    let status = try? FileSystem.status(LastSync(memory).file)
    var members: [(name: String, value: JSONValue)] = [("name", .string(account.name))]
    if let synced = status?.fingerprint.modified {
      members.append(("synced", ToolAnswer.number(max(0, now - synced / 1_000_000_000))))
    }
    return .object(members)
  }

  /// Those that are still there as the agent wrote them, the newest of many.
  private func drafts() throws(ToolFailure) -> [JSONValue] {
    try record.drafts().suffix(100).filter { AgentDrafts(profile, record).file(of: $0) != nil }
      .map { .object([("draft", .string($0.handle)), ("date", Self.time($0.time))]) }
  }

  private static func time(_ seconds: Int64) -> JSONValue {
    .string(String(decoding: Timestamp.octets(seconds), as: UTF8.self))
  }
}
