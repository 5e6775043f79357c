import Glibc
import TestSupport
import Testing

/// `labels = "tags"` on a scripted Gmail that passed the test of its labels.
@Suite struct LabelPushTests {
  @Test(arguments: try Fixtures.load("Fixtures/labels-push.txt"))
  func scene(_ fixture: Fixture) throws {
    for provider in Provider.gmails(of: fixture) {
      let scene = try LabelScene(provider, configuration: fixture["configuration"] ?? "")
      for line in fixture.lines() {
        if let wrong = try scene.perform(line) { Issue.record("\(line): \(wrong)") }
      }
      #expect(scene.server.violations.isEmpty)
      guard fixture["here"] != nil else { continue }
      let found = try scene.files()
      #expect(found == fixture.lines("here"), "\(found) \(provider.labels)")
    }
  }

  /// Whatever is not documented, and whatever ends a run, nothing is lost or doubled, and both sides are alike in the end.
  @Test(arguments: seeds(4))
  func randomWork(seed: Int) throws {
    var walk = try LabelWalk(seed: UInt64(1000 + seed), pushes: true)
    for _ in 0..<40 { try walk.step() }
    if let wrong = try walk.finish() {
      Issue.record("seed \(seed): \(wrong)\n\(walk.log.joined(separator: "\n"))")
    }
  }

  /// The same on two machines with the account: they and the server are alike in the end.
  @Test(arguments: seeds(3))
  func randomWorkOnTwoMachines(seed: Int) throws {
    var walk = try LabelWalk(seed: UInt64(100_000 + seed), pushes: true, machines: 2)
    for _ in 0..<60 { try walk.step() }
    if let wrong = try walk.finish() {
      Issue.record("seed \(seed): \(wrong)\n\(walk.log.joined(separator: "\n"))")
    }
  }

