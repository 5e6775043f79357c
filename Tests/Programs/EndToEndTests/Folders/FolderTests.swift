import Testing
import TestSupport

/// Mailboxes and folders as a whole: made, renamed and removed on one side.
@Suite struct FolderTests {
  private func stage(
    sync: String = "",
    account: String = "",
    _ options: DovecotOptions = DovecotOptions()
  ) throws -> Stage {
    let stage = try Stage(options)
    try stage.configure(account: account, sync: sync)
    try stage.fill()
    try stage.imap.create("Trash")
    try stage.settle()
    return stage
  }

  private func mailboxes(_ stage: Stage) throws -> Set<String> {
    Set(try stage.imap.everything().keys)
  }

  private func expectSettled(_ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    try stage.expectMirrored(sourceLocation: sourceLocation)
    let before = try stage.imap.everything()
    let files = TreeSnapshot(stage.maildir, isDetailed: true)
    try stage.syncWell(sourceLocation: sourceLocation)
    let changed = TreeSnapshot(stage.maildir, isDetailed: true).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [], sourceLocation: sourceLocation)
    #expect(try stage.imap.everything() == before, sourceLocation: sourceLocation)
  }

  @Test func aNewFolderIsMadeOnTheServer() throws {
    let stage = try stage()
    try LocalFolder(stage.maildir, "Projects/Grüße").add("one", mail("one"), flags: "S")
    let dry = try stage.syncWell("--dry-run")
    #expect(dry.output.contains("Projects/Grüße: make on the server"), "\(dry)")
    #expect(try !mailboxes(stage).contains("Projects/Gr&APwA3w-e"))
    try stage.syncWell()
    #expect(try mailboxes(stage).contains("Projects/Gr&APwA3w-e"))
    try stage.expectMirrored { $0 == "Projects/Gr&APwA3w-e" ? "Projects/Grüße" : $0 }
  }

  /// Dovecot 2.3 goes on listing the name as if it could be opened.
  @Test func aMailboxRemovedAboveOthersIsGone() throws {
    let stage = try stage()
    try stage.imap.create("Projects")
    try stage.imap.create("Projects/one")
    try stage.imap.append(mail("one"), to: "Projects/one")
    try stage.settle()
    try stage.imap.delete("Projects")
    #expect(try stage.sync().code == 1)
    #expect(stage.tree["Projects/one"].count == 1)
    let outcome = try stage.sync("test")
    #expect(outcome.code == 1 && outcome.errors.contains("test/Projects: the server no longer"))
    try Command.shell("cd \"$1/Projects\"; rm -r cur new tmp .magnum-id", [stage.maildir])
    try stage.syncWell()
  }

  @Test(arguments: ["local", "none"])
  func noMailboxIsMadeWherePolicyForbids(create: String) throws {
    let stage = try stage()
    try stage.configure(sync: "create = \"\(create)\"")
    try LocalFolder(stage.maildir, "Mine").add("one", mail("one"), flags: "S")
    try stage.syncWell()
    #expect(try !mailboxes(stage).contains("Mine"))
  }

  @Test(arguments: [("remote", false), ("none", false), ("local", true)])
  func aFolderIsMadeWherePolicyAllows(create: String, isMade: Bool) throws {
    let stage = try stage()
    try stage.configure(sync: "create = \"\(create)\"")
    try stage.imap.create("There")
    try stage.imap.append(mail("one"), to: "There")
    try stage.syncWell()
    #expect((stage.tree["There"].count == 1) == isMade)
  }

  @Test func anExcludedFolderStaysHere() throws {
    let stage = try stage(sync: "exclude = [\"Private*\"]")
    try LocalFolder(stage.maildir, "Private/diary").add("one", mail("one"), flags: "S")
    try stage.syncWell()
    #expect(try !mailboxes(stage).contains("Private/diary"))
  }

  @Test func aMailboxRenamedOnTheServerIsRenamedHere() throws {
    let stage = try stage()
    try LocalFolder(stage.maildir, "Archive").setFlags("F", of: 0)
    _ = try stage.imap.command("RENAME Archive Attic")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("renamed here, was Archive"), "\(outcome)")
    #expect(!outcome.errors.contains("+5 new"), "\(outcome)")
    try expectSettled(stage)
    #expect(!Files.exists("\(stage.maildir)/Archive"))
    #expect(stage.tree["Attic"].count == 5)
  }

  @Test func aFolderRenamedHereIsRenamedOnTheServer() throws {
    let stage = try stage()
    try Command.shell("mv \"$1/Archive\" \"$1/Attic\"", [stage.maildir])
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("renamed on the server, was Archive"), "\(outcome)")
    #expect(!outcome.errors.contains("uploaded"), "\(outcome)")
    try expectSettled(stage)
    #expect(try !mailboxes(stage).contains("Archive"))
  }

  /// Nothing waits for an answer in between: a run that is stopped leaves no mailbox without its subscription.
  @Test func aTreeIsRenamedInOneFlight() throws {
    let stage = try stage()
    try stage.imap.create("Archive/2024")
    try stage.imap.append(mail("child"), to: "Archive/2024")
    try stage.settle()
    try Command.shell("mv \"$1/Archive\" \"$1/Attic\"", [stage.maildir])
    // No answer to the first: whatever came with it has reached the server.
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.hasPrefix("RENAME ") && !line.contains("2024") ? .refused("") : .passed
    }
    try stage.configure(url: proxy.clearURL)
    #expect(try stage.sync(timeLimit: 120).code == 75)
    #expect(proxy.commands.contains { $0.hasPrefix("SUBSCRIBE") && $0.contains("Attic/2024") })
  }

  /// By two hands, or by a run that did not hear that it succeeded.
  @Test(arguments: [false, true])
  func whatIsGoneOnBothSidesIsForgotten(_ isUnanswered: Bool) throws {
    let stage = try stage(sync: "remove = \"remote\"")
    try stage.imap.create("Empty")
    try stage.imap.command("SUBSCRIBE Empty")
    try stage.settle()
    try Command.shell("rm -r \"$1/Empty\"", [stage.maildir])
    if isUnanswered {
      let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
        line.hasPrefix("DELETE ") ? .unanswered : .passed
      }
      try stage.configure(url: proxy.clearURL, sync: "remove = \"remote\"")
      #expect(try stage.sync().code == 75)
      try stage.configure(url: stage.server.clearURL)
    } else {
      try stage.imap.delete("Empty")
    }
    let outcome = try stage.syncWell()
    #expect(outcome.errors == "", "\(outcome)")
    #expect(try stage.imap.command("LSUB \"\" Empty").count == 1)
    try expectSettled(stage)
  }

  @Test func aMailboxRemovedOnTheServerStaysHere() throws {
    let stage = try stage()
    try stage.imap.delete("Archive")
    let outcome = try stage.sync()
    #expect(outcome.code == 1 && outcome.errors.contains("stays as it is"), "\(outcome)")
    #expect(try stage.sync().code == 1)
    #expect(stage.tree["Archive"].count == 5)
    #expect(try !mailboxes(stage).contains("Archive"))
  }

  @Test(arguments: Turn.part(of: [[], ["CONDSTORE", "QRESYNC", "LIST-STATUS"]]))
  func anEmptyFolderRemovedHereGoesOnTheServerWherePolicySays(_ hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try stage(sync: "remove = \"remote\"", options)
    try stage.imap.create("Empty")
    try stage.settle()
    try Command.shell("rm -r \"$1/Empty\"", [stage.maildir])
    try stage.syncWell()
    #expect(try !mailboxes(stage).contains("Empty"))
    try expectSettled(stage)
  }

  @Test func whatWasMovedOnBothSidesStaysOneWhereTheMailboxGoes() throws {
    let stage = try stage(sync: "remove = \"both\"")
    try stage.imap.create("Work")
    try stage.imap.append(mail("moved twice"), to: "Work")
    try stage.settle()
    try moveOutAndRemove("Work", to: "Archive", stage)
    try stage.imap.select("Work")
    try stage.imap.move("1", to: "Trash")
    // The parent of Lists/swift is listed and is no mailbox; that does not put anything off.
    let records = try recordCount(stage)
    try stage.syncWell()
    #expect(try recordCount(stage) == records - 1)
    try expectSettled(stage)
    #expect(try copies(of: "moved twice", stage) == 1)
  }

  /// What was in the mailbox when it went was not moved there: what has its name here is another file of it.
  @Test(arguments: ["follow", "keep"])
  func whatWasMovedHereStaysWhereTheMailboxGoesWithIt(_ word: String) throws {
    let policy = "remove = \"both\"\non-remote-delete = \"\(word)\""
    let stage = try stage(sync: policy)
    try stage.imap.create("Work")
    try stage.imap.append(mail("moved here"), to: "Work")
    try stage.settle()
    try moveOutAndRemove("Work", to: "Archive", stage)
    try stage.syncWell("--allow-mass-delete", "test/Work")
    try stage.syncWell()
    try expectSettled(stage)
    #expect(try copies(of: "moved here", stage) == 1)
  }

  private func moveOutAndRemove(_ folder: String, to target: String, _ stage: Stage) throws {
    let script = "mv \"$1/$2\"/new/* \"$1/$3/new/\" && rm -r \"$1/$2\""
    try Command.shell(script, [stage.maildir, folder, target])
  }

  private func recordCount(_ stage: Stage) throws -> Int {
    let command = "ls \"$1/mailboxes\" | grep -c \"\\.map$\""
    return try #require(Int(Command.shell(command, [stage.state]).filter { $0.isNumber }))
  }

  private func copies(of subject: String, _ stage: Stage) throws -> Int {
    let octets = Array(subject.utf8)
    return try stage.imap.everything().values.joined()
      .count { $0.body.firstRange(of: octets) != nil }
  }

  @Test func aMailboxRemovedOnTheServerGoesHereWherePolicySays() throws {
    let stage = try stage(sync: "remove = \"local\"")
    try stage.imap.create("Empty")
    try stage.settle()
    try stage.imap.delete("Empty")
    try stage.imap.delete("Archive")
    _ = try stage.sync()
    #expect(!Files.exists("\(stage.maildir)/Empty"))
    #expect(stage.tree["Archive"].count == 5)
  }

  @Test func aFullFolderGoesOnlyByWord() throws {
    let stage = try stage(sync: "remove = \"both\"")
    try stage.imap.delete("Archive")
    try stage.syncWell("--allow-mass-delete", "test/Archive")
    #expect(!Files.exists("\(stage.maildir)/Archive"))
    try Command.shell("rm -r \"$1/Lists/swift\"", [stage.maildir])
    let held = try stage.sync()
    #expect(held.code == 1, "\(held)")
    #expect(try mailboxes(stage).contains("Lists/swift"))
    try stage.syncWell("--allow-mass-delete", "test/Lists/swift")
    #expect(try !mailboxes(stage).contains("Lists/swift"))
  }

  /// However many messages were here, they are held against those that the server has.
  @Test func aFolderOfManyThousandMessagesGoesByWord() throws {
    let stage = try stage(sync: "remove = \"both\"")
    try stage.imap.create("Work")
    try stage.imap.append((0...10_000).map { mail("mail \($0)") }, to: "Work", flags: "\\Seen")
    try stage.syncWell()
    try Command.shell("rm -r \"$1/Work\"", [stage.maildir])
    try stage.syncWell("--allow-mass-delete", "test/Work")
    #expect(try !mailboxes(stage).contains("Work"))
  }

  /// What somebody wrote or flagged since then would be lost.
  @Test(arguments: ["text", "flag"])
  func aFolderInWhichSomethingWasDoneStays(_ work: String) throws {
    let stage = try stage(sync: "remove = \"both\"")
    try stage.imap.append(mail("mine"), to: "Archive", flags: "\\Seen")
    try stage.syncWell()
    let archive = LocalFolder(stage.maildir, "Archive")
    if work == "text" {
      try archive.write("mine", mail("mine", body: "what I wrote"))
    } else {
      try archive.setFlags("FS", of: "mine")
    }
    try stage.imap.delete("Archive")
    let outcome = try stage.sync("--allow-mass-delete", "test/Archive")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(stage.tree["Archive"].count == 6)
  }

  /// The same on the server.
  @Test func aMailboxInWhichSomethingWasFlaggedStays() throws {
    let stage = try stage(sync: "remove = \"both\"")
    let uid = try stage.imap.append(mail("mine"), to: "Archive", flags: "\\Seen")
    try stage.syncWell()
    try Command.shell("rm -r \"$1/Archive\"", [stage.maildir])
    try stage.imap.select("Archive")
    try stage.imap.store("\(uid)", "+FLAGS (\\Flagged)")
    let outcome = try stage.sync("--allow-mass-delete", "test/Archive")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(try stage.imap.messages(in: "Archive").count == 6)
  }

  /// A file that lies where the run does not look keeps its message, and its mailbox.
  @Test func aMailboxWhoseFilesLieElsewhereStays() throws {
    let stage = try stage(sync: "remove = \"both\"\nexclude = [\"Kept\"]")
    try LocalFolder(stage.maildir, "Kept").make()
    try Command.shell(
      "cd \"$1\"; mv Archive/cur/* Kept/cur/; mv Archive/new/* Kept/new/ || true; rm -r Archive",
      [stage.maildir]
    )
    for _ in 1...2 {
      let outcome = try stage.sync("--allow-mass-delete", "test/Archive")
      #expect(outcome.code == 1, "\(outcome)")
    }
    #expect(try stage.imap.messages(in: "Archive").count == 5)
  }

  /// Where only the server may be changed, no folder goes.
  @Test func aRunThatOnlyPushesRemovesNoFolder() throws {
    let stage = try stage(sync: "remove = \"both\"")
    try stage.imap.delete("Archive")
    try stage.configure(sync: "remove = \"both\"\ndirection = \"push\"")
    _ = try stage.sync("--allow-mass-delete", "test/Archive")
    #expect(stage.tree["Archive"].count == 5)
  }

  /// What comes to a mailbox once the run has listed it, or since the last run, was never here.
  @Test(arguments: ["empty", "full", "before"])
  func mailThatWasNeverHereKeepsItsMailbox(_ state: String) throws {
    let stage = try stage(sync: "remove = \"both\"")
    let name = state == "empty" ? "Empty" : "Archive"
    if state == "empty" {
      try stage.imap.create("Empty")
      try stage.syncWell()
    }
    try Command.shell("rm -r \"$1/$2\"", [stage.maildir, name])
    let (port, user) = (stage.server.ports.clear, stage.user)
    let deliver: @Sendable () -> Void = {
      let other = try? RawIMAP(port: port, user: user)
      _ = try? other?.append(mail("late"), to: name)
    }
    if state == "before" { deliver() }
    let proxy = try BendingProxy(to: port) { line in
      // The last command before the run decides.
      let isLast = line.hasPrefix("STATUS") && line.contains(name)
      return state != "before" && isLast ? .after(deliver) : .passed
    }
    try stage.configure(url: proxy.clearURL, sync: "remove = \"both\"")
    let outcome = try stage.sync("--allow-mass-delete", "test/\(name)")
    #expect(outcome.code == 1, "\(outcome)")
    try stage.configure(url: stage.server.clearURL, sync: "remove = \"both\"")
    let there = try stage.imap.messages(in: name).map { String(decoding: $0.body, as: UTF8.self) }
    #expect(there.contains { $0.contains("late") }, "\(outcome)")
  }

  /// What came since the last run is only on the server, also where it says nothing of it with its list.
  @Test(arguments: Turn.part(of: [[], ["CONDSTORE", "QRESYNC", "LIST-STATUS"]]))
  func aMailboxWithMailThatWasNeverHereStays(_ hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try stage(sync: "remove = \"remote\"", options)
    try Command.shell("rm -r \"$1/Lists/swift\"", [stage.maildir])
    try stage.imap.append(mail("never here"), to: "Lists/swift")
    let outcome = try stage.sync("--allow-mass-delete", "test/Lists/swift")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(try mailboxes(stage).contains("Lists/swift"))
    let left = try stage.contents()["Lists/swift"] ?? []
    #expect(left.contains { $0.hasSuffix("Subject: never here") }, "\(left)")
  }

  @Test func aFolderThatIsGoneHereIsNotTakenForEmpty() throws {
    let stage = try stage()
    try Command.shell("rm -r \"$1/Archive\"", [stage.maildir])
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("is gone"), "\(outcome)")
    #expect(try stage.imap.everything()["Archive"]?.count == 5)
  }
}
