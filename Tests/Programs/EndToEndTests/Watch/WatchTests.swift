import Glibc
import TestSupport
import Testing

/// `magnum watch` beside real servers.
@Suite struct WatchTests {
  // MARK: The server changes

  @Test func newMailIsHereAndFoundSoon() throws {
    let scene = try WatchScene(isIndexed: true)
    let watch = try scene.start()
    try watch.waitForListening()
    let seconds = try scene.measure {
      try scene.stage.imap.append(scene.mail("arrival one"))
    } until: {
      scene.holds("arrival one") && (try? scene.count("subject:arrival")) == 1
    }
    #expect(seconds < 3, "\(seconds) s")
    if getenv("MAGNUM_MEASURE") != nil { print("measured: \(#function) \(seconds) s") }
    try watch.end()
  }

  @Test func changesOfOtherKindsComeToo() throws {
    let scene = try WatchScene()
    let watch = try scene.start()
    try watch.waitForListening()
    try scene.stage.imap.select()
    try scene.stage.imap.store("1", "+FLAGS (\\Flagged)")
    try scene.stage.imap.store("2", "+FLAGS (\\Deleted)")
    try scene.stage.imap.command("UID EXPUNGE 2")
    try scene.stage.imap.append(scene.mail("elsewhere"), to: "Archive")
    try scene.waitUntilMirrored()
    try watch.end()
  }

  /// On a machine with much to do the server pauses while it tells of them, and each pause may begin a sync.
  @Test func twoThousandMessagesAtOnceAreFewSyncs() throws {
    let scene = try WatchScene()
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    var corpus = Corpus(seed: 7)
    try scene.stage.imap.append(corpus.take(2000))
    try scene.waitUntilMirrored(60)
    #expect(watch.count("\"event\":\"started\"") <= 40)
    #expect(watch.logins <= 4)
    try watch.end()
  }

  // MARK: Files change

