package import MailModel
package import Configuration
internal import MailStore
internal import Octets
internal import Outgoing
package import Platform
internal import SyncEngine
internal import SyncState

/// What was wrong with the last sync of an account, so that `magnum status` can name it: why it ended early, or what it left undone.
///
/// The file `trouble` in the state home has a line for the beginning in seconds since 1970 and the exit status, then a line a
/// problem: place, text and hint, percent-escaped.
package struct LastTrouble: Hashable, Sendable {
  /// One problem.
  package struct Problem: Hashable, Sendable {
    /// Account, mailbox and message.
    package var place: String
    /// What is wrong.
    package var what: String
    /// What to do about it; nil where nothing can be advised.
    package var hint: String?
  }

  /// More problems are not kept.
  package static let limit = 20
  /// Seconds after which a person is told of what passes by itself as a rule.
  private static let reportDelay: Int64 = 86_400

  /// Since when syncs end with this status, in seconds since 1970.
  package var since: Int64
  /// The status of the last sync.
  package var status: ExitStatus
  /// What was wrong.
  package var problems: [Problem]

  /// What a sync came to that began to be so at that time.
  package init(since: Int64, status: ExitStatus, problems: [Problem]) {
    self.since = since
    self.status = status
    self.problems = Array(problems.prefix(Self.limit))
  }

  /// Whether a person has to know: what may pass by itself, once it has lasted for a day.
  package func needsPerson(now: Int64) -> Bool {
    status != .tryAgain || now - since >= Self.reportDelay
  }

  // MARK: Files

  /// What is recorded of an account; nil where its last sync ended well.
  ///
  /// - Parameter memory: the account's directory in the state home.
  package init?(_ memory: Path) {
    guard let octets = (try? FileSystem.readFile(Self.file(memory), limit: 1 << 20)) ?? nil,
      let trouble = Self.decode(octets)
    else { return nil }
    self = trouble
  }

  /// The same, of an account in a state home.
  package init?(of account: Account, in stateHome: Path) {
    self.init(AccountPlaces.memory(of: account, in: stateHome))
  }

  /// Records it; not durable, since the next sync finds it again.
  func save(_ memory: Path) {
    try? FileSystem.makeDirectories(memory)
    try? AtomicFile.replace(Self.file(memory), with: octets)
  }

  /// Records that a sync ended well.
  static func clear(_ memory: Path) {
    let file = file(memory)
    guard ((try? FileSystem.status(file)) ?? nil) != nil else { return }
    try? FileSystem.remove(file)
  }

  private static func file(_ memory: Path) -> Path { memory.appending("trouble") }

  /// The content of the file.
  var octets: [UInt8] {
    var lines = ["\(since) \(status.rawValue)"]
    for problem in problems {
      let words = [problem.place, problem.what] + [problem.hint].compactMap { $0 }
      lines.append(words.map(Self.escaped).joined(separator: " "))
    }
    return lines.flatMap { Array($0.utf8) + [ASCII.lineFeed] }
  }

  /// What a file says; nil where it says nothing that can be understood.
  static func decode(_ octets: [UInt8]) -> LastTrouble? {
    let lines = octets.split(separator: ASCII.lineFeed)
    guard let head = lines.first else { return nil }
    var cursor = Cursor(head)
    guard let since = cursor.decimal().flatMap({ Int64(exactly: $0) }), cursor.skip(ASCII.space),
      let code = cursor.decimal().flatMap({ Int32(exactly: $0) }),
      let status = ExitStatus(rawValue: code)
    else { return nil }
    let problems = lines.dropFirst().compactMap { line -> Problem? in
      let words = line.split(separator: ASCII.space).compactMap { PercentEscape.unescape($0) }
        .map { String(decoding: $0, as: UTF8.self) }
      guard words.count >= 2 else { return nil }
      return Problem(place: words[0], what: words[1], hint: words.count > 2 ? words[2] : nil)
    }
    return LastTrouble(since: since, status: status, problems: problems)
  }

  private static func escaped(_ text: String) -> String {
    let octets = PercentEscape.escape(text.utf8) { $0 <= 0x20 || $0 == 0x7F || $0 == ASCII.percent }
    return String(decoding: octets, as: UTF8.self)
  }
}

/// Takes down what is wrong with syncs as it happens, and records it at the end of each.
final class TroubleRecorder: Sendable {
  private let stateHome: Path
  private let found = Monitor([String: [LastTrouble.Problem]]())

  init(_ stateHome: Path) {
    self.stateHome = stateHome
  }

  /// Records an event of a sync.
  func recordEvent(_ event: SyncEvent) {
    switch event.kind {
    case .started: found.withLock { $0[event.account] = [] }
    case .problem(let mailbox, let failure) where !failure.isPassing:
      add(failure.explanation(account: event.account, mailbox: mailbox), event.account)
    case .finished(let report): finishAccount(report)
    default: break
    }
  }

  private func add(_ explanation: Explanation, _ account: String) {
    let problem = LastTrouble.Problem(
      place: explanation.place ?? account,
      what: explanation.what,
      hint: explanation.hint
    )
    found.withLock { found in
      guard found[account, default: []].count < LastTrouble.limit,
        !found[account, default: []].contains(problem)
      else { return }
      found[account, default: []].append(problem)
    }
  }

  private func finishAccount(_ report: AccountReport) {
    let account = report.account
    let memory = AccountPlaces.memory(named: account, in: stateHome)
    let status = ExitStatus(report.outcome)
    if case .failed(let failure) = report.outcome {
      guard !failure.isOfCaller else { return }
      add(failure.explanation(account: account), account)
    }
    // What part of the account came to says nothing of the rest.
    guard report.isWhole || report.hasFailed else { return }
    guard status != .success else { return LastTrouble.clear(memory) }
    var problems = found.withLock { $0[account] ?? [] }
    let before = LastTrouble(memory).flatMap { $0.status == status ? $0 : nil }
    // Some are reported only when they change.
    if problems.isEmpty { problems = before?.problems ?? [] }
    let trouble = LastTrouble(
      since: before?.since ?? Clock.now(),
      status: status,
      problems: problems
    )
    if trouble != before { trouble.save(memory) }
  }
}

extension SyncFailure {
  /// Whether it ended a sync because of what its caller did.
  fileprivate var isOfCaller: Bool {
    switch self {
    case .interrupted, .unknownName, .locked: true
    default: false
    }
  }

  /// Whether it is no failure of the sync that reports it.
  fileprivate var isPassing: Bool {
    switch self {
    case .mailbox(.renamedThere): true
    default: isOfCaller
    }
  }
}
