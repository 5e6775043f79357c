import Glibc
import TestSupport
import Testing

/// Folders that changed are read while the connection is made and logged in: what changes until it is, is seen all the same.
@Suite struct PrefetchedReadingTests {
  /// A stage with "one" and "two" in INBOX, and a flag of "one" that is to be sent.
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.imap.create("Archive")
    try stage.imap.append(["one", "two"].map { mail($0) })
    try stage.settle()
    try inbox(stage).setFlags("F", of: "one")
    return stage
  }

  private func inbox(_ stage: Stage) -> LocalFolder { LocalFolder(stage.maildir, "INBOX") }

  /// Syncs while `change` is made before the server lists its mailboxes; gives how many names were read in directories.
  private func names(_ stage: Stage, _ change: @escaping @Sendable () throws -> Void) throws -> Int
  {
    let file = try stage.program.home.write("", to: "count")
    let outcome = try stage.sync(
      before: " LIST ",
      variables: ["MAGNUM_FAULT_COUNT": file]
    ) { _ in
      // The directory has to be older than a tick of the file system's clock.
      Stopwatch.sleep(1)
      try change()
    }
    #expect(outcome.code == 0, "\(outcome)")
    let line = Files.text(file)?.split(separator: "\n").first { $0.hasPrefix("name ") }
    return try #require(line.flatMap { Int($0.dropFirst("name ".count)) })
  }

  @Test func whatWasReadEarlyIsNotReadAgain() throws {
    let (early, late) = (try stage(), try stage())
    let count = try names(early) {}
    // Its fingerprint is another one, and its files are the same.
    let folder = "\(late.maildir)/INBOX/cur"
    let again = try names(late) {
      try Files.write("", to: "\(folder)/.x")
      try Command.shell("rm \"$1\"", ["\(folder)/.x"])
    }
    #expect(again == count + 2, "\(count)")
    for stage in [early, late] {
      #expect(try stage.places(of: "one") == ["INBOX [F]"])
      try stage.expectMirrored()
    }
  }

  @Test func flagsOfAMomentAgoAreSent() throws {
    let stage = try stage()
    let folder = inbox(stage)
    _ = try names(stage) { try folder.setFlags("RS", of: "one") }
    #expect(try stage.places(of: "one") == ["INBOX [RS]"])
  }

  @Test func aFileThatIsMovedMeanwhileIsMovedThere() throws {
    let stage = try stage()
    let folder = inbox(stage)
    _ = try names(stage) { try folder.move("one", to: "Archive", flags: "F") }
    #expect(try stage.places(of: "one") == ["Archive [F]"])
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func aFolderThatIsRenamedMeanwhileIsRenamedThere() throws {
    let stage = try stage()
    let root = stage.maildir
    try LocalFolder(root, "Archive").add("new", mail("new"), flags: "S")
    _ = try names(stage) {
      try Command.shell("mv \"$1\" \"$2\"", ["\(root)/Archive", "\(root)/Old"])
    }
    #expect(try stage.places(of: "new") == ["Old [S]"])
    try stage.syncWell()
    try stage.expectMirrored()
  }
}
