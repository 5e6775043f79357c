internal import AgentPlan
package import Configuration
package import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

extension Configuration {
  /// How many drafts of agents wait in an account as they were written.
  package func agentDrafts(of account: String) -> Int {
    agents.isEmpty ? 0 : AgentDrafts.count(of: account, in: self)
  }
}

// What a person is shown of an agent.
extension AgentProfile {
  /// Tools, messages by folders, and limits, a line each.
  ///
  /// - Throws: why the mail of the agent cannot be read.
  package func lines(isReadOnly: Bool) throws(Explanation) -> [String] {
    let now = Clock.now()
    var lines = ["agent \(settings.name)"]
    lines.append("tools: \(tools(isReadOnly: isReadOnly).map(\.rawValue).joined(separator: ", "))")
    lines += rightLines
    lines += try mailLines(now)
    let limits = AgentSettings.Limit.allCases.map { "\(settings.limit($0)) \($0.rawValue)" }
    lines.append("limits in an hour: \(limits.joined(separator: ", "))")
    lines.append("record: \(AgentRecord(of: settings.name).directory.display)")
    return lines
  }

  /// Rights that allow nothing, since nothing is named to which they would lead.
  private var rightLines: [String] {
    var lines: [String] = []
    if settings.rights.contains(.move), settings.moveTargets.isEmpty {
      lines.append("move: nowhere, since move-to names no folder")
    }
    if settings.rights.contains(.tag), settings.tags.isEmpty {
      lines.append("tag: nothing, since tags names no tag")
    }
    return lines
  }

  private func mailLines(_ now: Int64) throws(Explanation) -> [String] {
    do throws(ToolFailure) {
      let mail = try AgentMail(self, FolderRoles(), now: now)
      let messages = try mail.look { (set) throws(IndexError) in
        try set.messages(mail.view.query, .unsorted)
      }
      var counts: [[UInt8]: Int] = [:]
      for message in messages {
        for folder in try mail.files(of: message).foldersByName { counts[folder, default: 0] += 1 }
      }
      let count = messages.count == 1 ? "1 message" : "\(messages.count) messages"
      let folders = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      return ["mail: \(count) of \(settings.accounts.joined(separator: ", "))"]
        + folders.map { "    \(Printable.text($0.key, limit: 100))  \($0.value)" }
    } catch {
      throw Explanation(
        .partial,
        "the mail of the agent cannot be searched now",
        hint: "magnum index makes the index of an account that has none"
      )
    }
  }
}
