import TestSupport
import Testing

/// Renames of folders that lie in others, in both layouts, and where UIDVALIDITY says little.
@Suite struct FolderTreeRenameTests {
  private func stage(layout: String = "verbatim") throws -> Stage {
    let stage = try Stage()
    try stage.configure(account: "layout = \"\(layout)\"")
    for name in ["Trash", "Rot", "Rot/kid"] { try stage.imap.create(name) }
    try stage.imap.append(mail("rot"), to: "Rot", flags: "\\Seen")
    try stage.imap.append(mail("kid"), to: "Rot/kid", flags: "\\Seen")
    try stage.syncWell()
    return stage
  }

  private func subjects(_ stage: Stage) throws -> [String: [String]] {
    try stage.imap.everything().filter { !["INBOX", "Trash"].contains($0.key) }
      .mapValues { $0.map(\.subject).sorted() }
  }

  private func directory(_ name: String, _ layout: String) -> String {
    layout == "verbatim" ? name : "." + name.split(separator: "/").joined(separator: ".")
  }

  private func expect(
    _ wanted: [String: [String]],
    _ stage: Stage,
    layout: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<2 {
      let outcome = try stage.syncWell("-v", sourceLocation: sourceLocation)
      #expect(!outcome.errors.contains("new ("), "\(outcome)", sourceLocation: sourceLocation)
    }
    #expect(try subjects(stage) == wanted, sourceLocation: sourceLocation)
    try stage.expectMirrored(
      directory: { $0 == "INBOX" && layout != "verbatim" ? "" : directory($0, layout) },
      sourceLocation: sourceLocation
    )
  }

  @Test(arguments: ["verbatim", "maildir++"], ["server", "local"])
  func aTreeIsRotated(layout: String, who: String) throws {
    let stage = try stage(layout: layout)
    if who == "server" {
      try stage.imap.rename("Rot", to: "Past")
      try stage.imap.create("Rot")
      try stage.imap.create("Rot/kid")
    } else if layout == "verbatim" {
      try Command.shell("mv \"$1/Rot\" \"$1/Past\"", [stage.maildir])
    } else {
      try Command.shell("cd \"$1\"; mv .Rot .Past; mv .Rot.kid .Past.kid", [stage.maildir])
    }
    for name in ["Rot", "Rot/kid"] where who == "local" {
      try LocalFolder(stage.maildir, directory(name, layout)).make()
    }
    let wanted = ["Past": ["rot"], "Past/kid": ["kid"], "Rot": [], "Rot/kid": []]
    try expect(wanted, stage, layout: layout)
  }

  /// The server takes the mailbox below along, and is told to put it back.
  @Test(arguments: ["verbatim", "maildir++"]) func aFolderBelowThatStaysStays(layout: String) throws
  {
    let stage = try stage(layout: layout)
    let script =
      layout == "verbatim" ? "mv Rot Past; mkdir Rot; mv Past/kid Rot/kid" : "mv .Rot .Past"
    try Command.shell("cd \"$1\"; \(script)", [stage.maildir])
    try expect(["Past": ["rot"], "Rot/kid": ["kid"]], stage, layout: layout)
  }

  @Test func aDryRunChangesNothing() throws {
    let stage = try stage()
    try Command.shell("mv \"$1/Rot\" \"$1/Past\"; cp -r \"$1/Past\" \"$1/Copy\"", [stage.maildir])
    try LocalFolder(stage.maildir, "Rot").make()
    let before = (TreeSnapshot(stage.maildir, isDetailed: true), try subjects(stage))
    let outcome = try stage.sync("--dry-run")
    for words in ["Past: rename on the server, was Rot", "Rot: make on", "Copy: make on"] {
      #expect(outcome.output.contains(words), "\(outcome)")
    }
    #expect(TreeSnapshot(stage.maildir, isDetailed: true).differences(from: before.0) == [])
    #expect(try subjects(stage) == before.1)
  }

  // MARK: Doubt

  private static func box(_ name: String, _ subjects: [String]) -> FakeMailServer.Mailbox {
    FakeMailServer.Mailbox(
      name,
      subjects.enumerated().map { .init(UInt32($0 + 1), "Subject: \($1)\r\n\r\nbody\r\n") }
    )
  }

  /// A server that gives all mailboxes the same UIDVALIDITY: messages have to tell.
  @Test func oneValidityForAllIsNoProof() throws {
    let fake = try FakeMailServer([
      Self.box("INBOX", ["in"]), Self.box("Old", ["one", "two"]), Self.box("Gone", ["x"]),
      Self.box("Empty", []),
    ])
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    try stage.syncWell()
    fake.mailboxes = [
      Self.box("INBOX", ["in"]), Self.box("New", ["one", "two", "three"]),
      Self.box("Other", ["other"]), Self.box("Void", []),
    ]
    for _ in 0..<2 {
      let outcome = try stage.sync("-v")
      #expect(outcome.code == 1, "\(outcome)")
      for name in ["test/Gone", "test/Empty"] {
        #expect(outcome.errors.contains("\(name): the server no longer"), "\(outcome)")
      }
      #expect(stage.tree["New"].map(\.subject).sorted() == ["one", "three", "two"])
      #expect(stage.tree["Old"].isEmpty)
      #expect(stage.tree["Other"].map(\.subject) == ["other"])
      #expect(stage.tree["Gone"].map(\.subject) == ["x"])
    }
  }
}
