internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import Hashing
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import SyncState

/// The drafts of an agent on disk: only those whose octets are still what it wrote are its own.
struct AgentDrafts {
  private let profile: AgentProfile
  private let record: AgentRecord

  /// Octets of a draft that is read, at most.
  private static let limit = 1 << 24

  init(_ profile: AgentProfile, _ record: AgentRecord) {
    (self.profile, self.record) = (profile, record)
  }

  /// How many drafts of all agents of a configuration wait in an account as they were written.
  static func count(of account: String, in configuration: Configuration) -> Int {
    configuration.agents.reduce(0) { sum, settings in
      guard let profile = try? AgentProfile(settings.name, in: configuration, now: Clock.now())
      else { return sum }
      let record = AgentRecord(of: settings.name)
      let drafts = ((try? record.drafts()) ?? []).filter { $0.account == account }
      return sum + drafts.count { AgentDrafts(profile, record).file(of: $0) != nil }
    }
  }

  /// The draft of a handle, with its file.
  ///
  /// - Throws: `not-found` where the agent has none, or a person or a program has changed it.
  func draft(_ handle: String) throws(ToolFailure) -> (AgentRecord.WrittenDraft, file: Path) {
    guard let draft = try record.drafts().last(where: { $0.handle == handle }),
      let file = file(of: draft)
    else { throw .notFound }
    return (draft, file)
  }

  /// The file of a draft; nil where it is gone or holds other octets than the agent wrote.
  func file(of draft: AgentRecord.WrittenDraft) -> Path? {
    guard let account = profile.accounts.first(where: { $0.name == draft.account }),
      let folder = try? DraftsFolder(of: account)
    else { return nil }
    // A sync may give it a name of its own, by which only the index finds it.
    let paths = [folder.file(named: draft.file), found(draft, in: folder)]
    return paths.lazy.compactMap { $0 }.first { (try? octets(of: draft, $0)) != nil }
  }

  private func found(_ draft: AgentRecord.WrittenDraft, in folder: DraftsFolder) -> Path? {
    guard let id = MessageID(stripping: draft.messageID),
      let finder = try? MessageFinder(
        profile.configuration,
        accounts: [draft.account],
        report: { _ in }
      ), let file = finder.file(of: id), folder.contains(file)
    else { return nil }
    return file.currentPath()
  }

  /// The SHA-256 of octets, as hexadecimal digits.
  static func sum(_ octets: [UInt8]) -> [UInt8] { Hex.encode(Hashes.sha256(octets)) }

  /// Removes a draft that the agent wrote; the sync removes it from the server.
  ///
  /// - Throws: `not-found` where it is changed by now, `again` where a person goes on with it.
  func remove(_ draft: AgentRecord.WrittenDraft, _ file: Path) throws(ToolFailure) {
    try locked(draft, file) { (_) throws(ToolFailure) in try removeLocked(draft, file) }
  }

  /// Does something with the octets of a draft that the agent wrote, while no person goes on with it.
  ///
  /// - Throws: `not-found` where it is changed by now, `again` where a person goes on with it; what the body throws.
  func locked<Value>(
    _ draft: AgentRecord.WrittenDraft,
    _ file: Path,
    _ body: ([UInt8]) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value {
    let outcome: FileLock.Outcome
    do throws(SystemError) {
      outcome = try FileLock.acquire(existing: file)
    } catch {
      throw .notFound
    }
    if case .heldByOther = outcome { throw .again }
    defer { withExtendedLifetime(outcome) {} }
    return try body(try octets(of: draft, file))
  }

  /// The octets of a draft as the agent wrote it.
  ///
  /// - Throws: `not-found` where they are others by now.
  func octets(of draft: AgentRecord.WrittenDraft, _ file: Path) throws(ToolFailure) -> [UInt8] {
    guard let octets = (try? FileSystem.readFile(file, limit: Self.limit)) ?? nil,
      Self.sum(octets) == draft.sum
    else { throw .notFound }
    return octets
  }

  /// Removes a draft whose file is locked.
  func removeLocked(_ draft: AgentRecord.WrittenDraft, _ file: Path) throws(ToolFailure) {
    do throws(SystemError) {
      try FileSystem.remove(file)
      try FileSystem.synchroniseDirectory(file.parent)
    } catch {
      throw .again
    }
    if let account = profile.configuration.account(named: draft.account) {
      _ = IndexNote.scan(account)
    }
  }

  /// Writes a draft into the folder for drafts, after it is on record; durable when it returns.
  ///
  /// - Parameters:
  ///   - octets: the draft.
  ///   - account: where it goes.
  ///   - id: its Message-ID.
  ///   - now: the time, in seconds since 1970.
  ///   - begin: is called with its handle before it is placed; what it throws keeps it from being placed.
  /// - Returns: its handle, and whether searches find it.
  /// - Throws: why it is not there.
  func write(
    _ octets: [UInt8],
    to account: Account,
    id: MessageID,
    at now: Int64,
    _ begin: (String) throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> (handle: String, isFound: Bool) {
    do {
      let folder = try DraftsFolder(of: account)
      let written = try folder.write(octets, PartialFiles(profile.configuration.accounts))
      let draft = AgentRecord.WrittenDraft(
        handle: AgentRecord.WrittenDraft.newHandle(),
        time: now,
        account: account.name,
        file: written.name,
        messageID: id.octets,
        sum: Self.sum(octets)
      )
      try record.add(draft)
      try begin(draft.handle)
      let placed = try folder.place(written)
      return (draft.handle, placed.unindexed == nil)
    } catch let error as ToolFailure {
      throw error
    } catch {
      throw .refused
    }
  }
}
