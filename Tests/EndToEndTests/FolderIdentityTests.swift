import TestSupport
import Testing

/// A mailbox stays itself whatever it is called, and another one of its name is another mailbox.
@Suite(.serialized) struct FolderIdentityTests {
  /// A server that tells what tells renames with its list of mailboxes, and one that has to be asked.
  static let servers: [[String]] = [[], ["CONDSTORE", "QRESYNC", "LIST-STATUS"]]

  private func stage(_ hidden: [String] = []) throws -> Stage {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.configure(url: stage.server.clearURL)
    try stage.imap.create("Trash")
    try stage.imap.create("Rot")
    try stage.imap.append(mails("A"), to: "Rot", flags: "\\Seen")
    try stage.settle()
    return stage
  }

  private func mails(_ letter: String) -> [[UInt8]] { (0..<4).map { mail("\(letter)\($0)") } }

  private func move(_ stage: Stage, _ old: String, _ new: String) throws {
    try Command.shell("mv \"$1/$2\" \"$1/$3\"", [stage.maildir, old, new])
  }

  /// Both sides have just these mails, each once, in just these mailboxes.
  private func expect(
    _ wanted: [String: [String]],
    _ stage: Stage,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try stage.expectSettled(sourceLocation: sourceLocation)
    let there = try stage.imap.everything().filter { !["INBOX", "Trash"].contains($0.key) }
    let found = there.mapValues { $0.map(\.subject).sorted() }
    #expect(found == wanted, sourceLocation: sourceLocation)
  }

  private func names(_ letter: String) -> [String] { (0..<4).map { "\(letter)\($0)" } }

  // MARK: A name that is used again

  @Test(arguments: ["server", "local"], ["server", "local"])
  func aNameUsedAgainIsAnotherMailbox(renamed: String, made: String) throws {
    let stage = try stage()
    if renamed == "server" { try stage.imap.rename("Rot", to: "Rot-2025") }
    if renamed == "local" { try move(stage, "Rot", "Rot-2025") }
    try stage.syncWell()
    try stage.syncWell()
    if made == "server" {
      try stage.imap.create("Rot")
      try stage.imap.append(mails("B"), to: "Rot", flags: "\\Seen")
    } else {
      for name in names("B") {
        try LocalFolder(stage.maildir, "Rot").add(name, mail(name), flags: "S")
      }
    }
    try expect(["Rot-2025": names("A"), "Rot": names("B")], stage)
    // Work in one is none in the other.
    try LocalFolder(stage.maildir, "Rot").remove("B0")
    try LocalFolder(stage.maildir, "Rot").move("B1", to: "INBOX", flags: "S")
    try stage.imap.select("Rot-2025")
    try stage.imap.expunge("3")
    try expect(["Rot-2025": ["A0", "A1", "A3"], "Rot": ["B2", "B3"]], stage)
  }

  // MARK: Rotation

