package import AgentPlan
package import Configuration
internal import JSON
package import MailModel
internal import Platform

/// Answers the calls of one agent, with the configuration as it is at each.
package final class AgentService: Sendable {
  private let name: String
  private let load: @Sendable () throws(ConfigurationError) -> Configuration
  private let isReadOnly: Bool
  let record: AgentRecord
  private let roles = FolderRoles()

  private struct Loaded: Sendable {
    let profile: AgentProfile
    /// What the file was like; nil where it may change without a sign of that.
    let mark: FileFingerprint?
  }

  private let loaded = Monitor<Loaded?>(nil)

  /// The service of the agent of that name.
  ///
  /// - Parameters:
  ///   - name: the agent.
  ///   - isReadOnly: whether nothing may be changed, whatever the configuration says.
  ///   - load: reads the configuration.
  /// - Throws: why the agent cannot be served: a mistake in the configuration.
  package init(
    _ name: String,
    isReadOnly: Bool,
    _ load: @escaping @Sendable () throws(ConfigurationError) -> Configuration
  ) throws(Explanation) {
    (self.name, self.isReadOnly, self.load) = (name, isReadOnly, load)
    record = AgentRecord(of: name)
    _ = try profile()
  }

  /// The profile as the configuration has it now: the file is read again where it changed.
  package func profile() throws(Explanation) -> AgentProfile {
    if let loaded = loaded.withLock({ $0 }), let mark = loaded.mark,
      Self.mark(of: loaded.profile.configuration.path) == mark
    {
      return loaded.profile
    }
    let configuration: Configuration
    do throws(ConfigurationError) { configuration = try load() } catch { throw error.explanation }
    let mark = Self.mark(of: configuration.path)
    let profile = try AgentProfile(name, in: configuration, now: Clock.now())
    loaded.withLock { $0 = Loaded(profile: profile, mark: mark) }
    return profile
  }

  private static func mark(of file: Path) -> FileFingerprint? {
    let fingerprint = ((try? FileSystem.status(file)) ?? nil)?.fingerprint
    // A change between reading and this look leaves a time that is not relied on.
    return fingerprint.flatMap { $0.isReliable(now: Clock.nowNanoseconds()) ? $0 : nil }
  }

  /// The tools that clients are told of; those of before where the configuration has a mistake by now, of which calls tell.
  package func offered() -> [AgentTool] {
    let profile = loaded.withLock { $0?.profile }
    return (try? self.profile())?.tools(isReadOnly: isReadOnly)
      ?? profile?.tools(isReadOnly: isReadOnly) ?? []
  }

  // MARK: Calls

  /// Does what a call asks for, and records it.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - client: what the client calls itself.
  ///   - running: whether the client still waits for it.
  /// - Returns: what the call came to; nil where no answer is wanted.
  package func perform(
    _ call: ToolCall,
    from client: String?,
    _ running: RunningCall
  ) -> ToolOutcome? {
    var entry = CallRecord(call, client, at: Clock.now())
    do throws(ToolFailure) {
      guard let value = try answer(call, &entry, running) else { return nil }
      return .result(value)
    } catch {
      // A call that is on record as begun gets a second line only where it failed after that.
      return .failed(failed(error, &entry))
    }
  }

  /// Records a call that failed, and counts its line: else calls that fail would fill the record without a limit.
  ///
  /// - Returns: what it failed with: `limit` where there is no room for the line, which then lacks the arguments.
  private func failed(_ failure: ToolFailure, _ entry: inout CallRecord) -> ToolFailure {
    var failure = failure
    (entry.outcome, entry.octets, entry.isDurable) = (failure.code, 0, false)
    do throws(ToolFailure) {
      try record.prepare()
      do throws(ToolFailure) { try chargeLine(of: entry) } catch {
        failure = error
        entry.outcome = error.code
        entry.hasArguments = false
        entry.ids = []
      }
      try add(entry)
    } catch {
      return .full
    }
    return failure
  }

  /// Counts the line of a call that is counted by nothing else; while the configuration has a mistake by what it said before.
  private func chargeLine(of entry: CallRecord) throws(ToolFailure) {
    guard let settings = loaded.withLock({ $0?.profile.settings }) else { throw .refused }
    try record.charge([.bytes: entry.line.text.count + 1], of: settings, at: entry.time)
  }

  private func answer(
    _ call: ToolCall,
    _ entry: inout CallRecord,
    _ running: RunningCall
  ) throws(ToolFailure) -> JSONValue? {
    let profile: AgentProfile
    do throws(Explanation) { profile = try self.profile() } catch { throw .refused }
    guard profile.tools(isReadOnly: isReadOnly).contains(call.tool) else { throw .refused }
    try record.prepare()
    try call.tool.check(call.arguments)
    try checkRoom(for: call, profile, entry.time)
    guard running.isWanted else { return nil }
    if call.tool == .status {
      let rights = profile.rights(isReadOnly: isReadOnly)
      let tool = StatusTool(profile: profile, record: record, rights: rights, now: entry.time)
      return try finished(try tool.answer(), [:], profile, &entry)
    }
    let mail = try AgentMail(profile, roles, now: entry.time)
    let answer: (value: JSONValue, ids: [[UInt8]])
    switch call.tool {
    case .search: answer = try SearchTool(mail, call).answer()
    case .show: answer = try ShowTool(mail, call).answer()
    case .attachment:
      answer = try AttachmentTool(mail, call, isReadOnly: isReadOnly).answer()
    case .status: return nil
    case .draft: return try draft(mail, call, entry, running)
    case .send: return try send(mail, call, entry, running)
    case .act: return try act(mail, call, &entry, running)
    case .undo: return try undo(mail, call, entry, running)
    }
    entry.ids = answer.ids
    guard running.isWanted else { return nil }
    let amounts: [AgentSettings.Limit: Int] =
      call.tool == .search ? [.searches: 1] : [.messages: answer.ids.count]
    return try finished(answer.value, amounts, profile, &entry)
  }

  /// Refuses at once what would be refused after the work.
  private func checkRoom(
    for call: ToolCall,
    _ profile: AgentProfile,
    _ now: Int64
  ) throws(ToolFailure) {
    let wanted: AgentSettings.Limit? =
      switch call.tool {
      case .search: .searches
      case .show: .messages
      case .draft: call.text("discard") == nil ? .drafts : nil
      case .send: .sends
      case .status: nil
      case .attachment: .messages
      case .act, .undo: .acts
      }
    guard let wanted else { return }
    let usage = try record.usage()
    for limit in [wanted, .bytes] {
      let kind = AgentSettings.Limit.allCases.firstIndex(of: limit) ?? 0
      guard usage.used(kind, at: now) < profile.settings.limit(limit) else { throw .limit }
    }
  }

  /// Counts an answer, and records the call; then it may go out.
  private func finished(
    _ value: JSONValue,
    _ amounts: [AgentSettings.Limit: Int],
    _ profile: AgentProfile,
    _ entry: inout CallRecord
  ) throws(ToolFailure) -> JSONValue {
    let count = value.text.count
    entry.outcome = "done"
    entry.octets = count
    if amounts.isEmpty {
      // What an agent may do can be asked for at any time; the line counts, as that of a failure does.
      do throws(ToolFailure) { try chargeLine(of: entry) } catch {
        guard error == .limit else { throw error }
        entry.hasArguments = false
      }
    } else {
      let all = amounts.merging([.bytes: count]) { first, _ in first }
      try record.charge(all, of: profile.settings, at: entry.time)
    }
    try add(entry)
    return value
  }

  /// Records a call.
  func add(_ entry: CallRecord) throws(ToolFailure) {
    try record.prepare()
    try record.add(entry.line, at: entry.time, isDurable: entry.isDurable)
  }
}
