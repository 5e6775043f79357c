import Testing
import TestSupport
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Disks, networks, people and other programs at their worst.
@Suite struct TroubleTests {
  @Test(.enabled("needs a small file system, which only root can mount") { SmallDisk.canBe })
  func aFullDiskLosesNothing() throws {
    let stage = try Stage()
    try stage.imap.append(
      (0..<60).map { mail("mail \($0)", body: String(repeating: "x\r\n", count: 20_000)) }
    )
    let disk = stage.program.home["Mail"]
    try Files.makeDirectories(disk)
    let small = try SmallDisk(at: disk, "1200k")
    let outcome = try stage.sync()
    #expect(outcome.code != 0, "\(outcome)")
    #expect(outcome.errors.contains("No space left on device"), "\(outcome)")
    let bodies = Set(try stage.imap.messages().map { MaildirTree.stored($0.body) })
    #expect(stage.tree["INBOX"].allSatisfy { bodies.contains($0.body) }, "no mail is cut short")
    try small.resize("64m")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func aDiskFullAtAnyWriteLosesNothing() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(url: stage.server.clearURL)
    let probe = try stage.sync(variables: ["MAGNUM_FAULT_ERROR": "5+:ENOSPC"])
    try #require(
      probe.code != 0,
      "MAGNUM_FAULT_ERROR has to make the fifth change and all later ones fail: \(probe)"
    )
    for point in Turn.part(of: [1, 2, 3, 4, 6, 9, 14, 20, 27, 35, 44, 54, 65, 77, 90]) {
      Files.removeTree(stage.program.home["Mail"])
      Files.removeTree(stage.program.home[".local"])
      let full = try stage.sync(variables: ["MAGNUM_FAULT_ERROR": "\(point)+:ENOSPC"])
      #expect([0, 1, 74, 75, 78].contains(full.code), "point \(point): \(full)")
      let hints = full.errors.split(separator: "\n").count { $0.hasPrefix("hint: make room") }
      #expect(hints <= 1, "point \(point): \(full)")
      try stage.syncWell()
      try stage.expectMirrored()
    }
  }

  @Test func aSecondSyncAtTheSameTimeStepsBack() throws {
    let stage = try Stage()
    try stage.fill(inbox: 40)
    let proxy = try DelayProxy(to: stage.server.ports.tls, .delayed(0.4))
    try stage.configure(url: "imaps://localhost:\(proxy.port)")
    let first = try stage.program.command([]).start()
    #expect(Stopwatch.wait(upTo: 10) { Files.exists("\(stage.state)/lock") })
    Stopwatch.sleep(0.2)
    let second = try stage.sync()
    #expect(second.code == 75, "\(second)")
    #expect(second.seconds < 5)
    #expect(first.wait().code == 0)
    try stage.expectMirrored()
  }

  @Test func aClientRenamingWithoutPauseIsNoHarm() throws {
    let stage = try Stage()
    try stage.imap.append((0..<60).map { mail("mail \($0)") })
    try stage.syncWell()
    let client = RestlessClient("\(stage.maildir)/INBOX")
    try stage.imap.select()
    for round in 0..<6 {
      try stage.imap.append(mail("round \(round)"))
      try stage.imap.store("\(round + 1)", "+FLAGS (\\Answered)")
      let outcome = try stage.sync()
      #expect([0, 1].contains(outcome.code), "\(outcome)")
    }
    client.stop()
    #expect(client.renames > 1_000)
    try stage.syncWell()
    let subjects = stage.tree["INBOX"].map(\.subject)
    let expected = (0..<60).map { "mail \($0)" } + (0..<6).map { "round \($0)" }
    #expect(subjects.sorted() == expected.sorted())
    for round in 0..<6 {
      let message = stage.tree["INBOX"].first { $0.subject == "mail \(round)" }
      #expect(message?.flags.contains("R") == true, "mail \(round) \(message?.name ?? "")")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptKeepsWhatIsThere(signal: Int32) throws {
    let stage = try Stage()
    try stage.imap.append(
      (0..<300).map { mail("mail \($0)", body: String(repeating: "x\r\n", count: 4_000)) }
    )
    var link = DelayProxy.Link.delayed(0.02)
    link.window = 5_000
    let proxy = try DelayProxy(to: stage.server.ports.tls, link)
    try stage.configure(url: "imaps://localhost:\(proxy.port)", sync: "connections = 1")
    let run = try stage.program.command([]).start()
    // In the midst of the first batch: some mails lie in tmp, and most are still to come.
    let isUnderWay = Stopwatch.wait(upTo: 30) {
      Files.names(in: "\(stage.maildir)/INBOX/tmp").count > 5
    }
    #expect(isUnderWay)
    run.signal(signal)
    let sent = Stopwatch.now()
    let outcome = run.wait()
    #expect(Stopwatch.now() - sent < 5)
    #expect(outcome.end == .signalled(signal), "\(outcome)")
    let kept = stage.tree["INBOX"].count
    #expect((1..<300).contains(kept), "\(kept) kept")
    let inodes = TreeSnapshot("\(stage.maildir)/INBOX").entries
    #expect(Files.names(in: "\(stage.maildir)/INBOX/tmp") == [])
    try stage.configure()
    try stage.syncWell()
    try stage.expectMirrored()
    let after = TreeSnapshot("\(stage.maildir)/INBOX").entries
    let again = inodes.filter { $0.key.contains("mail") || $0.key.contains("V") }
      .filter { after[$0.key] != $0.value }
    #expect(again.count == 0, "what was there is not fetched again")
  }

  @Test func aConnectionCutAnywhereIsTakenUpAgain() throws {
    let stage = try Stage()
    try stage.fill()
    let whole = try DelayProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(whole.port)", sync: "connections = 1")
    try stage.syncWell()
    let total = whole.counters.down
    let early = [0, 1, 5, 40, 120, 300, 500, 800]
    let later = Turn.part(of: (1...24).map { 1_000 + (total - 1_000) * $0 / 25 })
    let offsets = early + later + [total - 2]
    for group in stride(from: 0, to: offsets.count, by: 11) {
      let runs = try offsets[group..<min(group + 11, offsets.count)].map { try CutRun(stage, $0) }
      for run in runs { try run.finish(expecting: try stage.imap.everything()) }
    }
  }

  @Test func aServerThatStopsAnsweringIsLeft() throws {
    let stage = try Stage()
    try stage.fill()
    let mute = try ScriptedServer(greeting: [.stall]) { _ in [.stall] }
    try stage.configure(url: mute.clearURL)
    var patient = stage.program.command([])
    patient.timeLimit = 100
    let waiting = try patient.start()
    let other = try Stage()
    try other.fill()
    var link = DelayProxy.Link()
    link.stallAfterDown = 20_000
    link.meant = 1...1
    let proxy = try DelayProxy(to: other.server.ports.clear, link)
    try other.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: "connections = 1")
    var command = other.program.command([])
    command.timeLimit = 150
    let stalled = try command.start()
    let outcome = waiting.wait()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(outcome.seconds < 45)
    #expect(outcome.errors.contains("no greeting from 127.0.0.1 port "), "\(outcome)")
    #expect(outcome.errors.contains(" within 30 s\nhint: check the port; where"), "\(outcome)")
    let second = stalled.wait()
    #expect([0, 75].contains(second.code), "\(second)")
    if second.code == 75 { try other.syncWell() }
    try other.expectMirrored()
  }

  @Test func withoutANetworkItEndsAtOnce() throws {
    let stage = try Stage()
    try stage.configure(url: "imaps://localhost:\(try Loopback.freePort())")
    let outcome = try stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(outcome.seconds < 3)
    #expect(outcome.errors.contains("Connection refused"), "\(outcome)")
  }

  @Test func oneAccountWithoutNetworkLeavesTheOtherAlone() throws {
    let stage = try Stage()
    try stage.fill()
    let path = stage.program.home[".config/magnum/config.toml"]
    let text = try #require(Files.text(path))
    try stage.program.configure(
      text + """

        [account.dead]
        maildir = "~/Mail/dead"
        imap = "imaps://localhost:\(try Loopback.freePort())"
        user = "nobody"
        password = "pass"

        """
    )
    let outcome = try stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    try stage.expectMirrored()
  }
}

