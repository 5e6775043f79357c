import Glibc
import TestSupport
import Testing

/// `magnum-sync` beside `magnum watch`, which syncs for it over its connection.
@Suite struct WatchRequestTests {
  /// A watch that has nothing to do, by way of a proxy that counts log-ins.
  private struct Scene {
    let watched: WatchScene
    let proxy: BendingProxy
    let watch: RunningWatch

    init() throws {
      watched = try WatchScene(DovecotOptions().hiding("NOTIFY"))
      proxy = try BendingProxy(to: watched.stage.server.ports.clear) { _ in .passed }
      try watched.configure(port: proxy.port)
      watch = try watched.start(["--poll", "3600"])
      try watch.waitForListening()
    }

    var stage: Stage { watched.stage }
    var socket: String { stage.program.home[".local/state/magnum/accounts/test/socket"] }
    var logins: Int { proxy.commands.count { $0.hasPrefix("AUTHENTICATE") } }

    /// A change that the watch does not see by itself within its time.
    func changeElsewhere(_ subject: String) throws {
      try stage.imap.append(watched.mail(subject), to: "Archive")
    }
  }

  @Test(arguments: Turn.part(of: [[], ["-v"], ["test"], ["--json"], ["-q"]]))
  func aSyncNeedsNoLogInOfItsOwn(_ arguments: [String]) throws {
    let scene = try Scene()
    try scene.changeElsewhere("asked for")
    let outcome = try scene.stage.program.command(arguments).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(scene.watched.holds("asked for"))
    #expect(scene.logins == 1)
    switch arguments {
    case ["--json"]: #expect(outcome.output.contains("\"event\":\"completed\""), "\(outcome)")
    case ["-v"]: #expect(outcome.errors.contains("test/Archive: +1 new"), "\(outcome)")
    case ["test"]: #expect(outcome.output + outcome.errors == "", "\(outcome)")
    default: #expect(outcome.output + outcome.errors == "", "\(outcome)")
    }
    try scene.watch.end()
    #expect(!Files.exists(scene.socket))
    try scene.stage.expectSettled()
  }

  @Test func manyAtOnceAreServed() throws {
    let scene = try Scene()
    try scene.changeElsewhere("asked for")
    let runs = try (1...8).map { _ in try scene.stage.program.command([]).start() }
    for run in runs {
      let outcome = run.wait()
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(scene.watched.holds("asked for") && scene.logins == 1)
    try scene.watch.end()
  }

  /// What a watch does not do, or would do by another configuration.
  @Test(arguments: [["--dry-run"], ["--pull"], ["--scan"], ["test/INBOX"]])
  func otherSyncsAreMadeAsEver(_ arguments: [String]) throws {
    let scene = try Scene()
    let outcome = try scene.stage.program.command(arguments).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(scene.logins == 2)
    try scene.watch.end()
  }

  @Test func anotherConfigurationIsTheProgramsOwn() throws {
    let scene = try Scene()
    try scene.stage.configure(
      url: "imap+plain://127.0.0.1:\(scene.proxy.port)",
      sync: "exclude = [\"Archive\"]"
    )
    try scene.changeElsewhere("left out")
    #expect(try scene.stage.sync().code == 0)
    #expect(!scene.watched.holds("left out") && scene.logins == 2)
    // Once the watch has read it too, it syncs again.
    scene.watch.signal(SIGHUP)
    _ = try scene.watched.measure {
    } until: {
      scene.watch.count("\"event\":\"reloaded\"") == 1
    }
    try scene.stage.syncWell()
    #expect(scene.logins == 3)
    try scene.watch.end()
  }

  /// What fails is reported as by a sync of its own.
  @Test func aFailureIsReportedAlike() throws {
    let scene = try Scene()
    try Command.shell("mv \"$1\" \"$1.away\" && mkdir \"$1\"", [scene.watched.maildir])
    let asked = try scene.stage.sync("test")
    try scene.watch.end()
    let own = try scene.stage.sync("test")
    #expect(own.code != 0 && asked.code == own.code, "\(asked) \(own)")
    #expect(own.errors != "" && asked.errors == own.errors, "\(asked) \(own)")
  }

  /// Cron hears of what stands once, as without a watch.
  @Test func whatStandsIsReportedOnce() throws {
    let scene = try Scene()
    let folder = scene.watched.maildir + "/.hidden"
    try Command.shell(
      "mkdir -p \"$1/cur\" \"$1/new\" \"$1/tmp\" && touch \"$1/cur/a:2,S\"",
      [folder]
    )
    let first = try scene.stage.program.command([]).run()
    let second = try scene.stage.program.command([]).run()
    #expect(first.code == 1 && first.errors.contains(".hidden"), "\(first)")
    #expect(second.code == 1 && second.errors == "", "\(second)")
    #expect(scene.logins == 1)
    try scene.watch.end()
  }

  /// A watch that is stopped, or gone, or whose socket is another program's, keeps nobody from mail.
  @Test(arguments: ["stopped", "killed", "garbage", "file"])
  func aWatchThatDoesNotAnswerIsNotNeeded(_ state: String) throws {
    let scene = try Scene()
    try scene.changeElsewhere("asked for")
    switch state {
    case "stopped": scene.watch.signal(SIGSTOP)
    case "file":
      try Command.shell("rm \"$1\" && echo > \"$1\"", [scene.socket])
    case "garbage":
      scene.watch.kill()
      try Command.shell("rm \"$1\"", [scene.socket])
    default: scene.watch.kill()
    }
    let garbage = state == "garbage" ? try Self.listen(scene.socket) : nil
    let outcome = try scene.stage.sync()
    garbage?.signal(SIGKILL)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(scene.watched.holds("asked for") && scene.logins == 2)
    scene.watch.signal(SIGCONT)
    scene.watch.kill()
  }

  /// A program that answers with what is no answer.
  private static func listen(_ path: String) throws -> RunningCommand {
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(5)
      while True:
          c = s.accept()[0]; c.recv(100); c.sendall(b"working\\nwhat is this\\n"); c.close()
      """
    let running = try Command("python3", ["-c", script, path]).start()
    while !Files.exists(path) { Stopwatch.sleep(0.02) }
    Stopwatch.sleep(0.1)
    return running
  }

  /// The watch is killed in a sync that a program waits for: that makes its own, and nothing is doubled.
  @Test(arguments: [0, 0.01, 0.03, 0.06, 0.1])
  func aKilledWatchLeavesNothingHalf(_ seconds: Double) throws {
    let scene = try Scene()
    for number in 1...20 { try scene.changeElsewhere("asked for \(number)") }
    let run = try scene.stage.program.command([]).start()
    Stopwatch.sleep(seconds)
    scene.watch.kill()
    let outcome = run.wait()
    #expect(outcome.code == 0, "\(outcome)")
    try scene.stage.expectMirrored()
    try scene.stage.expectSettled()
  }
}
