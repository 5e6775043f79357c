import Configuration
import MailModel
import MailStore
import Maildir
import MemoryStore
import Platform
@testable import SyncEngine
import SyncState
import TestSupport
import Testing

/// What syncs say they did, the connection of which breaks at each of their requests.
@Suite struct BrokenSyncTests {
  /// What the reports and events of several syncs come to.
  private struct Told: Hashable, Sendable {
    var fetched = 0
    var flags = 0
    var arrivals = 0
    var changes = 0
    /// How many messages the command that runs after a sync was to be told of.
    var announced = 0
  }

  private let folder: TempDirectory
  private let account: Account

  init() throws {
    folder = try TempDirectory("broken")
    try folder.writeConfiguration("index = false\nsync.post-sync = \"true\"")
    account = try Configuration.load(explicit: Path(folder["config.toml"])).accounts[0]
  }

  private func server(_ interference: MemoryServer.Interference) throws -> MemoryServer {
    var content = MemoryContent()
    for name in ["INBOX", "Archive", "Trash"] { content.make(name) }
    let server = MemoryServer(content, interference)
    try deliver(1...2, to: server)
    return server
  }

  private func deliver(_ numbers: ClosedRange<Int>, to server: MemoryServer) throws {
    for number in numbers {
      let octets = Scene.message("\(number)")
      _ = try server.change { content in
        content.mailboxes["INBOX"]?.add(octets, flags: [], date: 1_672_653_600)
      }
    }
  }

  private func session(
    _ server: MemoryServer,
    _ retryDelays: [Double],
    _ told: Monitor<Told>,
    of other: Account? = nil,
    _ observer: @escaping SyncObserver = { _ in }
  ) -> AccountSession {
    let account = other ?? account
    var setting = AccountSession.Setting(
      account,
      of: [account],
      stateHome: Path(folder["state"]),
      interruption: Interruption()
    ) { event in
      observer(event)
      guard case .changed(let changes) = event.kind else { return }
      told.withLock { $0.changes += changes.count }
    }
    setting.server = { _, _ in server }
    setting.retryDelays = retryDelays
    setting.postSync = { _, report in
      told.withLock { $0.announced += report.total.arrivals.messages.count }
    }
    return AccountSession(setting, options: SyncOptions(), keepsConnection: true)
  }

  /// Syncs until that works; adds what the syncs told.
  private func sync(_ session: AccountSession, _ told: Monitor<Told>) -> Bool {
    for _ in 0..<3 {
      let report = session.sync(SyncOptions())
      told.withLock {
        $0.fetched += report.total.fetched
        $0.flags += report.total.flags
        $0.arrivals += report.total.arrivals.messages.count
      }
      if !report.hasFailed { return true }
    }
    return false
  }

  /// A first sync, then one with five new messages and a flag for an old one; cut at that request.
  private func told(_ interference: MemoryServer.Interference, _ delays: [Double]) throws -> Told {
    try Command.shell("rm -rf \"$1\"/Mail \"$1\"/state", [folder.path])
    let told = Monitor(Told())
    let server = try server(interference)
    let session = session(server, delays, told)
    #expect(sync(session, told))
    try deliver(3...7, to: server)
    _ = try server.change { $0.mailboxes["INBOX"]?.change(1, adding: ["\\Flagged"]) }
    #expect(sync(session, told))
    return told.withLock { $0 }
  }

  /// Messages over which each connection breaks, or the protocol, are named, and stop no others.
  @Test(arguments: [false, true])
  func whatBreaksTheConnectionIsNamed(breaksProtocol: Bool) throws {
    var breaking = MemoryServer.Interference()
    if breaksProtocol {
      let violation = ProtocolViolation(rule: "malformed", isOtherProtocol: false, line: [])
      breaking.breakage = .protocolViolation(violation)
    }
    breaking.breaksOver = { octets in
      ["first", "second"].contains {
        String(decoding: octets, as: UTF8.self).contains("Subject: \($0)")
      }
    }
    let server = try server(breaking)
    let told = Monitor(Told())
    let problems = Monitor<[String]>([])
    let session = session(server, [0, 0, 0], told) { event in
      if case .problem(_, .file(let name, .breaksConnection)) = event.kind {
        problems.withLock { $0.append(String(decoding: name, as: UTF8.self)) }
      }
    }
    #expect(sync(session, told))
    for (name, box) in [
      ("first", "INBOX"), ("fine", "INBOX"), ("second", "INBOX"), ("last", "Trash"),
    ] {
      try folder.write(Scene.message(name), to: "Mail/\(box)/cur/\(name):2,S")
    }
    // The second one waits there for a run in which nothing else comes to the server.
    let reports = (0..<2).map { _ in session.sync(SyncOptions()) }
    for report in reports {
      guard case .partial = report.outcome else {
        Issue.record("\(report.outcome)")
        return
      }
    }
    #expect(reports.map(\.total.uploaded) == [2, 0])
    #expect(problems.withLock { Set($0) } == ["first", "second"])
  }

