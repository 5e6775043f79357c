import Glibc
import Synchronization
import TestSupport
import Testing

/// `magnum-sync` beside `magnum watch` where something is in the way of either.
@Suite struct WatchRequestTroubleTests {
  /// An account by way of a proxy that keeps the list of mailboxes back for so many seconds, or the answer to another command
  /// that has such words, once it is told to.
  private struct Scene {
    let watched: WatchScene
    let proxy: BendingProxy
    private let armed = Armed()

    /// Shared with the threads of the proxy.
    private final class Armed: Sendable {
      let isArmed = Atomic(false)
    }

    init(holding seconds: Double = 3, at words: String = "LIST ") throws {
      watched = try WatchScene(DovecotOptions().hiding("NOTIFY"))
      let armed = armed
      proxy = try BendingProxy(to: watched.stage.server.ports.clear) { line in
        guard line.contains(words), armed.isArmed.exchange(false, ordering: .relaxed) else {
          return .passed
        }
        return .after { Stopwatch.sleep(seconds) }
      }
      try watched.configure(port: proxy.port)
    }

    /// A watch that has nothing to do.
    func start(_ variables: [String: String] = [:]) throws -> RunningWatch {
      let watch = try watched.start(["--poll", "3600"], variables)
      try watch.waitForListening()
      Stopwatch.sleep(1)
      return watch
    }

    /// A watch whose secret, which these words of the configuration name, the server has refused.
    func startRefused(_ secret: String) throws -> RunningWatch {
      let url = "imap+plain://127.0.0.1:\(proxy.port)"
      try stage.configure(url: url, secret: secret)
      let watch = try watched.start(["--poll", "3600"])
      _ = try watched.measure {
      } until: {
        watch.count("\"event\":\"waiting\"") > 0
      }
      return watch
    }

    var stage: Stage { watched.stage }
    var logins: Int { proxy.commands.count { $0.hasPrefix("AUTHENTICATE") } }

    /// From now on the next list is held.
    func arm() { armed.isArmed.store(true, ordering: .relaxed) }
    var isArmed: Bool { armed.isArmed.load(ordering: .relaxed) }

    /// Starts a sync that the watch begins, and holds it.
    func startHeldSync(_ arguments: [String] = [], isOnTerminal: Bool = false) throws
      -> RunningCommand
    {
      arm()
      var command = stage.program.command(arguments, ["TERM": "xterm"])
      command.isOnTerminal = isOnTerminal
      let run = try command.start()
      _ = try watched.measure {
      } until: {
        !isArmed
      }
      Stopwatch.sleep(0.3)
      return run
    }
  }

  /// Cron asks again and again; who names the account asks once more.
  @Test func aRefusedSecretIsNotOfferedAgain() throws {
    let scene = try Scene()
    let watch = try scene.startRefused("password = \"wrong\"")
    let before = scene.logins
    for _ in 1...5 {
      let outcome = try scene.stage.sync("-q")
      #expect(outcome.code != 0, "\(outcome)")
    }
    #expect(scene.logins == before)
    let named = try scene.stage.sync("-q", "test")
    #expect(named.code != 0 && named.errors.contains("refused"), "\(named)")
    #expect(scene.logins == before + 1)
    try watch.end()
  }

  /// It is read for each run, so that a watch, too, offers the one that is in the file now.
  @Test func aSecretThatWasCorrectedIsOffered() throws {
    let scene = try Scene()
    let home = scene.stage.program.home
    try home.write("wrong\n", to: "secret", mode: 0o600)
    let watch = try scene.startRefused("password-file = \"~/secret\"")
    let before = scene.logins
    try home.write("pass\n", to: "secret", mode: 0o600)
    let named = try scene.stage.sync("-q", "test")
    #expect(named.code == 0, "\(named)")
    #expect(scene.logins == before + 1)
    try scene.watched.deliver("after the correction")
    try watch.end()
  }

