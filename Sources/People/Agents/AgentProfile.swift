package import AgentPlan
package import Configuration
internal import Correspondence
package import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

/// What an agent may see and do, as the configuration has it at one moment.
package struct AgentProfile: Sendable {
  package let configuration: Configuration
  package let settings: AgentSettings

  /// The profile of the agent of that name.
  ///
  /// - Parameters:
  ///   - name: the agent.
  ///   - configuration: the configuration.
  ///   - now: what dates in its queries count from, in seconds since 1970.
  /// - Throws: that there is no such agent; a mistake in one of its queries, with the line.
  package init(_ name: String, in configuration: Configuration, now: Int64) throws(Explanation) {
    self.configuration = configuration
    guard let settings = configuration.agents.first(where: { $0.name == name }) else {
      throw Self.unknown(name, configuration)
    }
    self.settings = settings
    _ = try queries(now: now)
  }

  /// That there is no section for an agent.
  package static func unknown(_ name: String, _ configuration: Configuration) -> Explanation {
    let known = configuration.agents.map(\.name)
    let meant = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
    let shown = Printable.text(name.utf8, limit: 40)
    return Explanation(
      .configuration,
      place: configuration.path.display,
      "there is no agent \"\(shown)\"",
      hint: meant ?? "a section [agent.NAME] says what an agent may do: see magnum-mcp(1)"
    )
  }

  /// The accounts whose mail it may see.
  package var accounts: [Account] {
    settings.accounts.compactMap { configuration.account(named: $0) }
  }

  /// The addresses of these accounts: those of others are not its business.
  var ownAddresses: OwnAddresses {
    let senders = settings.accounts.compactMap { configuration.sender(named: $0) }
    let addresses = accounts.compactMap(\.address) + senders.flatMap(\.addresses)
    return OwnAddresses(addresses.map { [UInt8]($0.utf8) })
  }

  /// The tools that it may call, in their order; of those that change anything none where it is read-only.
  package func tools(isReadOnly: Bool) -> [AgentTool] {
    AgentTool.allCases.filter { tool in
      let rights = Self.rights(for: tool)
      return (rights.isEmpty || !rights.isDisjoint(with: settings.rights))
        && !(isReadOnly && tool.isChanging)
    }
  }

  /// The rights of which one is needed for a tool; none where it needs none.
  private static func rights(for tool: AgentTool) -> Set<AgentSettings.Right> {
    switch tool {
    case .search: [.search]
    case .show: [.show]
    case .status: []
    case .draft: [.draft]
    case .attachment: [.attachments]
    case .send: [.send]
    case .act, .undo: AgentSettings.Right.acts
    }
  }

  /// The rights that count: without those to change anything where it is read-only.
  func rights(isReadOnly: Bool) -> [AgentSettings.Right] {
    let tools = Set(tools(isReadOnly: isReadOnly))
    return AgentSettings.Right.allCases.filter { right in
      settings.rights.contains(right)
        && tools.contains { Self.rights(for: $0).contains(right) }
    }
  }

  /// What it may see, and what it may not, as trees.
  func queries(now: Int64) throws(Explanation) -> (read: Query, never: Query) {
    let key = "agent.\(settings.name)"
    let read = try configuration.query(settings.read, of: "\(key).read", now: now)
    guard let text = settings.never else { return (read, .nothing) }
    return (read, try configuration.query(text, of: "\(key).never", now: now))
  }
}
