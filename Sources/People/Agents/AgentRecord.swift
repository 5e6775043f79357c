package import AgentPlan
package import Configuration
internal import Hashing
package import JSON
internal import MailModel
internal import Octets
package import Platform
internal import SpoolPlan

/// What is kept of an agent: each call that it made, what it used in the last hour, and the drafts that it wrote.
///
/// It lies in a directory that no other user can change, `agents/NAME` in Magnum's state:
///
///     2026-12   the calls of a month, a line of JSON each    limits   what was used, by minutes; locked while it changes
///     drafts    the drafts, a line of JSON each
///     entries   what was handed in to be sent, a line of JSON each
package struct AgentRecord: Sendable {
  package let directory: Path

  /// The record of an agent; nothing is looked at.
  package init(of name: String, stateHome: Path = Environment.stateHome) {
    directory = Self.root(stateHome).appending(name)
  }

  private static func root(_ stateHome: Path) -> Path { stateHome.appending("magnum/agents") }

  /// Makes the directory where it is not there, and checks that no other user can change it.
  ///
  /// - Throws: `full` where the record cannot be kept.
  package func prepare() throws(ToolFailure) {
    do {
      try FileSystem.makeDirectories(directory)
      guard let status = try FileSystem.status(directory, followingLinks: false),
        status.kind == .directory, status.owner == UserIdentity.effective, status.mode & 0o077 == 0
      else { throw ToolFailure.full }
      try FileTrust().check(directory)
    } catch {
      throw .full
    }
  }

  // MARK: Calls

  private static func month(_ time: Int64) -> String {
    String(decoding: Timestamp.octets(time).prefix(7), as: UTF8.self)
  }

  /// Adds a line for a call.
  ///
  /// - Parameters:
  ///   - line: what is known of it.
  ///   - time: when it was, in seconds since 1970.
  ///   - isDurable: whether it must be on the disk before anything else is done.
  /// - Throws: `full`.
  package func add(
    _ line: JSONValue,
    at time: Int64,
    isDurable: Bool
  ) throws(ToolFailure) {
    try append(line, to: directory.appending(Self.month(time)), isDurable: isDurable)
  }

  func append(_ line: JSONValue, to path: Path, isDurable: Bool) throws(ToolFailure) {
    do throws(SystemError) {
      let file = try Descriptor.open(path, .append.guarded)
      let start = try Self.isCutShort(path) ? [ASCII.lineFeed] : []
      try file.write(all: start + line.text + [ASCII.lineFeed])
      if isDurable {
        try file.synchronise()
        try FileSystem.synchroniseDirectory(directory)
      }
    } catch {
      throw .full
    }
  }

  /// Whether a process was killed, or the disk was full, in the midst of the last line: the next one does not go on with it.
  private static func isCutShort(_ path: Path) throws(SystemError) -> Bool {
    let file = try Descriptor.open(path, .read.guarded)
    let size = Int64(try file.status().size)
    return size > 0 ? try file.read(atMost: 1, at: size - 1).last != ASCII.lineFeed : false
  }

  /// Reads the lines of all months, the newest first, as long as more are wanted.
  ///
  /// - Parameter body: gets a line; false where no other one is wanted.
  /// - Throws: why they cannot be read.
  package func readCalls(_ body: (RecordedLines.Line) -> Bool) throws(SystemError) {
    for month in try months().sorted(by: { $1.lexicographicallyPrecedes($0) }) {
      var lines = try RecordedLines(try Descriptor.open(directory.appending(month), .read.guarded))
      while let line = try lines.next() {
        if !line.octets.isEmpty, !body(line) { return }
      }
    }
  }

  private func months() throws(SystemError) -> [[UInt8]] {
    var months: [[UInt8]] = []
    do throws(SystemError) {
      try FileSystem.entries(of: directory) { name, kind in
        if kind == .regular, name.count == 7, name.first.map(ASCII.isDigit) == true {
          months.append([UInt8](name))
        }
      }
    } catch {
      guard error.isNotFound else { throw error }
    }
    return months
  }

  // MARK: Limits

  private var usageFile: Path { directory.appending("limits") }

  /// How long other processes of the same agent are waited for, in seconds.
  private static let patience = 2.0

  /// What was used in the last hour.
  package func usage() throws(ToolFailure) -> UsageWindow {
    do throws(SystemError) {
      return try read(FileSystem.readFile(usageFile, limit: 1 << 16, .read.guarded) ?? [])
    } catch {
      throw .full
    }
  }

  private func read(_ octets: [UInt8]) throws(SystemError) -> UsageWindow {
    let kinds = AgentSettings.Limit.allCases.count
    guard let window = UsageWindow(octets, kinds: kinds) else {
      throw SystemError(notAFile: usageFile)
    }
    return window
  }

  /// Takes so much of each kind, for all processes of the agent together.
  ///
  /// - Throws: `limit` where one of them would be over its limit: then nothing is taken; `again`, `full`.
  package func charge(
    _ amounts: [AgentSettings.Limit: Int],
    of settings: AgentSettings,
    at now: Int64
  ) throws(ToolFailure) {
    let kinds = AgentSettings.Limit.allCases
    let lock = try lock(".lock")
    defer { lock.release() }
    do throws(SystemError) {
      let file = try Descriptor.open(usageFile, .readWrite.guarded)
      var window = try read(file.read(atMost: 1 << 16, at: 0))
      guard
        window.charge(
          kinds.map { amounts[$0] ?? 0 },
          within: kinds.map { settings.limit($0) },
          at: now
        )
      else { throw SystemError(operation: "limit", path: nil, code: 0) }
      try file.write(all: window.text)
    } catch {
      throw error.operation == "limit" ? .limit : .full
    }
  }

  /// Keeps other processes of the agent from the same, for a moment.
  func lock(_ name: String) throws(ToolFailure) -> FileLock {
    let outcome: FileLock.Outcome
    do throws(SystemError) {
      let deadline = Deadline.after(seconds: Self.patience)
      outcome = try FileLock.acquire(directory.appending(name), until: deadline, pause: 0.005)
    } catch {
      throw .full
    }
    switch outcome {
    case .acquired(let lock): return lock
    case .heldByOther: throw .again
    case .unsupported: throw .full
    }
  }

  // MARK: Drafts

  /// A draft that the agent wrote.
  package struct WrittenDraft: Hashable, Sendable {
    /// By which the agent names it: 16 hexadecimal digits.
    package let handle: String
    /// When it was written, in seconds since 1970.
    package let time: Int64
    package let account: String
    /// The name of its file, without flags.
    package let file: [UInt8]
    package let messageID: [UInt8]
    /// Its SHA-256, as hexadecimal digits.
    package let sum: [UInt8]

    package init(
      handle: String,
      time: Int64,
      account: String,
      file: [UInt8],
      messageID: [UInt8],
      sum: [UInt8]
    ) {
      (self.handle, self.time, self.account) = (handle, time, account)
      (self.file, self.messageID, self.sum) = (file, messageID, sum)
    }

    /// A handle that cannot be guessed.
    package static func newHandle() -> String {
      String(decoding: Hex.encode(Hashes.random(8)), as: UTF8.self)
    }

    fileprivate init?(_ line: JSONValue) {
      let text = { (name: String) in line.member(name)?.octets }
      guard let handle = text("draft"), let account = text("account"), let file = text("file"),
        let id = text("id"), let sum = text("sha256"),
        case .number(let time)? = line.member("time"),
        let seconds = Int64(time)
      else { return nil }
      self.init(
        handle: String(decoding: handle, as: UTF8.self),
        time: seconds,
        account: String(decoding: account, as: UTF8.self),
        file: file,
        messageID: id,
        sum: sum
      )
    }

    fileprivate var line: JSONValue {
      .object([
        ("draft", .string(handle)), ("time", .number("\(time)")), ("account", .string(account)),
        ("file", .string(String(decoding: file, as: UTF8.self))),
        ("id", .string(String(decoding: messageID, as: UTF8.self))),
        ("sha256", .string(String(decoding: sum, as: UTF8.self))),
      ])
    }
  }

  private var draftsFile: Path { directory.appending("drafts") }

  /// The drafts that the agent wrote and did not replace or discard, the oldest first; whether they are still there is not
  /// looked at.
  ///
  /// - Throws: `full` where the record cannot be read.
  package func drafts() throws(ToolFailure) -> [WrittenDraft] {
    let octets: [UInt8]
    do throws(SystemError) {
      octets = try FileSystem.readFile(draftsFile, limit: 1 << 26, .read.guarded) ?? []
    } catch {
      throw .full
    }
    var (drafts, gone): ([WrittenDraft], Set<String>) = ([], [])
    for line in octets.split(separator: ASCII.lineFeed) {
      // A line that was cut by a full disk says nothing of a draft that is there.
      guard let value = try? JSONValue([UInt8](line)) else { continue }
      if let handle = value.member("gone")?.octets {
        gone.insert(String(decoding: handle, as: UTF8.self))
      } else if let draft = WrittenDraft(value) {
        drafts.append(draft)
      }
    }
    return drafts.filter { !gone.contains($0.handle) }
  }

  /// Records a draft before it is placed; durable on return.
  package func add(_ draft: WrittenDraft) throws(ToolFailure) {
    try append(draft.line, to: draftsFile, isDurable: true)
  }

  /// Records that a draft was replaced or discarded; durable on return.
  package func addEnd(of draft: WrittenDraft) throws(ToolFailure) {
    try append(.object([("gone", .string(draft.handle))]), to: draftsFile, isDurable: true)
  }
}