  @Test(arguments: servers) func rotationOnTheServerIsFollowed(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    try stage.imap.rename("Rot", to: "Rot-2025")
    try stage.imap.create("Rot")
    try stage.imap.append(mail("B"), to: "Rot")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("renamed here, was Rot"), "\(outcome)")
    try expect(["Rot-2025": names("A"), "Rot": ["B"]], stage)
  }

  @Test(arguments: servers) func rotationHereIsFollowed(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    try move(stage, "Rot", "Rot-2025")
    try LocalFolder(stage.maildir, "Rot").add("new", mail("B"), flags: "S")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("renamed on the server, was Rot"), "\(outcome)")
    try expect(["Rot-2025": names("A"), "Rot": ["B"]], stage)
  }

  /// Another client does it after the mailboxes were listed.
  @Test(arguments: servers) func rotationDuringARunIsFollowed(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    try stage.imap.append(mail("late"), to: "Rot")
    let outcome = try stage.sync(before: "SELECT") { imap in
      try imap.rename("Rot", to: "Rot-2025")
      try imap.create("Rot")
      try imap.append(mail("B"), to: "Rot")
    }
    #expect(outcome.errors.contains("renamed here, was Rot"), "\(outcome)")
    #expect(!outcome.errors.contains("apart"), "\(outcome)")
    try expect(["Rot-2025": names("A") + ["late"], "Rot": ["B"]], stage)
  }

  /// Where the server may not be changed the new folder is not taken for the old one.
  @Test func rotationHereWaitsWhereNothingIsPushed() throws {
    let stage = try stage()
    try move(stage, "Rot", "Rot-2025")
    try LocalFolder(stage.maildir, "Rot").add("new", mail("B"), flags: "S")
    for _ in 0..<2 {
      let outcome = try stage.sync("--pull")
      #expect(outcome.code == 1 && outcome.errors.contains("Rot-2025 now"), "\(outcome)")
      #expect(try stage.imap.messages(in: "Rot").count == 4)
    }
    try expect(["Rot-2025": names("A"), "Rot": ["B"]], stage)
  }

  @Test func theInboxIsNotRenamed() throws {
    let stage = try stage()
    try stage.imap.append(mail("in"))
    try stage.syncWell()
    try move(stage, "INBOX", "INBOX-old")
    for _ in 0..<2 {
      let outcome = try stage.sync()
      #expect(outcome.code == 1 && outcome.errors.contains("INBOX-old now"), "\(outcome)")
      #expect(try stage.imap.messages().count == 1)
    }
    try move(stage, "INBOX-old", "INBOX")
    try expect(["Rot": names("A")], stage)
  }

  // MARK: Chains and swaps

  private func threeMailboxes(_ hidden: [String] = []) throws -> Stage {
    let stage = try stage(hidden)
    for (name, letter) in [("A", "X"), ("B", "Y")] {
      try stage.imap.create(name)
      try stage.imap.append(mails(letter), to: name, flags: "\\Seen")
    }
    try stage.settle()
    return stage
  }

  @Test(arguments: servers, ["server", "local"])
  func aChainOfRenamesIsFollowed(_ hidden: [String], who: String) throws {
    let stage = try threeMailboxes(hidden)
    for (old, new) in [("B", "C"), ("A", "B")] {
      if who == "server" { try stage.imap.rename(old, to: new) } else { try move(stage, old, new) }
    }
    let outcome = try stage.syncWell("-v")
    #expect(!outcome.errors.contains("new ("), "\(outcome)")
    #expect(!outcome.errors.contains("uploaded"), "\(outcome)")
    try expect(["Rot": names("A"), "B": names("X"), "C": names("Y")], stage)
  }

  @Test(arguments: servers) func aSwapOnTheServerIsFollowed(_ hidden: [String]) throws {
    let stage = try threeMailboxes(hidden)
    for (old, new) in [("A", "tmp"), ("B", "A"), ("tmp", "B")] {
      try stage.imap.rename(old, to: new)
    }
    let outcome = try stage.syncWell("-v")
    #expect(!outcome.errors.contains("new ("), "\(outcome)")
    try expect(["Rot": names("A"), "A": names("Y"), "B": names("X")], stage)
  }

  /// The server cannot do it at once: said until one of them has another name.
  @Test func aSwapHereIsRefused() throws {
    let stage = try threeMailboxes()
    for (old, new) in [("A", "tmp"), ("B", "A"), ("tmp", "B")] { try move(stage, old, new) }
    let files = TreeSnapshot(stage.maildir)
    for _ in 0..<2 {
      let outcome = try stage.sync()
      #expect(outcome.code == 1, "\(outcome)")
      for name in ["test/A", "test/B"] { #expect(outcome.errors.contains(name), "\(outcome)") }
    }
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
    try move(stage, "A", "C")
    try expect(["Rot": names("A"), "B": names("X"), "C": names("Y")], stage)
  }

  // MARK: Kills

  /// What a killed run had done, and mail that came to a mailbox that was empty.
  @Test(arguments: servers, [true, false])
  func aRenameOnBothSidesIsRecorded(_ hidden: [String], isEmpty: Bool) throws {
    let stage = try stage(hidden)
    try stage.imap.create("Empty")
    try stage.settle()
    let old = isEmpty ? "Empty" : "Rot"
    try move(stage, old, "New")
    try stage.imap.rename(old, to: "New")
    try stage.imap.append(mail("x"), to: "New")
    try stage.syncWell()
    let others = isEmpty ? ["Rot": names("A")] : ["Empty": []]
    try expect(others.merging(["New": (isEmpty ? [] : names("A")) + ["x"]]) { $1 }, stage)
  }

  /// The map is there, the summary does not know of it, and the folder was renamed meanwhile.
  @Test func aMailboxTheSummaryLacksIsKnown() throws {
    let stage = try stage()
    let summary = try #require(Files.read("\(stage.state)/summary"))
    try LocalFolder(stage.maildir, "Made").add("one", mail("one"), flags: "S")
    try stage.syncWell()
    try Files.write(summary, to: "\(stage.state)/summary")
    try move(stage, "Made", "Then")
    try expect(["Rot": names("A"), "Then": ["one"]], stage)
  }

  // MARK: Copies

  @Test func aCopiedFolderIsAFolderOfItsOwn() throws {
    let stage = try stage()
    try Command.shell("cp -r \"$1/Rot\" \"$1/Copy\"", [stage.maildir])
    try LocalFolder(stage.maildir, "Copy").add("new", mail("new"), flags: "S")
    try expect(["Rot": names("A"), "Copy": names("A") + ["new"]], stage)
    try LocalFolder(stage.maildir, "Copy").remove("new")
    try expect(["Rot": names("A"), "Copy": names("A")], stage)
  }

  /// Neither stands where the record has it: the original is the one whose directories are known.
  @Test func theOriginalOfTwoIsTheOneThatWasSeen() throws {
    let stage = try stage()
    try move(stage, "Rot", "Older")
    try Command.shell("cp -a \"$1/Older\" \"$1/Copy\"", [stage.maildir])
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("test/Older: renamed on the server, was Rot"), "\(outcome)")
    try expect(["Older": names("A"), "Copy": names("A")], stage)
  }

  // MARK: Names that are not free

  /// A new folder stands where the old one was to go: both stay, and it is said.
  @Test func aFolderInTheWayIsSaid() throws {
    let stage = try stage()
    try stage.imap.rename("Rot", to: "New")
    try LocalFolder(stage.maildir, "New").add("new", mail("new"), flags: "S")
    for _ in 0..<2 {
      let outcome = try stage.sync("-v")
      #expect(outcome.code == 1 && outcome.errors.contains("another folder"), "\(outcome)")
      #expect(!outcome.errors.contains("new ("), "\(outcome)")
    }
    try move(stage, "New", "Newer")
    try stage.imap.append(mail("more"), to: "New", flags: "\\Seen")
    try stage.syncWell()
    #expect(stage.tree["Rot"].count == 5)
    #expect(try stage.imap.messages(in: "Newer").count == 1)
  }

  /// Its folder stays what it is called where folders are not to be made here.
  @Test func aRenamedMailboxKeepsItsFolderWherePolicySays() throws {
    let stage = try stage()
    try stage.configure(sync: "create = \"none\"")
    try stage.imap.rename("Rot", to: "New")
    try stage.imap.append(mail("more"), to: "New", flags: "\\Seen")
    try stage.syncWell()
    #expect(stage.tree["Rot"].count == 5)
    try stage.syncWell()
  }

  // MARK: Mailboxes that are gone

  @Test func aFolderWithoutItsMailboxIsToldOfInEveryRun() throws {
    let stage = try stage()
    try stage.imap.delete("Rot")
    try LocalFolder(stage.maildir, "Rot").add("later", mail("later"), flags: "S")
    for _ in 0..<3 {
      let outcome = try stage.sync()
      #expect(outcome.code == 1 && outcome.errors.contains("no longer has"), "\(outcome)")
      #expect(outcome.errors.contains("Rot/.magnum-id"), "\(outcome)")
    }
    #expect(stage.tree["Rot"].count == 5)
    #expect(try stage.sync("test/INBOX").code == 0, "the run was not asked about it")
  }

  @Test func aFolderWithoutItsMailboxIsUploadedWhereItsMarkIsTakenAway() throws {
    let stage = try stage()
    try stage.imap.delete("Rot")
    #expect(try stage.sync().code == 1)
    try LocalFolder(stage.maildir, "Rot").add("later", mail("later"), flags: "S")
    try Command.shell("rm \"$1/Rot/.magnum-id\"", [stage.maildir])
    try expect(["Rot": names("A") + ["later"]], stage)
  }

  @Test func aFolderWithoutItsMailboxMayBeRemoved() throws {
    let stage = try stage()
    try stage.imap.delete("Rot")
    #expect(try stage.sync().code == 1)
    try Command.shell("rm -r \"$1/Rot\"", [stage.maildir])
    try expect([:], stage)
  }

  @Test func aMailboxThatComesBackGoesOn() throws {
    let stage = try stage()
    let there = "\(stage.server.folder)/mail/\(stage.user)"
    try stage.reconnect { try Command.shell("mv \"$1/.Rot\" \"$1/away\"", [there]) }
    #expect(try stage.sync().code == 1)
    try LocalFolder(stage.maildir, "Rot").add("later", mail("later"), flags: "S")
    try stage.reconnect { try Command.shell("mv \"$1/away\" \"$1/.Rot\"", [there]) }
    try expect(["Rot": names("A") + ["later"]], stage)
  }
}
