import Glibc
import Testing
import TestSupport

/// A sync leaves its mail findable, and nothing about the index stops a sync.
@Suite struct IndexedSyncTests {
  @Test func whatComesAndChangesAndGoesIsFoundSo() throws {
    let stage = try indexedStage()
    try stage.syncWell()
    #expect(try count("*", stage) == 22)
    try stage.imap.append(mail("a later one"))
    try stage.imap.select()
    try stage.imap.store("1:3", "+FLAGS (\\Flagged)")
    try stage.imap.store("4:5", "+FLAGS (\\Deleted)")
    try stage.imap.command("UID EXPUNGE 4:5")
    try stage.syncWell()
    #expect(try count("subject:later", stage) == 1)
    #expect(try count("is:flagged", stage) == 3)
    #expect(try count("*", stage) == 21)
    try expectComplete(stage)
  }

  /// What the lines of a sync say, asked for with the next one's.
  @Test func programsLearnHowFarTheIndexHasCome() throws {
    let stage = try indexedStage()
    let outcome = try stage.sync("--json")
    let line = outcome.lines.first { $0.contains("\"event\":\"indexed\"") } ?? ""
    let number = line.split(separator: "\"lastmod\":").last.map { $0.prefix { $0.isNumber } }
    let lastmod = try #require(number.flatMap { Int($0) }, "\(outcome)")
    try stage.imap.append(mail("a later one"))
    try stage.syncWell()
    #expect(try count("lastmod:\(lastmod + 1)..", stage) == 1)
    let index = try run("magnum", ["index", "--json"], stage)
    let uuid = line.split(separator: "\"uuid\":").last.map { $0.prefix { $0 != "," } } ?? ""
    #expect(uuid.count == 38 && index.output.contains("\"uuid\":\(uuid)"), "\(index)")
  }

  @Test func whatOtherClientsDidInTheFoldersIsFoundToo() throws {
    let stage = try indexedStage()
    try stage.settle()
    let file = try #require(stage.tree["Archive"].first)
    try Command.shell(
      "mv \"$1/Archive/cur/$2\" \"$1/INBOX/cur/${2%%:*}:2,F\"",
      [stage.maildir, file.name]
    )
    try stage.syncWell()
    #expect(try count("is:flagged and folder:INBOX", stage) == 1)
    #expect(try count("folder:Archive", stage) == 4)
    try expectComplete(stage)
  }

  /// What the server lost is found as before, with its tags.
  @Test func detachedFilesAreFound() throws {
    let stage = try indexedStage()
    try stage.configure(sync: "on-remote-delete = \"keep\"", isIndexed: true)
    try stage.imap.select()
    try stage.imap.store("1:3", "+FLAGS (Blue)")
    try stage.syncWell()
    let all = try count("*", stage)
    try stage.imap.expunge("1:4")
    try stage.imap.delete("Archive")
    try stage.syncWell()
    #expect(try count("*", stage) == all)
    #expect(try count("tag:blue", stage) == 3)
    try expectComplete(stage)
    try stage.syncWell()
    #expect(try count("tag:blue", stage) == 3)
    try expectComplete(stage)
  }

  @Test func keywordsOfTheServerAreTags() throws {
    let stage = try indexedStage()
    try stage.imap.select()
    try stage.imap.store("1:3", "+FLAGS ($Label1 Blue)")
    try stage.syncWell()
    #expect(try count("tag:blue", stage) == 3)
    // Nothing but keywords changes, and no name of a file with them.
    try stage.imap.store("1", "-FLAGS (Blue)")
    try stage.imap.store("4", "+FLAGS (Blue)")
    try stage.imap.store("3", "-FLAGS ($Label1 Blue)")
    try stage.syncWell()
    #expect(try count("tag:blue", stage) == 2)
    #expect(try count("tag:$label1", stage) == 2)
    #expect(try count("tag:blue and tag:$Label1", stage) == 1)
    try expectComplete(stage)
    #expect(try run("magnum", ["index", "--rebuild"], stage).code == 0)
    #expect(try count("tag:blue", stage) == 2)
    try stage.imap.store("1:*", "-FLAGS ($Label1 Blue)")
    try stage.syncWell()
    #expect(try count("tag:blue or tag:$label1", stage) == 0)
    #expect(!Files.exists("\(stage.maildir)/INBOX/.magnum-keywords"))
  }

  @Test func keywordsGoWithAMessageThatMoves() throws {
    let stage = try indexedStage()
    try stage.imap.select()
    try stage.imap.store("2", "+FLAGS (Blue)")
    try stage.syncWell()
    try stage.imap.command("UID MOVE 2 Archive")
    try stage.syncWell()
    #expect(try count("tag:blue and folder:Archive", stage) == 1)
    #expect(try count("tag:blue", stage) == 1)
    try expectComplete(stage)
  }

  @Test func withoutTheServerToo() throws {
    let stage = try indexedStage()
    try stage.settle()
    let file = try #require(stage.tree["INBOX"].first)
    try Command.shell(
      "mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,FS\"",
      [stage.maildir, file.subdirectory, file.name]
    )
    try stage.configure(url: "imap+plain://127.0.0.1:1", isIndexed: true)
    #expect(try stage.sync().code == 75)
    #expect(try count("is:flagged", stage) == 1)
  }

