import TestSupport
import Testing

/// `magnum accounts relabel`: an account of a scripted Gmail takes its former Maildir over.
@Suite struct RelabelTests {
  @Test(arguments: try Fixtures.load("Fixtures/relabel.txt"))
  func scene(_ fixture: Fixture) throws {
    for provider in Provider.gmails(of: fixture) {
      let scene = try LabelScene(provider)
      for line in fixture.lines() {
        if let wrong = try scene.perform(line) { Issue.record("\(line): \(wrong)") }
      }
      guard fixture["here"] != nil else { continue }
      let found = try scene.files()
      #expect(found == fixture.lines("here"), "\(found)")
    }
  }

  private static let mail = [
    "label x Home", "deliver m1 INBOX", "label m1 Work", "label m1 Home", "deliver m2 INBOX",
    "deliver m3 Work", "deliver m4 TRASH", "deliver m5 DRAFTS \\Draft",
  ]

  /// A killed run leaves whole messages, and the next one adds the rest, as if it had done all.
  @Test(arguments: [true, false]) func aRunMayEndAnywhere(isOver: Bool) throws {
    let scene = try LabelScene(.gmail)
    let (former, style) = isOver ? ("old", "tags") : ("test", "folders")
    let new = isOver ? "test" : "new"
    try scene.configure(isOver ? "folders" : "tags", former)
    for line in Self.mail + ["sync"] { #expect(try scene.perform(line) == nil) }
    #expect(try scene.perform("tag m1 +todo \(isOver ? "INBOX" : "ALL")") == nil)
    try scene.configure(style, new)
    let words = ["accounts", "relabel", "test", "--from", scene.program.home["Mail/\(former)"]]
    let counted = scene.program.home["points"]
    let whole = try scene.run(words, with: ["MAGNUM_FAULT_COUNT": counted])
    try #require(whole.code == 0, "\(whole)")
    let files = try scene.files()
    let tags = try Self.tags(scene)
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 10)
    for point in Turn.chosen(of: points, every: Turn.stride(8)) {
      _ = try Command.shell("rm -rf \"$1\"", [scene.maildir])
      _ = try scene.run(words, with: ["MAGNUM_FAULT": "\(point)"])
      let again = try scene.run(words)
      #expect(again.code == 0, "\(point): \(again)")
      #expect(try scene.files() == files, "point \(point) of \(points)")
      #expect(try Self.tags(scene) == tags, "point \(point) of \(points)")
      let left = try Command.shell("find \"$1\" -path '*/tmp/*'", [scene.maildir])
      #expect(left.isEmpty, "point \(point) of \(points): \(left)")
    }
    for line in ["sync", "taken 1"] { #expect(try scene.perform(line) == nil) }
  }

  private static func tags(_ scene: LabelScene) throws -> String {
    try Command.shell("cd \"$1\"; grep -rh todo . | sort || true", [scene.maildir])
  }

  /// Nothing is written by a dry run; its numbers are those of a run.
  @Test func aDryRunWritesNothing() throws {
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/account-relabel.json")))
    )
    let scene = try LabelScene(.gmail)
    try scene.configure("folders", "old")
    for line in Self.mail + ["sync"] { #expect(try scene.perform(line) == nil) }
    try scene.configure("tags", "test")
    let words = [
      "accounts", "relabel", "test", "--json", "--from", scene.program.home["Mail/old"],
    ]
    var counts: [[String: Int]] = []
    for more in [["-n"], [], ["-n"]] {
      let outcome = try scene.run(words + more)
      let value = try ParsedJSON(outcome.output)
      #expect(outcome.code == 0 && schema.mistakes(in: value) == [], "\(outcome)")
      let names = ["read", "messages", "copies", "left", "added", "there", "unplaced"]
      counts.append(
        Dictionary(uniqueKeysWithValues: names.map { ($0, value[$0]?.integer ?? -1) })
      )
      if counts.count == 1 { #expect(Files.names(in: scene.program.home["Mail"]).count == 1) }
    }
    #expect(counts[0] == counts[1])
    #expect(counts[2]["there"] == 5 && counts[2]["added"] == 0)
    for found in counts {
      let sum = (found["messages"] ?? 0) + (found["copies"] ?? 0) + (found["left"] ?? 0)
      #expect(found["read"] == sum && found["messages"] == 5)
    }
  }

  /// Files on another file system are copied; what is partial or no file is left out.
  @Test func whatIsNotLinked() throws {
    let scene = try LabelScene(.gmail)
    try scene.configure("folders", "old")
    for line in ["deliver m1 INBOX", "deliver m2 Work", "sync"] {
      #expect(try scene.perform(line) == nil)
    }
    let old = scene.program.home["Mail/old"]
    _ = try Command.shell(
      "ln -s /etc/passwd \"$1/INBOX/cur/link:2,\"; : > \"$1/Work/cur/empty\"",
      [old]
    )
    try scene.configure("tags", "test")
    let outcome = try scene.run(["accounts", "relabel", "test", "--from", old])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("4 files read: 2 messages, 0 further copies, 2 left out"))
    let links = try Command.shell("find \"$1\" -type f -links 2", [scene.maildir])
    #expect(links.split(separator: "\n").count == 2, "\(links)")
    for line in ["sync", "taken 0", "alike"] { #expect(try scene.perform(line) == nil) }
  }
}
