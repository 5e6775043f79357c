import TestSupport
import Testing

/// Acts on an account whose mailboxes are labels of messages, as Gmail's are (X-GM-EXT-1).
@Suite struct TriageLabelTests {
  private func stage(isLabelled: Bool) throws -> Stage {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Junk": "\\Junk", "Archive": "\\Archive"]
    if isLabelled { options.capabilities = DovecotOptions.allCapabilities + " X-GM-EXT-1" }
    let stage = try Stage.forTriage(options)
    try stage.imap.create("Work")
    try stage.imap.append(mail("labelled"), to: "INBOX")
    try stage.imap.append(mail("labelled"), to: "Work")
    try stage.syncWell()
    return stage
  }

  /// Without `--all-copies`: there is nothing to choose.
  @Test func oneCopyIsMovedWhereMailboxesAreLabels() throws {
    let stage = try stage(isLabelled: true)
    try stage.magnumWell("delete", "subject:labelled")
    #expect(copies(stage) == ["Trash": 1, "Work": 1] || copies(stage) == ["INBOX": 1, "Trash": 1])
    try stage.magnumWell("undo")
    try stage.magnumWell("junk", "--all-copies", "subject:labelled")
    #expect(copies(stage) == ["Junk": 1, "Work": 1] || copies(stage) == ["INBOX": 1, "Junk": 1])
  }

  /// How many files of the message each folder has.
  private func copies(_ stage: Stage) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (name, files) in stage.tree.mailboxes {
      let subject = Array("Subject: labelled".utf8)
      let count = files.count { $0.body.firstRange(of: subject) != nil }
      if count > 0 { counts["\(name)"] = count }
    }
    return counts
  }

  /// A file that no sync has seen is none that the server takes along.
  @Test func aCopyThatTheServerDoesNotHaveIsMovedToo() throws {
    let stage = try stage(isLabelled: true)
    try LocalFolder(stage.maildir, "Archive").add("added", mail("labelled"), flags: "S")
    try stage.magnumWell("index")
    try stage.magnumWell("delete", "--all-copies", "subject:labelled")
    #expect(copies(stage)["Trash"] == 2)
  }

  /// To the server it is another message, which it leaves where it is.
  @Test func aCopyThatCameAnotherWayIsMovedToo() throws {
    let stage = try stage(isLabelled: true)
    let other = Array("Received: from list.example.org\r\n".utf8) + mail("labelled")
    try stage.imap.append([other], to: "Archive")
    try stage.syncWell()
    #expect(try stage.magnum("junk", "subject:labelled").code == 65)
    try stage.magnumWell("junk", "--all-copies", "subject:labelled")
    #expect(copies(stage)["Junk"] == 2)
  }

  @Test func elsewhereAPersonHasToChoose() throws {
    let stage = try stage(isLabelled: false)
    #expect(try stage.magnum("delete", "subject:labelled").code == 65)
    try stage.magnumWell("delete", "--all-copies", "subject:labelled")
    #expect(copies(stage)["Trash"] == 2)
  }
}
