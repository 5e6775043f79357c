import Configuration
import MailStore
import MemoryStore
import Platform
@testable import SyncEngine
import SyncPlan
import TestSupport
import Testing

@Suite("A session of several syncs")
struct AccountSessionTests {
  /// A session with an account whose server is in memory.
  private struct Stage {
    let folder: TempDirectory
    let server: MemoryServer
    let session: AccountSession

    init(keepsConnection: Bool = true, _ interference: MemoryServer.Interference = .init()) throws {
      folder = try TempDirectory("session")
      try folder.writeConfiguration()
      var content = MemoryContent()
      content.make("INBOX")
      content.make("Archive")
      content.make("Trash", use: .trash)
      let server = MemoryServer(content, interference)
      self.server = server
      let configuration = try Configuration.load(explicit: Path(folder["config.toml"]))
      var setting = AccountSession.Setting(
        configuration.accounts[0],
        of: configuration.accounts,
        stateHome: Path(folder["state"]),
        interruption: Interruption(),
        observer: { _ in }
      )
      setting.server = { _, _ in server }
      session = AccountSession(
        setting,
        options: SyncOptions(),
        keepsConnection: keepsConnection
      )
    }

    @discardableResult
    func sync(postponing: Bool = false) -> AccountReport {
      var options = SyncOptions()
      options.postponesRemovals = postponing
      return session.sync(options)
    }

    func wait(_ seconds: Double = 0.05, gathering: Double = 0, _ waker: Waker = Waker()) throws
      -> WaitEnd
    {
      try session.wait(
        WaitOrder(
          until: .after(seconds: seconds),
          gathering: .after(seconds: gathering),
          waker: waker
        )
      )
    }

    func deliver(_ token: String) throws {
      let octets = Scene.message(token)
      _ = try server.change { content in
        content.mailboxes["INBOX"]?.add(octets, flags: [], date: 1_672_653_600)
      }
    }

    var files: [String] {
      Files.names(in: folder["Mail/INBOX/new"]).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    func count(_ mailbox: String) -> Int {
      server.read { $0.mailboxes[mailbox]?.messages.count ?? -1 }
    }
  }

  private func rename(_ old: String, to new: String) throws {
    try FileSystem.rename(Path(old), to: Path(new))
  }

  @Test("the second sync asks over the connection of the first")
  func connection() throws {
    let stage = try Stage()
    stage.sync()
    #expect(stage.session.isConnected)
    stage.sync()
    let before = stage.server.roundTrips
    #expect(stage.sync().total.changes == 0)
    #expect(stage.server.roundTrips == before + 1)
    stage.session.close()
    #expect(!stage.session.isConnected)
  }

  @Test("nothing stays open where it is not to be kept")
  func oneSync() throws {
    let stage = try Stage(keepsConnection: false)
    stage.sync()
    #expect(!stage.session.isConnected)
    #expect(throws: SyncFailure.self) { try stage.wait() }
  }

  @Test("what comes is told once, and is here after a sync")
  func changes() throws {
    let stage = try Stage()
    stage.sync()
    #expect(try stage.wait() == .timedOut)
    try stage.deliver("a")
    #expect(try stage.wait(5) == .changed)
    #expect(stage.sync().total.fetched == 1)
    #expect(try stage.wait() == .timedOut)
    #expect(stage.files.count == 1)
  }

  @Test("what came between the list of a sync and the wait is noticed")
  func between() throws {
    let stage = try Stage()
    stage.sync()
    try stage.deliver("a")
    #expect(try stage.wait(5) == .changed)
    stage.sync()
    #expect(try stage.wait() == .timedOut)
  }

  @Test("changes are gathered while they follow each other")
  func gathering() throws {
    let stage = try Stage()
    stage.sync()
    _ = try stage.wait()
    let server = stage.server
    let thread = try Thread.spawn(name: "deliveries") {
      for number in 0..<10 {
        _ = try? server.change { content in
          content.mailboxes["INBOX"]?.add(
            Scene.message("\(number)"),
            flags: [],
            date: 1_672_653_600
          )
        }
        _ = Interruption().sleep(seconds: 0.02)
      }
    }
    #expect(try stage.wait(10, gathering: 5) == .changed)
    #expect(stage.count("INBOX") == 10)
    thread.join()
    stage.sync()
    #expect(stage.files.count == 10)
  }

  @Test("a waker ends the wait, and the next goes on without opening the mailbox again")
  func waker() throws {
    let stage = try Stage()
    stage.sync()
    let waker = Waker()
    waker.wake()
    #expect(try stage.wait(5, waker) == .woken)
    let before = stage.server.roundTrips
    waker.clear()
    #expect(try stage.wait(0.02, waker) == .timedOut)
    #expect(stage.server.roundTrips == before)
  }

  @Test("a connection that broke is noticed, and the next sync makes a new one")
  func broken() throws {
    var interference = MemoryServer.Interference()
    interference.cutBefore = 8
    let stage = try Stage(interference)
    var failures = 0
    for _ in 0..<12 {
      if case .failed = stage.sync().outcome { failures += 1 }
    }
    #expect(failures <= 1)
    #expect(stage.session.isConnected)
  }

  @Test("a removal is postponed, a flag is not, and the removal is done by a sync that may")
  func removals() throws {
    let stage = try Stage()
    for token in ["a", "b", "c"] { try stage.deliver(token) }
    stage.sync()
    let inbox = stage.folder["Mail/INBOX"]
    let files = stage.files
    try FileSystem.remove(Path("\(inbox)/new/\(files[0])"))
    try rename("\(inbox)/new/\(files[1])", to: "\(inbox)/cur/\(files[1]):2,S")
    for _ in 0..<7 {
      let report = stage.sync(postponing: true)
      #expect(report.total.blocked[.postponed] == 1)
      guard case .complete = report.outcome else { throw HarnessError("\(report.outcome)") }
    }
    #expect(stage.count("INBOX") == 3)
    let seen = stage.server.read { content in
      content.mailboxes["INBOX"]?.messages.values.count { $0.flags.contains("\\Seen") }
    }
    #expect(seen == 1)
    #expect(stage.sync().total.trashed == 1)
    #expect(stage.count("INBOX") == 2)
    #expect(stage.count("Trash") == 1)
  }

  @Test("a file that comes back, or turns up elsewhere, was not removed")
  func moves() throws {
    let stage = try Stage()
    for token in ["a", "b", "c"] { try stage.deliver(token) }
    stage.sync()
    let (inbox, archive) = (stage.folder["Mail/INBOX"], stage.folder["Mail/Archive"])
    let files = stage.files
    try rename("\(inbox)/new/\(files[0])", to: stage.folder["away0"])
    try rename("\(inbox)/new/\(files[1])", to: stage.folder["away1"])
    stage.sync(postponing: true)
    try rename(stage.folder["away0"], to: "\(inbox)/cur/\(files[0]):2,S")
    try rename(stage.folder["away1"], to: "\(archive)/cur/\(files[1]):2,")
    let report = stage.sync(postponing: true)
    #expect(report.total.moved == 1)
    #expect(report.total.stored == 1)
    stage.sync()
    #expect(stage.count("INBOX") == 2)
    #expect(stage.count("Archive") == 1)
    #expect(stage.count("Trash") == 0)
  }
}
