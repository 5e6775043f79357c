import Synchronization
import TestSupport
import Testing

/// Another client acts at one moment of a run: what it did and what is done here come together.
@Suite struct MeddlingTests {
  private func stage(_ options: DovecotOptions = DovecotOptions()) throws -> Stage {
    let stage = try Stage(options)
    for name in ["Archive", "Elsewhere", "Trash"] { try stage.imap.create(name) }
    try stage.imap.append(["one", "two", "three", "four"].map { mail($0) })
    try stage.imap.append(mail("old"), to: "Archive")
    try stage.settle()
    return stage
  }

  private func sync(
    _ stage: Stage,
    before words: String,
    _ act: @escaping @Sendable (RawIMAP) throws -> Void
  ) throws -> Outcome {
    try stage.sync(before: words, act)
  }

  /// One run that ends right before a command with these words reaches the server.
  private func killRun(_ stage: Stage, before words: String) throws {
    let run = Mutex<RunningCommand?>(nil)
    let proxy = try MeddlingProxy(to: stage.server.ports.clear, before: words) {
      _ = Stopwatch.wait(upTo: 5) { run.withLock { $0 != nil } }
      run.withLock { $0?.signal(9) }
    }
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: "connections = 1")
    let running = try stage.program.command([]).start()
    run.withLock { $0 = running }
    #expect(running.wait().end == .signalled(9))
    try stage.configure(url: stage.server.clearURL)
  }

  private func places(_ subject: String, _ stage: Stage) throws -> [String] {
    try stage.places(of: subject)
  }

  private func expectSettled(_ stage: Stage) throws {
    try stage.syncWell()
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// Without CONDSTORE every mailbox is read in every run, and the message is there before it is gone here.
  @Test(arguments: PushTests.servers.dropLast())
  func aFlagIsNotAgreedOnWhereTheMessageWentBeforeTheStore(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try LocalFolder(stage.maildir, "INBOX").setFlags("F", of: "one")
    let outcome = try sync(stage, before: "UID STORE") { other in
      try other.select()
      try other.move("1", to: "Elsewhere")
    }
    try expectSettled(stage)
    let places = try places("one", stage)
    #expect(places == ["Elsewhere [F]"], "\(outcome)")
  }

  @Test(arguments: PushTests.servers)
  func flagsAndAMoveHereMeetAMoveThere(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try LocalFolder(stage.maildir, "INBOX").move("one", to: "Archive", flags: "F")
    _ = try sync(stage, before: "UID STORE") { other in
      try other.select()
      try other.move("1", to: "Archive")
    }
    try expectSettled(stage)
    #expect(try places("one", stage) == ["Archive [F]"])
  }

  @Test(arguments: ["Archive", "Elsewhere"])
  func aMessageWithoutAnIdentifierMovedOnBothSidesIsThereOnce(place: String) throws {
    let stage = try stage()
    try stage.imap.append(Array("Subject: nameless\r\n\r\ntext\r\n".utf8))
    try stage.syncWell()
    try LocalFolder(stage.maildir, "INBOX").move("nameless", to: "Archive", flags: "F")
    try stage.imap.select()
    try stage.imap.move("5", to: place)
    try expectSettled(stage)
    #expect(try places("nameless", stage) == ["\(place) [F]"])
  }

  @Test(arguments: PushTests.servers)
  func aFileThatWasMovedAndIsRenamedWhileItIsSentUpAgainIsThereOnce(_ options: DovecotOptions)
    throws
  {
    let stage = try stage(options)
    let archive = LocalFolder(stage.maildir, "Archive")
    try LocalFolder(stage.maildir, "INBOX").move("one", to: "Archive", flags: "S")
    try stage.imap.select()
    try stage.imap.expunge("1")
    try stage.imap.append(mail("new"))
    _ = try sync(stage, before: "BODY.PEEK[]") { _ in try archive.setFlags("RS", of: "one") }
    try expectSettled(stage)
    #expect(try places("one", stage) == ["Archive [RS]"])
  }

  @Test func aFileThatNoScanSawIsNotForgotten() throws {
    let stage = try stage()
    let (inbox, archive) = ("\(stage.maildir)/INBOX/cur", "\(stage.maildir)/Archive/cur")
    let aside = stage.program.home["aside"]
    try LocalFolder(stage.maildir, "INBOX").setFlags("S", of: "one")
    try Command.shell("mkdir \"$2\"; mv \"$1\"/*S \"$2\"", [inbox, aside])
    try stage.imap.select()
    try stage.imap.move("1", to: "Elsewhere")
    _ = try sync(stage, before: "BODY.PEEK[]") { _ in
      try Command.shell("mv \"$1\"/* \"$2\"", [aside, archive])
    }
    try expectSettled(stage)
    // The flag that it was given here is not lost with it.
    #expect(try places("one", stage) == ["Elsewhere [S]"])
  }

  @Test func aFileMovedWhileItsMessageIsFollowedIsNoCopy() throws {
    let stage = try stage()
    try stage.imap.select()
    try stage.imap.move("1", to: "Elsewhere")
    try stage.imap.append(mail("new"), to: "Archive")
    let root = stage.maildir
    _ = try sync(stage, before: "SELECT \"INBOX\"") { _ in
      try LocalFolder(root, "INBOX").move("one", to: "Archive", flags: "")
    }
    try expectSettled(stage)
    #expect(try places("one", stage) == ["Elsewhere []"])
  }

  @Test(arguments: PushTests.servers)
  func whatIsFlaggedHereAndMovesThereAfterItsTargetWasReadIsThereOnce(
    _ options: DovecotOptions
  ) throws {
    let stage = try stage(options)
    try LocalFolder(stage.maildir, "Archive").setFlags("F", of: "old")
    let outcome = try sync(stage, before: "SELECT \"Archive\"") { other in
      try other.select("Archive")
      try other.move("1", to: "INBOX")
    }
    try expectSettled(stage)
    let places = try places("old", stage)
    #expect(places == ["INBOX [F]"], "\(outcome)")
  }

  @Test func aFileThatComesHomeWhileTheRunLooksIsNoOrphan() throws {
    let stage = try stage()
    let root = stage.maildir
    try LocalFolder(root, "Archive").move("old", to: "INBOX", flags: "S")
    try stage.settle()
    try LocalFolder(root, "INBOX").setFlags("R", of: "two")
    try stage.imap.append(mail("new"), to: "Archive")
    let outcome = try sync(stage, before: "SELECT \"INBOX\"") { _ in
      try LocalFolder(root, "INBOX").move("old", to: "Archive", flags: "S")
    }
    try expectSettled(stage)
    let places = try places("old", stage)
    #expect(places == ["Archive [S]"], "\(outcome)")
    #expect(!outcome.errors.contains("detach"), "\(outcome)")
  }

  /// The upload was cut short, and another message came instead: it is not taken for it.
  @Test func anotherMessageWithTheSameIdentifierIsNotTheUpload() throws {
    let stage = try stage(DovecotOptions().hiding("LITERAL+"))
    let identifier = "From: a@example.org\r\nMessage-ID: <same@example.org>\r\n"
    let ours = Array("\(identifier)Subject: ours\r\n\r\ntext\r\n".utf8)
    let theirs = Array("\(identifier)Subject: theirs\r\n\r\nanother text\r\n".utf8)
    try LocalFolder(stage.maildir, "INBOX").add("ours", ours.filter { $0 != 13 }, flags: "S")
    try killRun(stage, before: "APPEND")
    try stage.imap.append(theirs)
    try expectSettled(stage)
    #expect(try places("ours", stage) == ["INBOX [S]"])
    #expect(try places("theirs", stage) == ["INBOX []"])
  }

  /// The upload was cut short, and what a mailing list made of the same message came instead.
  @Test func whatAListMadeOfTheMessageIsNotTheUpload() throws {
    let stage = try stage(DovecotOptions().hiding("LITERAL+"))
    let ours = mail("post", body: "my words")
    let theirs =
      Array("List-Id: <swift.example.org>\r\n".utf8) + ours
      + Array("-- \r\nlist footer\r\n".utf8)
    try LocalFolder(stage.maildir, "INBOX").add("ours", ours, flags: "S")
    try Command.shell("touch -d @1736164800 \"$1\"/INBOX/cur/ours*", [stage.maildir])
    try killRun(stage, before: "APPEND")
    try stage.imap.append(theirs, date: "06-Jan-2025 12:00:00 +0000")
    try expectSettled(stage)
    #expect(try places("post", stage) == ["INBOX [S]", "INBOX []"])
    let bodies = try stage.imap.messages().map { $0.body }
    #expect(bodies.contains(ours) && bodies.contains(theirs))
  }

  @Test func aFileThatIsStillWrittenReachesTheServerWhole() throws {
    let stage = try stage()
    let whole = mail("slow", body: String(repeating: "line\r\n", count: 500))
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.add("slow", Array(whole.filter { $0 != 13 }.prefix(700)), flags: "S")
    try stage.syncWell()
    try inbox.write("slow", whole.filter { $0 != 13 })
    try expectSettled(stage)
    #expect(try places("slow", stage) == ["INBOX [S]"])
  }

  @Test func aMessageThatCameBackIsOneAlsoIfTheRunEndsThere() throws {
    let stage = try stage()
    try LocalFolder(stage.maildir, "INBOX").setFlags("F", of: "one")
    try stage.imap.select()
    try stage.imap.move("1", to: "Elsewhere")
    try stage.imap.select("Elsewhere")
    try stage.imap.move("1", to: "INBOX")
    try killRun(stage, before: "UID STORE")
    try stage.imap.select()
    try stage.imap.expunge("5")
    try expectSettled(stage)
    #expect(try places("one", stage) == ["INBOX [F]"])
  }

  /// Moves a message as some clients do: the text goes into a file of another name, then the first one is removed.
  private static func moveUnderNewName(
    _ subject: String,
    from source: String = "INBOX",
    to target: String,
    _ root: String
  ) throws {
    let folder = LocalFolder(root, source)
    try LocalFolder(root, target).add("renamed", try folder.content(subject), flags: "S")
    try folder.remove(subject)
  }

  /// Later is read when it is opened, the others before: the file is in neither as they were read.
  @Test(arguments: PushTests.servers)
  func aFileMovedBetweenTheReadingOfTwoMailboxesIsNotRemoved(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try stage.imap.create("Later")
    try stage.imap.append(mail("late"), to: "Later")
    try stage.settle()
    try LocalFolder(stage.maildir, "INBOX").move("one", to: "Archive", flags: "S")
    try stage.imap.append(mail("new"), to: "Later")
    let root = stage.maildir
    let outcome = try sync(stage, before: "SELECT \"INBOX\"") { _ in
      try Self.moveUnderNewName("late", from: "Later", to: "Archive", root)
    }
    try expectSettled(stage)
    let places = try places("late", stage)
    #expect(places == ["Archive [S]"], "\(outcome)")
  }

  /// What a new file holds cannot be read under the name that it had.
  @Test(arguments: PushTests.servers)
  func aFileMovedUnderANewNameAndRenamedBeforeItIsReadIsMoved(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let root = stage.maildir
    try Self.moveUnderNewName("one", to: "Archive", root)
    try stage.imap.append(mail("new"))
    let outcome = try sync(stage, before: "SELECT \"INBOX\"") { _ in
      let archive = LocalFolder(root, "Archive")
      try archive.setFlags("FS", of: "one")
    }
    try expectSettled(stage)
    let places = try places("one", stage)
    #expect(places == ["Archive [FS]"], "\(outcome)")
  }

  /// The run that follows the message holds back what it would forget, since another message is on its way.
  @Test(arguments: PushTests.servers)
  func aFileThatFollowedItsMessageAndComesHomeIsMoved(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try LocalFolder(stage.maildir, "Archive").setFlags("F", of: "old")
    try stage.imap.select()
    try stage.imap.move("1", to: "Elsewhere")
    let outcome = try sync(stage, before: "SELECT \"Archive\"") { other in
      try other.select("Archive")
      try other.move("1", to: "INBOX")
    }
    let elsewhere = LocalFolder(stage.maildir, "Elsewhere")
    try elsewhere.move("one", to: "INBOX", flags: "FS")
    try expectSettled(stage)
    let places = try places("one", stage)
    #expect(places == ["INBOX [FS]"], "\(outcome)")
  }
}
