import TestSupport
import Testing

/// Folders that are copies, that are in the way, and those whose mailbox is gone.
@Suite struct FolderStandingTests: FolderScene {
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

  /// Its folder stays what it is called where folders are not to be made here, until it is renamed by hand.
  @Test(arguments: ["none", "remote"])
  func aRenamedMailboxKeepsItsFolderWherePolicySays(create: String) throws {
    let stage = try stage()
    try stage.configure(sync: "create = \"\(create)\"")
    try stage.imap.rename("Rot", to: "New")
    try stage.imap.append(mail("more"), to: "New", flags: "\\Seen")
    let outcome = try stage.syncWell()
    #expect(outcome.errors.contains("test/Rot: the server calls it New now"), "\(outcome)")
    #expect(stage.tree["Rot"].count == 5)
    let second = try stage.syncWell()
    #expect(second.errors.isEmpty, "\(second)")
    try move(stage, "Rot", "New")
    let third = try stage.syncWell("-v")
    #expect(third.errors.contains("test/New: renamed here, was Rot"), "\(third)")
    try stage.imap.append(mail("last"), to: "New", flags: "\\Seen")
    try stage.syncWell()
    #expect(stage.tree["New"].count == 6)
  }

  /// Another program synced it, and its mailbox was renamed or removed on the server before the first run.
  @Test func aFolderOfAnotherProgramWithoutItsMailboxIsLeftToAPerson() throws {
    let stage = try Stage()
    try stage.fill()
    try Mbsync(stage: stage).run()
    try stage.imap.delete("Archive")
    let there = try stage.imap.mailboxes()
    for number in 0..<3 {
      let outcome = try stage.sync("test", "--scan")
      #expect(
        outcome.code == 1 && outcome.errors.contains("Archive was synced before"),
        "\(outcome)"
      )
      #expect(try stage.imap.mailboxes() == there, "run \(number)")
      let status = try stage.magnum("status")
      #expect(status.code == 1 && status.output.contains("Archive"), "\(status)")
    }
    // A name of its own is what a person gives it to have it uploaded.
    try move(stage, "Archive", "Mine")
    try stage.syncWell()
    #expect(try stage.imap.mailboxes().contains("Mine"))
  }

  // MARK: Mailboxes that are gone

  @Test func aFolderWithoutItsMailboxIsToldOfInEveryRun() throws {
    let stage = try stage()
    try stage.imap.delete("Rot")
    try LocalFolder(stage.maildir, "Rot").add("later", mail("later"), flags: "S")
    for _ in 0..<3 {
      let outcome = try stage.sync("test")
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