  @Test func aSyncWithNothingToDoWritesNothing() throws {
    let stage = try indexedStage()
    try stage.settle()
    let before = TreeSnapshot(stage.program.home.path)
    try stage.syncWell()
    let changed = TreeSnapshot(stage.program.home.path).differences(from: before)
    #expect(changed.filter { !$0.contains("/accounts/test/synced ") } == [])
  }

  @Test func aDryRunMakesNoIndex() throws {
    let stage = try indexedStage()
    let before = TreeSnapshot(stage.program.home.path)
    try stage.syncWell("--dry-run")
    #expect(TreeSnapshot(stage.program.home.path).differences(from: before) == [])
  }

  @Test func aCommandAfterTheSyncFindsWhatCame() throws {
    let stage = try indexedStage()
    let found = stage.program.home["found"]
    let search = "\(ProgramUnderTest.products)/magnum-search --count '*' >\(found)"
    try stage.configure(sync: "post-sync = \"\(search)\"", isIndexed: true)
    try stage.syncWell()
    #expect(Files.text(found) == "22\n")
  }

  @Test func aSearchDuringTheFirstSyncFindsWhatIsThere() throws {
    let stage = try Stage()
    let body = String(repeating: "many words\r\n", count: 200)
    let octets = (1...1500).map { mail("number\($0)", body: body) }
    try stage.imap.append(octets)
    // It takes more than a minute: indexing gives way to everything else that the machine does.
    var link = DelayProxy.Link()
    (link.roundTrip, link.window) = (0.2, 5000)
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", isIndexed: true)
    let running = try stage.program.command([]).start()
    defer {
      running.signal(SIGKILL)
      _ = running.wait()
    }
    let deadline = Stopwatch.now() + 60
    while try count("*", stage) == 0, Stopwatch.now() < deadline { Stopwatch.sleep(0.3) }
    let found = try count("*", stage)
    #expect(found > 0 && found < 1500, "\(found) found")
    #expect(!running.hasEnded)
  }

  @Test func muchNewMailMakesTheIndexAnewByTheWay() throws {
    let stage = try indexedStage()
    try stage.syncWell()
    try stage.imap.append((1...1100).map { mail("number\($0)") })
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("test: indexed +"), "\(outcome)")
    #expect(try count("*", stage) == 1122)
    try expectComplete(stage)
  }

  @Test func anIndexThatCannotBeMadeStopsNoMail() throws {
    let stage = try indexedStage()
    try stage.program.home.write("in the way", to: "Mail/test/.magnum/index")
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("test: "), "\(outcome)")
    #expect(outcome.errors.contains(".magnum/index"), "\(outcome)")
    try stage.expectMirrored()
    try Command.shell("rm \"$1/index\"", [stage.state])
    try stage.syncWell()
    #expect(try count("*", stage) == 22)
  }

  @Test func aDamagedIndexIsMadeAnew() throws {
    let stage = try indexedStage()
    try stage.syncWell()
    try Command.shell(
      "for file in \"$1\"/index/gen-*/*.glass; do : >\"$file\"; done",
      [stage.state]
    )
    try stage.imap.append(mail("a later one"))
    try stage.syncWell()
    #expect(try count("*", stage) == 23)
    try expectComplete(stage)
  }

  @Test func afterAKillAnywhereTheNextSyncCompletesTheIndex() throws {
    let stage = try indexedStage()
    var kills = 0
    for point in stride(from: 10, to: 200, by: 24) {
      try Command.shell("rm -rf \"$1\"", [stage.maildir])
      try Command.shell("rm -rf \"$1\"", [stage.program.home[".local/state/magnum"]])
      if try stage.sync(variables: ["MAGNUM_FAULT": "\(point)"]).end == .signalled(9) { kills += 1 }
      try stage.syncWell()
      try stage.expectMirrored()
      #expect(try count("*", stage) == 22, "killed at point \(point)")
      try expectComplete(stage)
    }
    #expect(kills > 0)
  }

  // MARK: The stage

  private func indexedStage() throws -> Stage {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(isIndexed: true)
    return stage
  }

  /// How many messages a query finds; 0 where there is no index.
  private func count(_ query: String, _ stage: Stage) throws -> Int {
    let outcome = try run("magnum-search", ["--count", query], stage)
    return Int(outcome.output.filter { $0 != "\n" }) ?? 0
  }

  /// Expects that the index knows all files by their names, and is whole.
  private func expectComplete(
    _ stage: Stage,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scan = try run("magnum", ["index", "--scan"], stage)
    #expect(scan.output.contains("nothing new"), "\(scan)", sourceLocation: sourceLocation)
    let check = try run("magnum", ["index", "--check"], stage)
    #expect(check.code == 0, "\(check)", sourceLocation: sourceLocation)
  }

  private func run(_ name: String, _ arguments: [String], _ stage: Stage) throws -> Outcome {
    var command = stage.program.command(arguments)
    command.program = "\(ProgramUnderTest.products)/\(name)"
    return try command.run()
  }
}