  /// The watch ends, or reads its configuration anew, in a sync that a program waits for.
  @Test(arguments: [SIGHUP, SIGTERM])
  func aSyncThatTheWatchCutsShortIsMadeAllTheSame(_ number: Int32) throws {
    let scene = try Scene()
    let watch = try scene.start()
    try scene.stage.imap.append(scene.watched.mail("asked for"), to: "Archive")
    let run = try scene.startHeldSync()
    watch.signal(number)
    let outcome = run.wait()
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(scene.watched.holds("asked for"))
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// The server does not answer any more over the connection that was open.
  @Test func aConnectionThatIsDeadFailsNoSync() throws {
    let scene = try Scene(holding: 8)
    let watch = try scene.start(["MAGNUM_PATIENCE": "1500"])
    try scene.stage.imap.append(scene.watched.mail("asked for"), to: "Archive")
    let run = try scene.startHeldSync()
    let outcome = run.wait()
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(scene.watched.holds("asked for"))
    try watch.end()
    try scene.stage.expectSettled()
  }

  @Test func aTerminalShowsWhatItShowsWithoutAWatch() throws {
    let scene = try Scene()
    let watch = try scene.start()
    var command = scene.stage.program.command([])
    command.isOnTerminal = true
    let outcome = try command.run()
    #expect(outcome.code == 0 && outcome.output.contains("nothing new"), "\(outcome)")
    #expect(scene.logins == 1)
    try watch.end()
  }

  /// What is told of a sync of the watch's while the server still thinks about it.
  @Test(
    arguments: [
      (["-v"], false, "test/Archive: "), (["--json"], false, "\"started\""), ([], true, "test"),
    ] as [([String], Bool, String)]
  )
  func aSyncIsToldOfAsItHappens(_ arguments: [String], _ isOnTerminal: Bool, _ words: String) throws
  {
    let scene = try Scene(holding: 1.5, at: "BODY.PEEK[])")
    let watch = try scene.start()
    // Too long to come with the answer to what is new.
    let long = Array(String(repeating: "text\r\n", count: 12_000).utf8)
    try scene.stage.imap.append(scene.watched.mail("asked for") + long, to: "Archive")
    let run = try scene.startHeldSync(arguments, isOnTerminal: isOnTerminal)
    let soFar = run.outputSoFar + run.errorsSoFar
    #expect(!run.hasEnded && soFar.contains(words), "\(soFar)")
    #expect(!soFar.contains("completed"))
    let outcome = run.wait()
    #expect(outcome.code == 0 && scene.watched.holds("asked for"), "\(outcome)")
    #expect(outcome.output.contains("completed") == arguments.contains("--json"))
    #expect(scene.logins == 1)
    try watch.end()
  }

  /// What was told before stays told; the program makes its own sync.
  @Test func aWatchThatDiesInASyncIsNoTrouble() throws {
    let scene = try Scene()
    let watch = try scene.start()
    try scene.stage.imap.append(scene.watched.mail("asked for"), to: "Archive")
    let run = try scene.startHeldSync(["--json"])
    watch.kill()
    let outcome = run.wait()
    #expect(outcome.code == 0 && scene.watched.holds("asked for"), "\(outcome)")
    #expect(outcome.output.ranges(of: "\"started\"").count == 2, "\(outcome)")
    #expect(outcome.output.ranges(of: "\"completed\"").count == 1, "\(outcome)")
    try scene.stage.expectSettled()
  }

  @Test func aRemovalGoesToTheServerWithASyncThatIsAskedFor() throws {
    let scene = try Scene()
    let watch = try scene.start()
    let before = try scene.stage.imap.messages().count
    let file = try #require(scene.stage.tree["INBOX"].first)
    try scene.watched.shell("rm \"$1/INBOX/$2/$3\"", file)
    try scene.stage.syncWell()
    #expect(try scene.stage.imap.messages().count == before - 1)
    #expect(scene.logins == 1)
    try watch.end()
    try scene.stage.expectSettled()
  }

  @Test func programsThatWentAwayKeepNothingOpen() throws {
    let scene = try Scene(holding: 4)
    let watch = try scene.start()
    let before = watch.descriptors
    let first = try scene.startHeldSync()
    let gone = try (1...12).map { _ in try scene.stage.program.command([]).start() }
    Stopwatch.sleep(1)
    #expect(watch.descriptors > before)
    for run in gone {
      run.signal(SIGKILL)
      _ = run.wait()
    }
    #expect(first.wait().code == 0)
    _ = try scene.watched.measure {
    } until: {
      watch.descriptors <= before
    }
    try watch.end()
  }

  /// What is read the second time has a mistake.
  @Test func aConfigurationIsReadOnceAtATime() throws {
    let scene = try Scene()
    let home = scene.stage.program.home
    let script = """
      cd "$1" && mkfifo -m 600 fifo && cp .config/magnum/config.toml good && chmod 600 good
      """
    try Command.shell(script, [home.path])
    let feeder = try Command(
      "sh",
      [
        "-c", "cd \"$1\"; cat good > fifo; sleep 1; cat good > fifo; sleep 1; echo broken > fifo",
        "sh", home.path,
      ]
    ).start()
    let watch = try scene.watched.start(["--poll", "3600", "--config", home["fifo"]])
    try watch.waitForListening()
    watch.signal(SIGHUP)
    _ = try scene.watched.measure {
    } until: {
      watch.count("\"event\":\"reloaded\"") == 1 && watch.count("\"event\":\"listening\"") == 2
    }
    #expect(try scene.watched.deliver("after it was read") < 5)
    feeder.signal(SIGKILL)
    try watch.end()
  }

  /// The folders that the first sync makes are no change that gives rise to another one.
  @Test func aFirstSyncIsNotFollowedByAnother() throws {
    let scene = try WatchScene(isSynced: false)
    let watch = try scene.start(["--once", "--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    #expect(watch.becomesQuiet() && watch.syncs == 1)
    try scene.stage.imap.append(scene.mail("the change"))
    #expect(watch.wait().code == 0)
    #expect(scene.holds("the change"))
  }
}
