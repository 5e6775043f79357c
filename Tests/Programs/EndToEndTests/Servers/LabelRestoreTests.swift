import TestSupport
import Testing

/// `magnum restore` into an account of a scripted Gmail whose labels are tags.
@Suite struct LabelRestoreTests {
  @Test(arguments: try Fixtures.load("Fixtures/labels-restore.txt"))
  func scene(_ fixture: Fixture) throws {
    for provider in Provider.gmails(of: fixture) {
      let scene = try LabelScene(provider)
      for line in fixture.lines() {
        if let wrong = try scene.perform(line) { Issue.record("\(line): \(wrong)") }
      }
      #expect(scene.server.violations.isEmpty)
      guard fixture["here"] != nil else { continue }
      let found = try scene.files()
      #expect(found == fixture.lines("here"), "\(found)")
    }
  }

  /// A restore that is killed anywhere loses and doubles nothing, and the next one sets the labels that are missing.
  @Test(arguments: [true, false]) func aRestoreMayEndAnywhere(joinsTwins: Bool) throws {
    var provider = Provider.gmail
    provider.labels.joinsTwins = joinsTwins
    let scene = try LabelScene(provider)
    try scene.configure("folders", "old")
    let before = [
      "deliver m1 INBOX", "label m1 Work", "deliver m2 INBOX", "deliver m3 DRAFTS \\Draft", "sync",
      "lose m1 INBOX Work ALL", "lose m2 INBOX ALL", "lose m3 DRAFTS ALL",
    ]
    for line in before { #expect(try scene.perform(line) == nil) }
    try scene.configure("tags", "test")
    #expect(try scene.perform("pass") == nil)
    let words = ["restore", "--to", "test", scene.program.home["Mail/old"]]
    let (there, state) = (scene.server.mailboxes, scene.program.home[".local"])
    _ = try Command.shell("cp -a \"$1\" \"$1.saved\"", [state])
    let counted = scene.program.home["points"]
    let whole = try scene.run(words, with: ["MAGNUM_FAULT_COUNT": counted])
    try #require(whole.code == 0, "\(whole)")
    let served = scene.served()
    #expect(served == ["All Mail: m1 - inbox work", "All Mail: m2 - inbox", "All Mail: m3 D -"])
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 10)
    for point in Turn.chosen(of: points, every: Turn.stride(8)) {
      scene.server.mailboxes = there
      _ = try Command.shell("rm -rf \"$1\" && cp -a \"$1.saved\" \"$1\"", [state])
      _ = try scene.run(words, with: ["MAGNUM_FAULT": "\(point)"])
      let again = try scene.run(words)
      #expect(again.code == 0, "\(point): \(again)")
      #expect(scene.served() == served, "point \(point) of \(points): \(scene.served())")
    }
    #expect(scene.server.violations.isEmpty)
  }
}