  /// Numbers of random walks: so many, or those that `MAGNUM_LABEL_SEEDS` in the environment names, as in "300-600".
  private static func seeds(_ usual: Int) -> [Int] {
    let given = getenv("MAGNUM_LABEL_SEEDS").map { String(cString: $0) } ?? ""
    let ends = given.split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] <= ends[1] else {
      return Array(0..<(runsLongTests ? 300 : usual))
    }
    return Array(ends[0]..<ends[1])
  }

  /// A run that pushes may end anywhere: the next ones do the rest.
  @Test(arguments: [true, false])
  func aPushMayEndAnywhere(isFriendly: Bool) throws {
    var provider = Provider.gmail
    provider.labels.returnsLabels = isFriendly
    provider.labels.raises = isFriendly
    provider.labels.raisesForStore = isFriendly
    provider.labels.unknown = isFriendly ? .made : .refused
    let scene = try LabelScene(provider)
    let before = [
      "deliver m1 INBOX", "deliver m2 INBOX", "deliver m3 INBOX", "label m3 Work",
      "label m2 Home", "fill 4", "pass", "sync", "write m6 DS", "sync", "mv m3 ALL TRASH", "sync",
      "sync", "tag m1 +todo,-inbox", "mark m1 FS", "mv m2 ALL TRASH", "mv m3 TRASH ALL",
      "write m4 S",
      "tag m4 +work", "edit m6 once",
    ]
    for line in before { #expect(try scene.perform(line) == nil, "\(line)") }
    try scene.putBack()
    let there = scene.server.mailboxes
    let counted = scene.program.home["points"]
    let ahead = ["MAGNUM_DAYS_AHEAD": "1"]
    let whole = try scene.run(ahead.merging(["MAGNUM_FAULT_COUNT": counted]) { $1 })
    try #require(whole.code == 0, "\(whole)")
    for _ in 0..<3 { #expect(try scene.perform("sync +1") == nil) }
    let (files, served) = (try scene.files(), scene.served())
    #expect(files == served, "\(files) \(served)")
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 40)
    for point in Turn.chosen(of: points, every: Turn.stride(8)) {
      try scene.putBack()
      scene.server.mailboxes = there
      _ = try scene.run(ahead.merging(["MAGNUM_FAULT": "\(point)"]) { $1 })
      for line in ["sync +1", "sync +1", "sync +1"] {
        if let wrong = try scene.perform(line) { Issue.record("\(line), \(point): \(wrong)") }
      }
      let (here, now) = (try scene.files(), scene.served())
      #expect(here == files, "point \(point) of \(points): here \(here)")
      #expect(now == served, "point \(point) of \(points): there \(now)")
    }
    #expect(scene.server.violations.isEmpty)
  }

  /// What people do with commands, the server has after a sync, and no longer once they undo it.
  @Test func commandsArePushed() throws {
    let scene = try LabelScene(.gmail)
    try scene.configureIndexed()
    let before = [
      "deliver m1 INBOX", "deliver m2 INBOX", "label m2 Work", "deliver m3 ALL", "deliver m4 SPAM",
      "deliver m5 INBOX", "deliver m6 TRASH", "pass", "sync",
    ]
    for line in before { #expect(try scene.perform(line) == nil) }
    let steps: [(words: [String], there: [String])] = [
      (["archive", "subject:m1"], ["All Mail: m1 - -"]),
      (["undo"], ["All Mail: m1 - inbox"]),
      (["move", "Lists/Swift", "subject:m2"], ["All Mail: m2 - lists/swift work"]),
      (["move", "INBOX", "subject:m2"], ["All Mail: m2 - inbox lists/swift work"]),
      (["tag", "+inbox", "+Work", "--", "subject:m3"], ["All Mail: m3 - inbox work"]),
      (["notjunk", "subject:m4"], ["All Mail: m4 - $NotJunk inbox"]),
      (["delete", "subject:m5"], ["Trash: m5 - -"]),
      (["undo"], ["All Mail: m5 - inbox"]),
      (["junk", "subject:m5"], ["Spam: m5 - $Junk"]),
      (["move", "--folder", "[Gmail]/Trash", "INBOX", "subject:m6"], ["All Mail: m6 - inbox"]),
      (["delete", "--yes", "subject:m6"], ["Trash: m6 - -"]),
    ]
    for step in steps {
      try scene.magnum(step.words)
      for _ in 0..<2 { #expect(try scene.perform("sync") == nil, "\(step)") }
      let served = scene.served().map { $0.replacing(" $NotJunk", with: "") }
      let wanted = step.there.map { $0.replacing(" $NotJunk", with: "") }
      #expect(Set(wanted).isSubset(of: served), "\(step): \(served)")
    }
    #expect(scene.server.violations.isEmpty)
    #expect(scene.server.mailboxes.contains { $0.name == "lists/swift" })
  }

  /// Its JSON is what its schema says.
  @Test func theTestIsToldAsJSON() throws {
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/server.json")))
    )
    for (creates, code) in [(true, Int32(0)), (false, 69)] {
      var provider = Provider.gmail
      (provider.labels.unknown, provider.labels.creates) = (.refused, creates)
      let scene = try LabelScene(provider)
      let outcome = try scene.run(["accounts", "test", "--labels", "--json", "test"])
      #expect(outcome.code == code)
      let value = try ParsedJSON(outcome.output)
      #expect(schema.mistakes(in: value) == [], "\(outcome.output)")
      #expect(outcome.output.contains(#""passed":\#(creates)"#))
      #expect(scene.served().isEmpty && scene.server.mailboxes.count == 10)
    }
    let scene = try LabelScene(.gmail)
    #expect(try scene.run(["accounts", "test", "--labels"]).code == 64)
    #expect(try scene.perform("folders") == nil)
    #expect(try scene.run(["accounts", "test", "--labels", "test"]).code == 64)
    #expect(scene.server.requests.isEmpty)
  }
}
