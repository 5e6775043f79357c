import TestSupport
import Testing

/// Messages that are snoozed, and come back by a sync, the queue, or a watch.
@Suite struct SnoozeTests {
  @Test(arguments: try Fixtures.load("Fixtures/snoozes.txt"))
  func scene(_ fixture: Fixture) throws {
    let scene = try RuleScene(fixture["settings"] ?? "")
    for step in fixture.lines("steps") { try scene.perform(step) }
    let after = try scene.shown
    #expect(after == fixture.lines("after"), "\(scene.last)")
    if fixture["steps"]?.contains("sync") == true { try scene.stage.expectMirrored() }
    for line in fixture.lines("says") { #expect(scene.last.errors.contains(line), "\(scene.last)") }
    if fixture.has("log") { #expect(try scene.log == fixture.lines("log")) }
    #expect("\(scene.entries.count)" == fixture["entries"])
  }

  /// Wherever the command or the sync that wakes is killed: the message is in the folder with an entry, or back without one.
  @Test(arguments: ["snooze", "wake"])
  func everyKillIsSurvived(_ part: String) throws {
    let scene = try RuleScene("")
    let stage = scene.stage
    let snooze = ["snooze", "--until", "+2d", "subject:old"]
    if part == "wake" {
      try stage.magnumWell("snooze", "--until", "+2d", "subject:old")
      try scene.perform("sync")
      try scene.perform("due")
    }
    func shown() throws -> [String] {
      RuleScene.lines(of: try RawIMAP(stage.server, user: stage.user).everything())
    }
    try scene.killEverywhere(part, part == "snooze" ? snooze : nil) { place in
      let before = try shown()
      if part == "snooze" {
        let isSnoozed = before == ["Snoozed old [S] snoozed"]
        #expect(isSnoozed || before == ["INBOX old []"], "\(place): \(before)")
        // Its time comes: it is back where it was gone, and nothing else happens.
        if !scene.entries.isEmpty { try scene.perform("due") }
        _ = try stage.expectSettled(place)
        #expect(try shown() == [isSnoozed ? "INBOX old [] snoozed" : "INBOX old []"], "\(place)")
      } else {
        #expect(before == ["INBOX old [] snoozed"], "\(place)")
      }
    }
  }

  /// Wherever the command that waits for an answer, or the sync that reminds, is killed: the message is tagged once its time is
  /// there, and no entry stays.
  @Test(arguments: ["wait", "remind"])
  func everyKillOfAReminderIsSurvived(_ part: String) throws {
    let scene = try RuleScene("", account: "address = \"me@x.test\"")
    let stage = scene.stage
    let mail = "From: me@x.test\nTo: bob@example.net\nSubject: asked\nMessage-ID: <asked@x.test>\n"
    let date = "Date: Wed, 01 Jul 2026 10:00:00 +0000\n\nText\n"
    try stage.imap.append(
      Array((mail + date).replacing("\n", with: "\r\n").utf8),
      to: "Sent",
      flags: "\\Seen",
      date: nil
    )
    try scene.perform("sync")
    let remind = ["remind", "--in", "2d", "id:asked@x.test"]
    if part == "remind" {
      try stage.magnumWell("remind", "--in", "2d", "id:asked@x.test")
      try scene.perform("sync")
      try scene.perform("due")
    }
    func shown() throws -> String? {
      RuleScene.lines(of: try RawIMAP(stage.server, user: stage.user).everything())
        .first { $0.hasPrefix("Sent ") }
    }
    try scene.killEverywhere("reminder: \(part)", part == "wait" ? remind : nil) { place in
      if part == "wait" {
        let isWaiting = try shown() == "Sent asked [S] waiting"
        #expect(try isWaiting || shown() == "Sent asked [S]", "\(place)")
        if !scene.entries.isEmpty { try scene.perform("due") }
        _ = try stage.expectSettled(place)
        #expect(
          try shown() == (isWaiting ? "Sent asked [FS] remind" : "Sent asked [S]"),
          "\(place)"
        )
      } else {
        #expect(try shown() == "Sent asked [FS] remind", "\(place)")
      }
      let reminders = try scene.log.filter { $0.hasPrefix("remind ") && $0.contains("(by") }
      #expect(reminders.count <= 1, "\(place): \(reminders)")
    }
  }

  /// Two machines have a time for one message: it comes back once, whichever is the first.
  @Test func twoMachinesWakeOnce() throws {
    let scene = try RuleScene("")
    let other = try ProgramUnderTest()
    try other.configure(Files.text(scene.stage.program.home[".config/magnum/config.toml"]) ?? "")
    func magnum(_ words: String...) throws -> Outcome {
      var command = other.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum"
      return try command.run()
    }
    try scene.perform("magnum snooze --until +2d subject:old")
    try scene.perform("sync")
    #expect(try other.run().code == 0)
    let listed = try magnum("snooze", "--list")
    #expect(listed.output.contains("by another machine"), "\(listed)")
    let again = try magnum("snooze", "--until", "+3d", "subject:old")
    #expect(again.code == 0 && again.output.contains("snoozed until"), "\(again)")
    let own = try ParsedJSON(try magnum("snooze", "--list", "--json").output)
    #expect(own["due"] != nil && own["elsewhere"] == nil)
    try scene.perform("due")
    try Command.shell(
      "sed -i 's/^due .*/due 2020-01-01T00:00:00Z/' \"$1\"/*",
      [other.home[".local/state/magnum/later/test"]]
    )
    try scene.perform("sync")
    for _ in 0..<2 {
      let outcome = try other.run()
      #expect(outcome.code == 0, "\(outcome)")
    }
    try scene.perform("sync")
    #expect(try scene.shown == ["INBOX old [] snoozed"])
    #expect(
      Files.names(in: other.home[".local/state/magnum/later/test"]) == [Array(".lock".utf8)]
    )
    #expect(scene.entries.isEmpty)
  }