  @Test func aFlagIsOnTheServerSoon() throws {
    let scene = try WatchScene()
    let watch = try scene.start([], WatchScene.fast)
    try watch.waitForListening()
    #expect(watch.becomesQuiet())
    let file = try #require(scene.stage.tree["INBOX"].first)
    let seconds = try scene.measure {
      try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,F\"", file)
    } until: {
      (try? scene.stage.imap.messages().contains { $0.flags.contains("\\Flagged") }) ?? false
    }
    #expect(seconds < 3, "\(seconds) s")
    if getenv("MAGNUM_MEASURE") != nil { print("measured: \(#function) \(seconds) s") }
    // It was not woken by what it did itself.
    let syncs = watch.syncs
    #expect(watch.becomesQuiet() && watch.syncs <= syncs + 1)
    try watch.end()
  }

  @Test func aRemovalWaitsAndAMoveDoesNot() throws {
    let scene = try WatchScene()
    let watch = try scene.start()
    try watch.waitForListening()
    let files = scene.stage.tree["INBOX"]
    try scene.shell("rm \"$1/INBOX/$2/$3\"", files[0])
    try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/Archive/cur/${3%%:*}:2,S\"", files[1])
    _ = try scene.measure {
    } until: {
      (try? scene.stage.imap.messages(in: "Archive").count) == 6
    }
    Stopwatch.sleep(3)
    #expect(try scene.stage.imap.messages().count == 11)
    try watch.end()
    // The next sync of any kind knows of it.
    try scene.stage.syncWell()
    #expect(try scene.stage.imap.messages().count == 10)
    #expect(try scene.stage.imap.messages(in: "Archive").count == 6)
  }

  @Test func aNewFolderIsWatched() throws {
    let scene = try WatchScene()
    let watch = try scene.start()
    try watch.waitForListening()
    let file = try #require(scene.stage.tree["Archive"].first)
    try Command.shell("mkdir -p \"$1/New/cur\" \"$1/New/new\" \"$1/New/tmp\"", [scene.maildir])
    _ = try scene.measure {
    } until: {
      (try? scene.stage.imap.mailboxes().contains("New")) ?? false
    }
    try scene.shell("mv \"$1/Archive/$2/$3\" \"$1/New/cur/\"", file)
    _ = try scene.measure {
    } until: {
      (try? scene.stage.imap.messages(in: "New").count) == 1
    }
    try watch.end()
  }

  // MARK: Trouble

  @Test func nothingIsLostWhereItIsKilledAgainAndAgain() throws {
    let scene = try WatchScene()
    for round in 0..<5 {
      let watch = try scene.start()
      try watch.waitForStart()
      try scene.stage.imap.append(scene.mail("killed \(round)"))
      if let file = scene.stage.tree["INBOX"].last(where: { $0.flags.isEmpty }) {
        try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,F\"", file)
      }
      Stopwatch.sleep(0.1 + Double(round) * 0.35)
      watch.kill()
    }
    let watch = try scene.start()
    try scene.waitUntilMirrored(30)
    try watch.end()
    try scene.stage.expectSettled()
  }

  @Test func anotherSyncBesideItIsNoTrouble() throws {
    let scene = try WatchScene()
    let watch = try scene.start()
    try watch.waitForListening()
    for round in 0..<6 {
      try scene.stage.imap.append(scene.mail("beside \(round)"))
      let outcome = try scene.stage.sync()
      // 75: the watch is at it.
      #expect(outcome.code == 0 || outcome.code == 75, "\(outcome)")
    }
    try scene.waitUntilMirrored(30)
    #expect(watch.logins == 1)
    try watch.end()
    try scene.stage.expectSettled()
  }

  @Test func aConnectionThatTheServerEndsIsMadeAnew() throws {
    let scene = try WatchScene()
    let watch = try scene.start([], WatchScene.fast)
    try watch.waitForListening()
    try scene.stage.reconnect { try scene.kick() }
    try scene.stage.imap.append(scene.mail("while it was away"))
    _ = try scene.measure {
    } until: {
      watch.count("\"event\":\"waiting\"") > 0
    }
    try scene.waitUntilMirrored()
    #expect(watch.logins == 2)
    try watch.end()
  }

  @Test func aSecondWatchIsRefused() throws {
    let scene = try WatchScene()
    let watch = try scene.start()
    try watch.waitForStart()
    let second = try scene.command([]).run()
    #expect(second.code == 75)
    #expect(second.output.contains("another magnum watch runs for this account already"))
    try watch.end()
  }

  // MARK: The program

  @Test func itEndsWithinTwoSecondsOfASignal() throws {
    let scene = try WatchScene()
    for number in [SIGTERM, SIGINT] {
      let watch = try scene.start()
      try watch.waitForListening()
      let start = Stopwatch.now()
      watch.signal(number)
      _ = watch.wait()
      #expect(Stopwatch.now() - start < 2.5)
    }
  }

  @Test func aHangUpReadsTheConfiguration() throws {
    let scene = try WatchScene()
    let watch = try scene.start()
    try watch.waitForListening()
    try scene.stage.program.configure("[account.test]\nmaildir = 3\n")
    watch.signal(SIGHUP)
    _ = try scene.measure {
    } until: {
      watch.output.contains("\"event\":\"problem\"")
    }
    try scene.deliver("after a mistake")
    try scene.stage.configure()
    watch.signal(SIGHUP)
    _ = try scene.measure {
    } until: {
      watch.output.contains("\"event\":\"reloaded\"")
    }
    try scene.deliver("after a change")
    try watch.end()
  }

  @Test func onceEndsAfterAChange() throws {
    let scene = try WatchScene()
    let watch = try scene.start(["--once", "--exec", "echo \"$MAGNUM_NEW\" >~/brought"])
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("the one"))
    #expect(watch.wait().code == 0)
    #expect(Files.text(scene.stage.program.home["brought"]) == "1\n")
  }

  @Test func statusSaysWhatIsWatched() throws {
    let scene = try WatchScene()
    func status() throws -> String {
      var command = scene.stage.program.command(["status"])
      command.program = "\(ProgramUnderTest.products)/magnum"
      return try command.run().output
    }
    #expect(!(try status().contains("watched")))
    let watch = try scene.start()
    try watch.waitForListening()
    #expect(try status().contains("watched"))
    watch.kill()
    #expect(!(try status().contains("watched")))
  }

  @Test func oneAccountThatIsRefusedLeavesTheOther() throws {
    let scene = try WatchScene()
    let config = Files.text(scene.stage.program.home[".config/magnum/config.toml"]) ?? ""
    try scene.stage.program.configure(
      config
        + config.replacing("account.test", with: "account.bad").replacing("Mail/test", with: "Bad")
        .replacing("\"pass\"", with: "\"wrong\"")
    )
    let watch = try scene.start()
    try watch.waitForListening()
    _ = try scene.measure {
    } until: {
      watch.output.contains("\"account\":\"bad\"") && watch.count("\"waiting\"") > 0
    }
    try scene.deliver("all the same")
    try watch.end()
  }
}
