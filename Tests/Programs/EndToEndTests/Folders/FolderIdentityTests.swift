import TestSupport
import Testing

/// A mailbox stays itself whatever it is called, and another one of its name is another mailbox.
@Suite struct FolderIdentityTests: FolderScene {
  /// A server that tells what tells renames with its list of mailboxes, and one that has to be asked.
  static let servers: [[String]] = [[], ["CONDSTORE", "QRESYNC", "LIST-STATUS"]]

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

  @Test(arguments: Turn.part(of: servers)) func rotationOnTheServerIsFollowed(_ hidden: [String])
    throws
  {
    let stage = try stage(hidden)
    try stage.imap.rename("Rot", to: "Rot-2025")
    try stage.imap.create("Rot")
    try stage.imap.append(mail("B"), to: "Rot")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("renamed here, was Rot"), "\(outcome)")
    try expect(["Rot-2025": names("A"), "Rot": ["B"]], stage)
  }

  @Test(arguments: Turn.part(of: servers)) func rotationHereIsFollowed(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    try move(stage, "Rot", "Rot-2025")
    try LocalFolder(stage.maildir, "Rot").add("new", mail("B"), flags: "S")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("renamed on the server, was Rot"), "\(outcome)")
    try expect(["Rot-2025": names("A"), "Rot": ["B"]], stage)
  }

  /// Another client does it after the mailboxes were listed.
  @Test(arguments: Turn.part(of: servers)) func rotationDuringARunIsFollowed(_ hidden: [String])
    throws
  {
    let stage = try stage(hidden)
    try stage.imap.append(mail("late"), to: "Rot")
    let outcome = try stage.sync(before: "SELECT") { imap in
      try imap.rename("Rot", to: "Rot-2025")
      try imap.create("Rot")
      try imap.append(mail("B"), to: "Rot")
    }
    #expect(outcome.errors.contains("renamed here, was Rot"), "\(outcome)")
    #expect(!outcome.errors.contains("detach"), "\(outcome)")
    try expect(["Rot-2025": names("A") + ["late"], "Rot": ["B"]], stage)
  }

  /// What is sent in the moment in which two mailboxes exchange their names is taken back from the one, and sent to the other.
  @Test(arguments: Turn.part(of: servers)) func whatIsSentDuringAnExchangeComesOnce(
    _ hidden: [String]
  ) throws {
    let stage = try stage(hidden)
    try stage.imap.create("Other")
    try stage.syncWell()
    try LocalFolder(stage.maildir, "Rot").add("new", mail("sent"), flags: "S")
    _ = try stage.sync(before: "APPEND") { imap in
      try imap.rename("Rot", to: "Third")
      try imap.rename("Other", to: "Rot")
      try imap.rename("Third", to: "Other")
    }
    for _ in 1...2 { _ = try stage.sync() }
    try expect(["Other": names("A") + ["sent"], "Rot": []], stage)
  }

  /// The new folder does not pass for the old one, and no folder for one that was put back: what was removed in another stays
  /// removed.
  @Test func rotationHereDuringARunIsSeenByTheNext() throws {
    let stage = try stage()
    try stage.imap.append(mail("late"), to: "Rot")
    try stage.imap.create("Other")
    try stage.imap.append(mails("C"), to: "Other", flags: "\\Seen")
    let (maildir, added) = (stage.maildir, mail("B"))
    let first = try stage.sync(before: "SELECT") { _ in
      try Command.shell("mv \"$1/Rot\" \"$1/Rot-2025\"", [maildir])
      try LocalFolder(maildir, "Rot").add("new", added, flags: "S")
    }
    try LocalFolder(stage.maildir, "Other").remove(0)
    let second = try stage.sync("-v")
    #expect(second.errors.contains("renamed on the server, was Rot"), "\(first) \(second)")
    #expect(!second.errors.contains("missing after a restore"), "\(second)")
    _ = try stage.expectSettled()
    let there = try stage.imap.everything().mapValues { $0.map(\.subject).sorted() }
    #expect(there["Rot-2025"]?.filter { $0 != "late" } == names("A"), "\(there)")
    #expect(there["Other"]?.count == 3 && there["Trash"]?.count == 1, "\(there)")
  }

  /// Where the server moves at once the message is in the new mailbox, and its file follows; a copy is taken back, and
  /// the message goes where its file is.
  @Test(arguments: [([], ["Rot": 1, "Rot-2025": 4]), (["MOVE"], ["Rot": 0, "Rot-2025": 5])])
  func rotationDuringAMoveMakesNoCopy(_ hidden: [String], _ wanted: [String: Int]) throws {
    let stage = try stage(hidden)
    try stage.imap.append(mail("one"), flags: "\\Seen")
    try stage.settle()
    _ = try LocalFolder(stage.maildir, "INBOX").move("one", to: "Rot", flags: "S")
    let outcome = try stage.sync(before: hidden.isEmpty ? "MOVE" : "COPY") { imap in
      try imap.rename("Rot", to: "Rot-2025")
      try imap.create("Rot")
    }
    _ = try stage.expectSettled()
    let counts = try stage.imap.everything().mapValues(\.count)
    #expect(counts == wanted.merging(["INBOX": 0, "Trash": 0]) { $1 }, "\(outcome)")
  }

  /// What is renamed then is the new one of its name.
  @Test(arguments: Turn.part(of: servers)) func rotationThereBeforeARenameIsFollowed(
    _ hidden: [String]
  ) throws {
    let stage = try stage(hidden)
    try move(stage, "Rot", "Here")
    let outcome = try stage.sync(before: "RENAME") { imap in
      try imap.rename("Rot", to: "There")
      try imap.create("Rot")
    }
    #expect(!outcome.errors.contains("detach"), "\(outcome)")
    try expect(["There": names("A"), "Here": []], stage)
  }

  /// The mailboxes are listed again after a rename; of one that has another name by then a message was moved away here.
  @Test(arguments: Turn.part(of: servers))
  func aMailboxRenamedDuringARenameKeepsItsMoves(_ hidden: [String]) throws {
    let stage = try threeMailboxes(hidden)
    try move(stage, "A", "C")
    let source = LocalFolder(stage.maildir, "B")
    let octets = try source.content(1)
    try source.remove(1)
    try LocalFolder(stage.maildir, "Rot").add("another", octets, flags: "S")
    let outcome = try stage.sync(before: "RENAME") { imap in try imap.rename("B", to: "D") }
    #expect(!outcome.errors.contains("upload another"), "\(outcome)")
    _ = try stage.expectSettled()
    let counts = try stage.imap.everything().mapValues(\.count)
    #expect(counts == ["INBOX": 0, "Trash": 0, "Rot": 5, "C": 4, "D": 3])
  }

  /// Where the server may not be changed the new folder is not taken for the old one.
  @Test func rotationHereWaitsWhereNothingIsPushed() throws {
    let stage = try stage()
    try move(stage, "Rot", "Rot-2025")
    try LocalFolder(stage.maildir, "Rot").add("new", mail("B"), flags: "S")
    for _ in 0..<2 {
      let outcome = try stage.sync("--pull", "test")
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
      let outcome = try stage.sync("test")
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

  @Test(arguments: Turn.part(of: servers), ["server", "local"])
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

  @Test(arguments: Turn.part(of: servers)) func aSwapOnTheServerIsFollowed(_ hidden: [String])
    throws
  {
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
      let outcome = try stage.sync("test")
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
  @Test(arguments: Turn.part(of: servers), [true, false])
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
}
