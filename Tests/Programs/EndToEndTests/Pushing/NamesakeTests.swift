import TestSupport
import Testing

/// Records, files and messages that resemble each other: one never speaks for another, and what was moved here is kept.
@Suite struct NamesakeTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    for name in ["Archive", "Work", "Trash", "Drafts", "Sent"] { try stage.imap.create(name) }
    try stage.imap.append(mail("inbox"), flags: "\\Seen")
    return stage
  }

  private func folder(_ name: String, _ stage: Stage) -> LocalFolder {
    LocalFolder(stage.maildir, name)
  }

  /// Moves a file as mutt does: it gets a new name.
  private func rename(
    _ subject: String,
    from source: String,
    to target: String,
    as base: String = "1700000000.R1.mutt",
    _ stage: Stage
  ) throws {
    let octets = try folder(source, stage).content(subject)
    try folder(target, stage).add(base, octets, flags: "S")
    try folder(source, stage).remove(subject)
  }

  private func expunge(_ mailbox: String, _ stage: Stage) throws {
    try stage.imap.select(mailbox)
    try stage.imap.expunge("1:*")
  }

  private func expectSettled(_ stage: Stage) throws {
    for _ in 1...2 { try stage.syncWell() }
    try stage.expectMirrored()
  }

  /// The state of a mailbox as it was before the last run, as a kill between two logs leaves it.
  private func putBack(_ mailbox: String, _ stage: Stage, during run: () throws -> Void) throws {
    let saved = stage.program.home["saved"]
    try Command.shell("cp -a \"$1\" \"$2\"", [stage.state, saved])
    try run()
    let script = """
      id=$(head -n 1 "$1/$3/.magnum-id"); rm -f "$1/.magnum/mailboxes/$id".*
      cp -a "$2/mailboxes/$id".* "$1/.magnum/mailboxes/"; cp -a "$2/summary" "$1/.magnum/summary"
      """
    try Command.shell(script, [stage.maildir, saved, mailbox])
  }

  // MARK: One name

  /// Two files of one base name: the one that holds the message is its file, and the other one is uploaded.
  @Test(arguments: [true, false])
  func anotherMessageUnderTheNameOfOne(isInCur: Bool) throws {
    let stage = try stage()
    let flags = isInCur ? "" : "\\Seen"
    try stage.imap.append(mail("own"), to: "Work", flags: flags)
    try stage.syncWell()
    let work = folder("Work", stage)
    let path = isInCur ? "cur/\(work.bases[0]):2,S" : "cur/\(work.bases[0]):2,FS"
    try Files.write(
      mail("other").filter { $0 != 13 },
      to: "\(stage.maildir)/Work/\(path)"
    )
    try expectSettled(stage)
    #expect(try stage.places(of: "own") == [isInCur ? "Work []" : "Work [S]"])
    #expect(try stage.places(of: "other") == [isInCur ? "Work [S]" : "Work [FS]"])
  }

  // MARK: Two logs

  @Test(arguments: ["same name", "new name"])
  func aMessageTakenOutOfTrashAfterAKillStays(how: String) throws {
    let stage = try stage()
    try stage.imap.append(mail("kept"), to: "Work", flags: "\\Seen")
    try stage.syncWell()
    try stage.imap.select("Work")
    try stage.imap.move("1", to: "Trash")
    try putBack("Work", stage) { try stage.syncWell() }
    if how == "same name" {
      try folder("Trash", stage).move("kept", to: "INBOX", flags: "S")
    } else {
      try rename("kept", from: "Trash", to: "INBOX", stage)
    }
    try expectSettled(stage)
    #expect(try stage.places(of: "kept") == ["INBOX [S]"])
  }

  // MARK: Moves

  @Test(arguments: [true, false])
  func whatWasMovedAndWrittenAnewIsUploaded(isInto: Bool) throws {
    let stage = try stage()
    let (source, target) = isInto ? ("Work", "Drafts") : ("Drafts", "Work")
    try stage.imap.append(mail("moved", body: "old"), to: source, flags: "\\Seen \\Draft")
    try stage.syncWell()
    let text = mail("moved", body: "new, and longer")
    if isInto {
      try folder(source, stage).move("moved", to: target, flags: "DS")
      try folder(target, stage).write("moved", text)
    } else {
      try folder(source, stage).write("moved", text)
      try folder(source, stage).move("moved", to: target, flags: "DS")
    }
    let outcome = try stage.sync("-v")
    #expect(outcome.code == 0, "\(outcome)")
    try expectSettled(stage)
    let bodies = try stage.imap.everything().values.joined().map { $0.body }
    #expect(bodies.filter { $0 == text }.count == 1, "\(outcome)")
    #expect(try stage.places(of: "moved") == ["\(target) [DS]"])
  }

  /// A run that names only one of the two mailboxes leaves the move to one that sees both.
  @Test(arguments: ["Work", "INBOX"], ["same name", "new name"])
  func aRunOfOneMailboxDoublesNothing(named: String, how: String) throws {
    let stage = try stage()
    try stage.imap.append(mail("moved"), flags: "\\Seen")
    try stage.syncWell()
    if how == "same name" {
      try folder("INBOX", stage).move("moved", to: "Work", flags: "S")
    } else {
      try rename("moved", from: "INBOX", to: "Work", stage)
    }
    _ = try stage.sync("test/\(named)")
    #expect(try stage.places(of: "moved") == ["INBOX [S]"])
    try expectSettled(stage)
    #expect(try stage.places(of: "moved") == ["Work [S]"])
  }

  @Test func aFileThatGotANewNameInAFolderThatIsLeftOutIsNoDeletion() throws {
    let stage = try stage()
    try stage.configure(sync: "exclude = [\"Private\"]")
    try stage.imap.append(mail("moved"), flags: "\\Seen")
    try stage.syncWell()
    try rename("moved", from: "INBOX", to: "Private", stage)
    let outcome = try stage.sync()
    #expect(outcome.code == 1 && outcome.errors.contains("lies in another folder"), "\(outcome)")
    #expect(try stage.places(of: "moved") == ["INBOX [S]"])
  }

  // MARK: Edits

  /// A file is removed only with the content that was on the server.
  @Test func aFileThatHoldsSomethingElseIsKept() throws {
    let stage = try stage()
    try stage.imap.append(mail("note", body: "old"), to: "Work", flags: "\\Seen")
    try stage.syncWell()
    try folder("Work", stage).write("note", mail("note", body: "new"))
    try expunge("Work", stage)
    try expectSettled(stage)
    #expect(try stage.places(of: "note") == ["Work [S]"])
  }

  // MARK: The deletion guard

  @Test(arguments: ["nothing", "moved away here", "moved away there", "expunged there", "arrived"])
  func allOfAtLeastThreeIsHeldWhateverElseHappened(what: String) throws {
    let stage = try stage()
    for number in 0..<15 {
      try stage.imap.append(mail("work \(number)"), to: "Work", flags: "\\Seen")
    }
    try stage.syncWell()
    try stage.imap.select("Work")
    switch what {
    case "moved away here": try folder("Work", stage).move("work 0", to: "INBOX", flags: "S")
    case "moved away there": try stage.imap.move("1", to: "Archive")
    case "expunged there": try stage.imap.expunge("1")
    case "arrived": try stage.imap.append(mail("new"), to: "Work", flags: "\\Seen")
    default: break
    }
    try Command.shell("rm -f \"$1\"/Work/cur/*", [stage.maildir])
    let outcome = try stage.sync()
    #expect(outcome.code == 1 && outcome.errors.contains("removed here"), "\(outcome)")
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
    #expect(try stage.imap.messages(in: "Work").count >= 14)
  }

  @Test func whatIsMovedIntoAMailboxDoesNotLetItBeEmptied() throws {
    let stage = try stage()
    for number in 0..<15 {
      try stage.imap.append(mail("work \(number)"), to: "Work", flags: "\\Seen")
    }
    for number in 0..<3 { try stage.imap.append(mail("more \(number)"), flags: "\\Seen") }
    try stage.syncWell()
    try folder("INBOX", stage).move("inbox", to: "Work", flags: "S")
    for mailbox in ["INBOX", "Work"] { try expunge(mailbox, stage) }
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(stage.tree["Work"].count == 16 && stage.tree["INBOX"].count == 3, "\(outcome)")
  }
}