/// A run whose first connection is cut after a number of octets.
private struct CutRun {
  let offset: Int
  let program: ProgramUnderTest
  let proxy: DelayProxy
  let run: RunningCommand

  init(_ stage: Stage, _ offset: Int) throws {
    self.offset = offset
    var link = DelayProxy.Link()
    link.cutAfterDown = offset
    link.meant = 1...1
    proxy = try DelayProxy(to: stage.server.ports.clear, link)
    program = try ProgramUnderTest()
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "imap+plain://127.0.0.1:\(proxy.port)"
      user = "\(stage.user)"
      password = "pass"

      [account.test.sync]
      connections = 1

      """
    )
    run = try program.command([]).start()
  }

  /// Waits; a run that gave up has to be followed by one that brings the rest.
  func finish(expecting expected: [String: [RawIMAP.Message]]) throws {
    let outcome = run.wait()
    #expect([0, 75].contains(outcome.code), "cut after \(offset): \(outcome)")
    if outcome.code != 0 {
      let next = try program.run()
      #expect(next.code == 0, "after a cut after \(offset): \(next)")
    }
    let differences = MaildirTree(program.home["Mail/test"]).differences(from: expected)
    #expect(differences == [], "cut after \(offset)")
  }
}

/// A mail client that never rests: it moves mail from new to cur and sets and takes back the flag S.
private final class RestlessClient: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let count = Atomic<Int>(0)
  private let thread = Mutex<Background?>(nil)

  init(_ folder: String) {
    thread.withLock {
      $0 = Background { [self] in
        while !isStopped.load(ordering: .relaxed) { round(folder) }
      }
    }
  }

  var renames: Int { count.load(ordering: .relaxed) }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    thread.withLock { $0?.join() }
  }

  private func round(_ folder: String) {
    for subdirectory in ["new", "cur"] {
      for octets in Files.names(in: "\(folder)/\(subdirectory)") {
        let name = String(decoding: octets, as: UTF8.self)
        let parts = name.split(separator: ":2,", maxSplits: 1, omittingEmptySubsequences: false)
        let flags = parts.count > 1 ? String(parts[1]) : ""
        let changed =
          flags.contains("S") ? flags.filter { $0 != "S" } : String((flags + "S").sorted())
        let old = "\(folder)/\(subdirectory)/\(name)"
        if rename(old, "\(folder)/cur/\(parts[0]):2,\(changed)") == 0 {
          count.add(1, ordering: .relaxed)
        }
      }
    }
  }
}
