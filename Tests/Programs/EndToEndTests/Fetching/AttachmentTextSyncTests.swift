import Glibc
import TestSupport
import Testing

/// Filters for attachments make nothing wait: a sync is over and reported before they run, and a watch goes on beside them.
@Suite struct AttachmentTextSyncTests {
  private let scene: WatchScene
  private var stage: Stage { scene.stage }

  init() throws {
    scene = try WatchScene(isIndexed: true, isSynced: false)
  }

  private func configure(_ command: String) throws {
    try stage.configure(isIndexed: true)
    let path = stage.program.home[".config/magnum/config.toml"]
    let text = try #require(Files.text(path))
    try stage.program.configure("index-filter.\"application/x-fruit\" = \(command)\n" + text)
  }

  private func mail(_ name: String) -> [UInt8] {
    let lines = [
      "Subject: \(name)", "Message-ID: <\(name)@w>", "Content-Type: application/x-fruit", "", name,
      "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static let shout = "[\"tr\", \"a-z\", \"b-za\"]"

  @Test func theTextOfNewMailIsFoundAfterTheSync() throws {
    try configure(Self.shout)
    try stage.imap.append(mail("apple"))
    let outcome = try stage.sync("--json")
    let last = try ParsedJSON(String(outcome.lines.last ?? ""))
    #expect(last["event"] == .string("texts") && last["texts"]?.integer == 1, "\(outcome)")
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/sync-event.json")))
    )
    #expect(schema.mistakes(in: last) == [])
    #expect(try scene.count("bqqmf") == 1)
    #expect(try stage.sync("-v").errors.contains("attachments") == false)
  }

  @Test func theSyncIsOverBeforeAFilterRuns() throws {
    try configure("[\"sh\", \"-c\", \"sleep 4; cat\"]")
    try stage.imap.append(mail("apple"))
    let running = try stage.program.command(["--json"]).start()
    defer { _ = running.wait() }
    let deadline = Stopwatch.now() + 30
    while !running.outputSoFar.contains("\"completed\""), Stopwatch.now() < deadline {
      Stopwatch.sleep(0.02)
    }
    // It is filtered now: the mail is there and found, and the account is free.
    #expect(try scene.count("subject:apple") == 1)
    #expect(try stage.sync("--scan", "--dry-run").code == 0)
    #expect(!running.outputSoFar.contains("\"texts\"") && !running.hasEnded)
    #expect(running.wait().output.contains("\"texts\""))
  }

  /// Five seconds in all, however many attachments there are.
  @Test func filtersThatHangHoldUpARunForSecondsOnly() throws {
    try configure("[\"sh\", \"-c\", \"sleep 60\"]")
    for name in ["apple", "pear", "plum"] { try stage.imap.append(mail(name)) }
    let start = Stopwatch.now()
    let outcome = try stage.sync()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Stopwatch.now() - start < 12)
    #expect(try scene.count("subject:plum") == 1)
  }

  @Test func whatFailsIsSaidOnceAndFailsNoSync() throws {
    try configure("[\"false\"]")
    try stage.imap.append(mail("apple"))
    let outcome = try stage.sync()
    #expect(outcome.code == 0)
    #expect(
      outcome.errors
        == "magnum-sync: test: false ended with status 1 on an attachment of id:apple@w, and no text was taken\n"
    )
    #expect(try stage.sync().errors == "")
    // What stands in every run is said once a day.
    try configure("[\"magnum-no-such-program\"]")
    #expect(try stage.sync().errors.contains("cannot be started"))
    #expect(try stage.sync().errors == "")
  }

  @Test func aWatchGoesOnBesideThem() throws {
    try configure("[\"sh\", \"-c\", \"sleep 6; cat\"]")
    try stage.syncWell()
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    try stage.imap.append(mail("apple"))
    _ = try scene.measure {
    } until: {
      (try? scene.count("subject:apple")) == 1
    }
    let seconds = try scene.deliver("while it runs")
    #expect(seconds < 4, "\(seconds) s")
    _ = try scene.measure {
    } until: {
      (try? scene.count("apple and not subject:pear")) == 1 && watch.output.contains("\"texts\"")
    }
    try watch.end()
  }

  @Test func aWatchEndsWhateverAFilterDoes() throws {
    try configure("[\"sh\", \"-c\", \"trap '' TERM; sleep 60\"]")
    try stage.imap.append(mail("apple"))
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    Stopwatch.sleep(1)
    let start = Stopwatch.now()
    try watch.end()
    #expect(Stopwatch.now() - start < 2.5)
  }
}