  /// Later runs let them rest, and try them three times where they are other files by then.
  @Test func whatBreaksTheConnectionIsRemembered() throws {
    let breaks = Monitor(0)
    let isWell = Monitor(false)
    var breaking = MemoryServer.Interference()
    breaking.breaksOver = { octets in
      let text = String(decoding: octets, as: UTF8.self)
      let isBad = ["first", "second"].contains { text.contains("Subject: \($0)") }
      return isBad && !isWell.withLock { $0 }
    }
    breaking.broken = { breaks.update { $0 += 1 } }
    let told = Monitor(Told())
    let named = Monitor<Set<[UInt8]>>([])
    let session = session(try server(breaking), [0, 0, 0], told) { event in
      if case .problem(_, .file(let name, .breaksConnection)) = event.kind {
        named.update { _ = $0.insert(name) }
      }
    }
    #expect(sync(session, told))
    for name in ["first", "second"] {
      try folder.write(Scene.message(name), to: "Mail/INBOX/cur/\(name):2,S")
    }
    /// How often the connection broke in a sync, and how many messages were named.
    func facts() -> [Int] {
      breaks.update { $0 = 0 }
      named.update { $0 = [] }
      _ = session.sync(SyncOptions())
      return [breaks.withLock { $0 }, named.withLock { $0.count }]
    }
    let record = folder["Mail/.magnum/broken-uploads"]
    #expect(facts() == [5, 2])
    #expect(Files.exists(record))
    for _ in 0..<2 { #expect(facts() == [0, 2]) }
    try folder.write(Scene.message("first") + [0x0A], to: "Mail/INBOX/cur/first:2,S")
    #expect(facts() == [3, 2])
    try Files.write("damaged", to: record)
    #expect(facts() == [5, 2])
    isWell.update { $0 = true }
    // Their time has come.
    let store = StateStore(root: Path(folder["Mail"]), layout: .verbatim)
    var broken = BrokenUploads(store)
    for (file, attempts) in broken.files {
      broken.files[file] = BrokenUploads.Attempts(size: attempts.size)
    }
    try broken.save(store)
    #expect(facts() == [0, 0])
    #expect(!Files.exists(record))
  }

  /// Messages over which each connection breaks, or the protocol, when they are fetched: all others come.
  @Test(arguments: [false, true])
  func whatBreaksTheConnectionOfAFetchIsNamed(breaksProtocol: Bool) throws {
    var breaking = MemoryServer.Interference()
    if breaksProtocol {
      let violation = ProtocolViolation(rule: "malformed", isOtherProtocol: false, line: [])
      breaking.breakage = .protocolViolation(violation)
    }
    let bad = Set(stride(from: UInt32(3), through: 15, by: 2))
    breaking.breaksOverFetched = { octets in
      let text = String(decoding: octets, as: UTF8.self)
      return bad.contains { text.contains("<\($0)@example.org>") }
    }
    let server = try server(breaking)
    try deliver(3...16, to: server)
    let problems = Monitor<Set<UInt32>>([])
    let session = session(server, [0, 0, 0], Monitor(Told())) { event in
      if case .problem(_, .message(let uid, .breaksConnection)) = event.kind {
        problems.withLock { _ = $0.insert(uid) }
      }
    }
    let reports = (0..<2).map { _ in session.sync(SyncOptions()) }
    for report in reports {
      guard case .partial = report.outcome else {
        Issue.record("\(report.outcome)")
        return
      }
    }
    #expect(reports.map(\.total.fetched) == [9, 0])
    #expect(problems.withLock { $0 } == bad)
  }

  /// The same of messages that are fetched for the sake of their attachments.
  @Test func whatBreaksTheConnectionOfAWholeMessageIsNamed() throws {
    var breaking = MemoryServer.Interference()
    breaking.breaksOverFetched = { octets in
      String(decoding: octets, as: UTF8.self).contains("<11@example.org>")
    }
    let server = try server(breaking)
    for number in 10...13 {
      let octets = Self.large(number)
      _ = try server.change { content in
        content.mailboxes["INBOX"]?.add(octets, flags: [], date: 1_672_653_600)
      }
    }
    let problems = Monitor<[UInt32]>([])
    func reports(_ more: String) throws -> [AccountReport] {
      try folder.writeConfiguration("index = false\n\(more)")
      let account = try Configuration.load(explicit: Path(folder["config.toml"])).accounts[0]
      let session = session(server, [0, 0, 0], Monitor(Told()), of: account) { event in
        if case .problem(_, .message(let uid, .breaksConnection)) = event.kind {
          problems.withLock { $0.append(uid) }
        }
      }
      return (0..<2).map { _ in session.sync(SyncOptions()) }
    }
    #expect(try reports("sync.size-limit = \"100kB\"").map(\.total.fetched) == [6, 0])
    #expect(problems.withLock { $0 } == [])
    #expect(try reports("").map(\.total.completed) == [3, 0])
    #expect(Set(problems.withLock { $0 }) == [4])
  }

  /// A message with an attachment.
  private static func large(_ number: Int) -> [UInt8] {
    let attachment = String(repeating: String(repeating: "A", count: 76) + "\r\n", count: 2000)
    let lines = [
      "From: a@example.org", "Subject: \(number)", "Message-ID: <\(number)@example.org>",
      "Date: Mon, 2 Jan 2023 10:00:00 +0000", "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/plain", "",
      "text",
      "--b", "Content-Type: application/pdf; name=a.pdf", "Content-Disposition: attachment",
      "Content-Transfer-Encoding: base64", "", "\(attachment)--b--", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static let all = Told(fetched: 7, flags: 1, arrivals: 5, changes: 8, announced: 5)

  @Test("each change is told once, whether the run goes on or the next one does the rest")
  func cuts() throws {
    for delays in [[0.0], []] {
      for number in 1...30 {
        var before = MemoryServer.Interference()
        before.cutBefore = number
        #expect(try told(before, delays) == Self.all, "cut before \(number), \(delays)")
        var after = MemoryServer.Interference()
        after.cutAfter = number
        #expect(try told(after, delays) == Self.all, "cut after \(number), \(delays)")
      }
    }
  }
}
