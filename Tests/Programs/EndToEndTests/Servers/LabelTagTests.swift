import TestSupport
import Testing

/// `labels = "tags"`: all mail of a scripted Gmail in one folder, labels as tags.
@Suite struct LabelTagTests {
  @Test(arguments: try Fixtures.load("Fixtures/labels.txt"))
  func scene(_ fixture: Fixture) throws {
    for provider in Provider.gmails(of: fixture) {
      let scene = try LabelScene(provider, configuration: fixture["configuration"] ?? "")
      for line in fixture.lines() {
        if let wrong = try scene.perform(line) { Issue.record("\(line): \(wrong)") }
      }
      let found = try scene.files()
      #expect(found == fixture.lines("here"), "\(found) \(provider.labels)")
    }
  }

  /// Whatever is not documented, and whatever ends a run, both sides are alike in the end.
  @Test(arguments: 0..<(runsLongTests ? 300 : 6))
  func randomWork(seed: Int) throws {
    var walk = try LabelWalk(seed: UInt64(seed))
    for _ in 0..<30 { try walk.step() }
    if let wrong = try walk.finish() {
      Issue.record("seed \(seed): \(wrong)\n\(walk.log.joined(separator: "\n"))")
    }
  }

  /// The tag `inbox` is what the place of a file is elsewhere; what people do with it waits here.
  @Test func theInboxIsATag() throws {
    let scene = try LabelScene(.gmail)
    try scene.configureIndexed()
    let before = [
      "deliver m1 INBOX", "deliver m2 INBOX", "label m2 Work", "deliver m3 ALL", "sync",
    ]
    for line in before { #expect(try scene.perform(line) == nil) }
    #expect(try scene.found("tag:inbox") == 2)
    #expect(try scene.found("tag:work and tag:inbox") == 1)
    try scene.magnum("archive", "subject:m1")
    #expect(try scene.found("tag:inbox") == 1)
    for line in ["sync", "label m1 Home", "sync", "unchanged"] {
      #expect(try scene.perform(line) == nil)
    }
    #expect(try scene.found("tag:inbox") == 1)
    try scene.magnum("undo")
    #expect(try scene.found("tag:inbox") == 2)
    try scene.magnum("tag", "+inbox", "--", "subject:m3")
    #expect(try scene.found("tag:inbox") == 3)
    try scene.magnum("tag", "-inbox", "+later", "--", "tag:work")
    #expect(try scene.found("tag:inbox") == 2)
    #expect(try scene.found("tag:later") == 1)
    #expect(try scene.files().allSatisfy { $0.hasPrefix("All Mail: ") })
  }

  /// With nothing to do it is the log-in and the list; a label that was set elsewhere takes two flights more.
  @Test func fewQuestionsAreAsked() throws {
    let scene = try LabelScene(.gmail)
    for line in ["deliver m1 INBOX", "fill 6", "sync", "sync"] {
      #expect(try scene.perform(line) == nil)
    }
    let proxy = try FlightProxy(to: scene.server.port)
    try scene.configure(at: "imap+plain://127.0.0.1:\(proxy.port)")
    for _ in 0..<3 { #expect(try scene.perform("sync") == nil) }
    _ = proxy.takeFlights()
    #expect(try scene.perform("sync") == nil)
    let usual = proxy.takeFlights()
    #expect(usual <= 2)
    #expect(try scene.perform("label m1 Work") == nil)
    #expect(try scene.perform("sync") == nil)
    #expect(proxy.takeFlights() - usual <= 2, "\(usual) with nothing to do")
    #expect(try scene.perform("sync") == nil)
    #expect(proxy.takeFlights() == usual)
    #expect(try scene.files().contains("All Mail: m1 - inbox work"))
  }

  /// Whether MODSEQ tells of labels or not, what a killed run was told is not lost.
  @Test(arguments: [true, false])
  func aRunMayEndAnywhere(raises: Bool) throws {
    var provider = Provider.gmail
    provider.labels.raises = raises
    let scene = try LabelScene(provider)
    for line in ["deliver m1 INBOX", "deliver m2 INBOX", "deliver m3 INBOX", "fill 4", "sync"] {
      #expect(try scene.perform(line) == nil)
    }
    try scene.putBack()
    let changes = [
      "label m1 Work", "unlabel m2 INBOX", "move m3 ALL TRASH", "deliver m4 INBOX", "label m4 Home",
    ]
    for line in changes { #expect(try scene.perform(line) == nil) }
    let counted = scene.program.home["points"]
    let ahead = ["MAGNUM_DAYS_AHEAD": "1"]
    let whole = try scene.run(ahead.merging(["MAGNUM_FAULT_COUNT": counted]) { $1 })
    try #require(whole.code == 0, "\(whole)")
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 20)
    for point in Turn.chosen(of: points, every: Turn.stride(8)) {
      try scene.putBack()
      _ = try scene.run(ahead.merging(["MAGNUM_FAULT": "\(point)"]) { $1 })
      for line in ["sync +1", "sync +1", "quiet"] {
        if let wrong = try scene.perform(line) { Issue.record("\(line), \(point): \(wrong)") }
      }
      let mail = try scene.files().filter { !$0.contains(": f") }
      let expected = [
        "All Mail: m1 - inbox work", "All Mail: m2 - -", "All Mail: m4 - home inbox",
        "Trash: m3 - -",
      ]
      #expect(mail == expected, "point \(point) of \(points): \(mail)")
    }
  }
}
