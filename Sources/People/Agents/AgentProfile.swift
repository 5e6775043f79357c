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
    let read = try query(settings.read, "read", now)
    guard let text = settings.never else { return (read, .nothing) }
    return (read, try query(text, "never", now))
  }

  private func query(
    _ text: AgentSettings.QueryText,
    _ key: String,
    _ now: Int64
  ) throws(Explanation) -> Query {
    let name = "agent.\(settings.name).\(key)"
    let place = configuration.path.display + (text.line.map { ":\($0)" } ?? "")
    let query: Query
    do throws(Explanation) {
      query = try configuration.query(text.text, now: now)
    } catch {
      var mistake = error
      (mistake.status, mistake.place) = (.configuration, place)
      mistake.what = "\(name): \(error.what)"
      throw mistake
    }
    guard !query.namesFiles else {
      throw Explanation(
        .configuration,
        place: place,
        "\(name): file:, lastmod: and the directories cur and new mean nothing here",
        hint: "name folders: folder:INBOX"
      )
    }
    if let field = UnknownField.all(in: Array(text.text.utf8)).first {
      throw Self.unknown(field, name, place)
    }
    return query
  }

  /// That a word looks like a field and is none: as a word it would protect nothing.
  private static func unknown(
    _ field: UnknownField,
    _ key: String,
    _ place: String
  ) -> Explanation {
    let near = Suggestion.nearest(to: field.name, among: UnknownField.known).map { "\($0):" }
    let meant = (field.meaning ?? near).map { "did you mean \($0)?" }
    let shown = Printable.text(field.name.utf8, limit: 40)
    return Explanation(
      .configuration,
      place: place,
      "\(key): \"\(shown):\" is no field",
      hint: meant ?? "magnum-query(7) lists the fields; write the word in quotes if you mean it"
    )
  }
}

extension Query {
  /// Whether it asks for files or revisions, by which no mail is described for long.
  fileprivate var namesFiles: Bool {
    switch self {
    case .exact(.file, _), .revision: true
    case .exact(.path, let path): FolderWords.namesSubdirectory(path)
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.namesFiles }
    case .not(let part), .thread(let part): part.namesFiles
    default: false
    }
  }
}
