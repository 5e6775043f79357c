import TestSupport
import Testing

/// Accounts with `on-remote-delete = "keep"`: what the server loses stays here, and is never uploaded again.
@Suite struct KeepTests {
  private static let pushed = "1600000000.pushed.host"

  /// Mail on both sides, of which a mail program made one file here.
  private func stage(isIndexed: Bool = false) throws -> Stage {
    let stage = try Stage()
    try stage.configure(sync: "on-remote-delete = \"keep\"", isIndexed: isIndexed)
    try stage.fill()
    try stage.imap.create("Trash")
    try stage.settle()
    try LocalFolder(stage.maildir, "Archive").add(Self.pushed, mail("pushed"), flags: "S")
    try stage.syncWell()
    return stage
  }

  /// The server loses all of Archive and half of the inbox, and a mailbox as a whole.
  private func lose(_ stage: Stage) throws {
    try stage.imap.select("Archive")
    try stage.imap.expunge("1:*")
    try stage.imap.select()
    try stage.imap.expunge("1:6")
    try stage.imap.delete("Lists/swift")
  }

  private func here(_ stage: Stage) -> [[UInt8]] {
    stage.tree.mailboxes.values.flatMap { $0.map(\.body) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func there(_ stage: Stage) throws -> [String] {
    try stage.contents().values.flatMap { $0 }.sorted()
  }

  @Test func anEmptiedServerEmptiesNothing() throws {
    let stage = try stage()
    let before = here(stage)
    let flagged = LocalFolder(stage.maildir, "Archive")
    try lose(stage)
    try flagged.setFlags("FS", of: 0)
    let left = try there(stage)
    let outcome = try stage.syncWell("--json")
    #expect(outcome.output.contains("\"detached\":12,"), "\(outcome)")
    #expect(here(stage) == before)
    try stage.settle()
    #expect(here(stage) == before)
    #expect(try there(stage) == left)
    #expect(try !stage.imap.mailboxes().contains("Lists/swift"))
    let status = try magnum(stage, ["status"])
    #expect(status.output.contains("17 detached files"), "\(status)")
    // What a person removes is removed, on the server too.
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let index = try #require(inbox.bases.firstIndex { !$0.contains(",detached") })
    try inbox.remove(index)
    try stage.syncWell()
    #expect(try stage.imap.everything()["INBOX"]?.count == 5)
    #expect(try stage.imap.everything()["Trash"]?.count == 1)
  }

  @Test func aDetachedFileIsUploadedFromNoFolder() throws {
    let stage = try stage()
    try lose(stage)
    try stage.syncWell()
    let left = try there(stage)
    _ = try LocalFolder(stage.maildir, "Archive").move(0, to: "INBOX")
    _ = try LocalFolder(stage.maildir, "Lists/swift").move(0, to: "Trash")
    try LocalFolder(stage.maildir, "New").make()
    _ = try LocalFolder(stage.maildir, "Archive").move(0, to: "New")
    try stage.settle()
    #expect(try there(stage) == left)
  }

  @Test func whatTheServerMovedIsNotKeptTwice() throws {
    let stage = try stage()
    let before = here(stage)
    try stage.imap.select()
    try stage.imap.move("1:3", to: "Trash")
    try stage.settle()
    #expect(here(stage) == before)
    #expect(stage.tree["Trash"].count == 3)
    try stage.expectMirrored()
  }

  /// The records are lost before a run saw what the server lost, or after it.
  @Test(arguments: LostStateTests.Part.allCases, [true, false])
  func lostRecords(_ part: LostStateTests.Part, isSeen: Bool) throws {
    let stage = try stage()
    let before = here(stage)
    try lose(stage)
    if isSeen { try stage.syncWell() }
    let left = try there(stage)
    try Command.shell(
      "set -f; find \"$1\" \\( $2 \\) -prune -exec rm -rf {} +",
      [stage.program.home.path, part.rawValue]
    )
    for _ in 0..<3 {
      let outcome = try stage.sync()
      #expect(outcome.code < 2, "\(outcome)")
    }
    #expect(try there(stage) == left)
    #expect(here(stage) == before)
    if part != .everythingAndMarks { #expect(try !stage.imap.mailboxes().contains("Lists/swift")) }
  }

  @Test(arguments: [true, false])
  func anotherValidity(isSeen: Bool) throws {
    let stage = try stage()
    let before = here(stage)
    let archived = try stage.imap.messages(in: "Archive")
    try lose(stage)
    if isSeen { try stage.syncWell() }
    try stage.imap.delete("Archive")
    try stage.imap.create("Archive")
    try stage.imap.append(archived[1].body, to: "Archive")
    let left = try there(stage).count
    try stage.syncWell()
    try stage.settle()
    #expect(try there(stage).count == left)
    #expect(here(stage) == before)
  }

  /// A server that is put back has the messages under their UIDs again: the files are theirs.
  @Test func whatComesBackIsNotFetchedAgain() throws {
    let stage = try stage()
    let before = here(stage)
    let backup = try ServerBackup(stage)
    try lose(stage)
    try stage.syncWell()
    try backup.restore()
    try stage.syncWell()
    try stage.syncWell()
    #expect(here(stage) == before)
    try stage.expectMirrored()
  }

  /// A copy that bears the key of a detached file is no new message, whatever else its name says.
  @Test func aCopyUnderItsOldNameIsDetachedToo() throws {
    let stage = try stage()
    try lose(stage)
    try stage.syncWell()
    let archive = LocalFolder(stage.maildir, "Archive")
    let marked = try #require(archive.bases.first { $0.hasSuffix(",detached") })
    let index = try #require(archive.bases.firstIndex(of: marked))
    let old = String(marked.dropLast(",detached".count))
    try archive.add(old, archive.content(index), flags: archive.flags(index))
    let left = try there(stage)
    let outcome = try stage.syncWell("-v")
    try stage.settle()
    #expect(try there(stage) == left)
    #expect(archive.bases.contains("\(marked)_2"), "\(outcome)")
    let status = try magnum(stage, ["status"])
    #expect(!status.output.contains("to finish"), "\(status)")
  }

  /// Killed anywhere, tags and keywords go where the names of the files go.
  @Test(arguments: [true, false])
  func tagsOfDetachedFilesAreKept(isMailboxDeleted: Bool) throws {
    let (whole, before) = try tagged(isMailboxDeleted: isMailboxDeleted)
    let file = whole.program.home["points"]
    _ = try whole.program.command([], ["MAGNUM_FAULT_COUNT": file]).run()
    #expect(try tags(whole) == before)
    let points = try #require(Int((Files.text(file) ?? "").prefix { $0.isNumber }))
    for point in Turn.chosen(of: points, every: Turn.stride(30)) {
      let (stage, before) = try tagged(isMailboxDeleted: isMailboxDeleted)
      _ = try stage.program.command([], ["MAGNUM_FAULT": "\(point)"]).run()
      _ = try stage.sync()
      try stage.settle()
      let archive = LocalFolder(stage.maildir, "Archive")
      #expect(archive.bases.allSatisfy { $0.contains(",detached") }, "point \(point)")
      #expect(try tags(stage) == before, "point \(point)")
    }
  }

  /// Archive with keywords of the server and tags of which it does not know; then it loses the messages, or the mailbox.
  private func tagged(isMailboxDeleted: Bool) throws -> (Stage, [String]) {
    let stage = try stage(isIndexed: true)
    try stage.imap.select("Archive")
    try stage.imap.store("1:2", "+FLAGS (red)")
    try stage.syncWell()
    let tagged = try magnum(stage, ["tag", "+blue", "--", "folder:Archive"])
    #expect(tagged.code == 0, "\(tagged)")
    if isMailboxDeleted {
      try stage.imap.select("INBOX")
      try stage.imap.delete("Archive")
    } else {
      try stage.imap.expunge("1:*")
    }
    let before = try tags(stage)
    #expect(before.contains { $0.contains("+red") && $0.contains("+blue") })
    return (stage, before)
  }

  private func tags(_ stage: Stage) throws -> [String] {
    try magnum(stage, ["tags", "dump"]).output.split(separator: "\n").map { "\($0)" }.sorted()
  }

  private func magnum(_ stage: Stage, _ arguments: [String]) throws -> Outcome {
    var command = stage.program.command(arguments)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }
}