  /// `post-sync` is told of a message that came back, also where the sync brought nothing.
  @Test func postSyncIsTold() throws {
    let scene = try RuleScene("", sync: "post-sync = \"cat >> ~/news\"")
    try scene.perform("magnum snooze --until +2d subject:old")
    try scene.perform("sync")
    try scene.perform("due")
    try scene.perform("sync")
    try scene.perform("sync")
    let lines = (Files.text(scene.stage.program.home["news"]) ?? "").split(separator: "\n")
    try #require(lines.count == 1, "\(lines)")
    let path = Fixtures.project("man/schemas/new-mail.json")
    let schema = try JSONSchema(try #require(Files.text(path)))
    let line = try ParsedJSON(String(lines[0]))
    #expect(schema.mistakes(in: line) == [])
    #expect(line["woken"] != nil && line["mailbox"]?.text == "INBOX", "\(line)")
    #expect(Files.read(line["file"]?.text ?? "") != nil)
  }

  /// A flush of the queue tells it too, and once.
  @Test func aFlushTellsPostSync() throws {
    let scene = try RuleScene("", sync: "post-sync = \"cat >> ~/news\"")
    try scene.perform("magnum snooze --until +2d subject:old")
    try scene.perform("due")
    try scene.perform("magnum queue flush")
    let lines = (Files.text(scene.stage.program.home["news"]) ?? "").split(separator: "\n")
    try #require(lines.count == 1, "\(lines)")
    #expect(try ParsedJSON(String(lines[0]))["woken"] != nil)
    try scene.perform("magnum queue flush")
    let after = (Files.text(scene.stage.program.home["news"]) ?? "").split(separator: "\n")
    #expect(after.count == 1, "\(after)")
  }

  /// The clock is set to a time behind that of a message: a watch wakes it at once, not at its next look in a minute.
  @Test func aWatchNoticesThatTheClockIsSet() throws {
    let scene = try RuleScene("")
    let clock = scene.stage.program.home["clock"]
    try Files.write("0", to: clock)
    var command = WatchScene(of: scene.stage).command([])
    command.environment.merge(try Preload.variables(clock: clock)) { $1 }
    let watch = RunningWatch(try command.start())
    try watch.waitForListening()
    try scene.perform("magnum snooze --until +1h subject:old")
    let isAway = Stopwatch.wait(upTo: 20) { (try? scene.shown) == ["Snoozed old [S] snoozed"] }
    try #require(isAway, "\(watch.output)")
    #expect(watch.becomesQuiet())
    try Files.write("7200", to: clock)
    let isBack = Stopwatch.wait(upTo: 20) { watch.output.contains("\"woken\"") }
    #expect(isBack, "\(watch.output)")
    try watch.end()
  }

  /// A watch wakes at the time, and tells the server.
  @Test func aWatchWakes() throws {
    let scene = try RuleScene("")
    let command = WatchScene(of: scene.stage).command([], WatchScene.fast)
    let watch = RunningWatch(try command.start())
    try watch.waitForListening()
    try scene.perform("magnum snooze --until +4s subject:old")
    let isBack = Stopwatch.wait(upTo: 30) { watch.output.contains("\"woken\"") }
    #expect(isBack, "\(watch.output)")
    let isThere = Stopwatch.wait(upTo: 20) { (try? scene.shown) == ["INBOX old [] snoozed"] }
    #expect(isThere, "\(watch.output)")
    let path = Fixtures.project("man/schemas/sync-event.json")
    let schema = try JSONSchema(try #require(Files.text(path)))
    let line = watch.output.split(separator: "\n").first { $0.contains("\"woken\"") }
    #expect(schema.mistakes(in: try ParsedJSON(String(try #require(line)))) == [])
    #expect(scene.entries.isEmpty)
    try watch.end()
  }
}

extension RuleScene {
  /// Kills a command of magnum, or the sync where it is nil, wherever that changes something, each time from the same state; checks
  /// what is there once another sync has gone through, and that no entry stays.
  func killEverywhere(
    _ name: String,
    _ command: [String]?,
    check: (_ place: String) throws -> Void
  ) throws {
    let run = command.map { words in
      { (variables: [String: String]) in
        var command = self.stage.program.command(words, variables)
        command.program = "\(ProgramUnderTest.products)/magnum"
        return try command.run()
      }
    }
    try stage.killEverywhere(name, every: 3, moreThan: 10, run: run) { place in
      _ = try stage.expectSettled(place)
      try check(place)
      #expect(entries.isEmpty, "\(place)")
    }
  }

  /// The names of all files of messages about which something is done later, but the lock.
  var entries: [String] {
    Files.names(in: stage.program.home[".local/state/magnum/later/test"])
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0 != ".lock" }
  }
}
