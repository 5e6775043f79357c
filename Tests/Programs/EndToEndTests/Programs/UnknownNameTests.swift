import TestSupport
import Testing

/// A name that fits no mailbox is never skipped in silence.
@Suite struct UnknownNameTests {
  private func stage() throws -> Stage {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Junk": "\\Junk"]
    let stage = try Stage(options)
    try stage.imap.create("Lists/swift")
    try stage.imap.append([mail("one"), mail("two"), mail("three"), mail("four")])
    return stage
  }

  @Test(arguments: [
    (["test/INOBX"], "no mailbox matches \"INOBX\"", "did you mean test/INBOX?"),
    (
      ["test/INBOX", "test/List/*"], "no mailbox matches \"List/*\"",
      "--list-mailboxes test lists"
    ),
    (["test/Lists"], "no mailbox matches \"Lists\"", "did you mean test/Lists/*?"),
    (["test/Junk"], "\"Junk\" is not mirrored", "the configuration leaves it out"),
    (["--dry-run", "test/Nope"], "no mailbox matches \"Nope\"", "lists them"),
  ])
  func onTheCommandLineItIsAnError(words: [String], what: String, hint: String) throws {
    let stage = try stage()
    try stage.configure(sync: "exclude = [\"Junk\"]")
    let outcome = try stage.program.command(words).run()
    #expect(outcome.code == 64, "\(outcome)")
    #expect(outcome.errors.contains("magnum-sync: test: \(what)\nhint: "), "\(outcome)")
    #expect(outcome.errors.contains(hint), "\(outcome)")
    #expect(stage.tree.mailboxes.isEmpty, "nothing is done")
  }

  /// A run that is repeated after it removed a mailbox names one that is gone.
  @Test func amongThoseThatMayLoseMuchItIsAWarning() throws {
    let stage = try stage()
    let outcome = try stage.syncWell("--allow-mass-delete", "test/Nope")
    #expect(outcome.errors.contains("test: no mailbox matches \"Nope\"\nhint: "), "\(outcome)")
    #expect(stage.tree["INBOX"].count == 4)
  }

  @Test func whatIsThereOnOneSideIsKnown() throws {
    let stage = try stage()
    try stage.syncWell()
    try LocalFolder(stage.maildir, "Plans").add("one", mail("plan"), flags: "S")
    #expect(try stage.syncWell("--dry-run", "test/Plans").output.contains("make on the server"))
    try stage.syncWell("test/Plan*")
    #expect(try stage.imap.messages(in: "Plans").count == 1)
    try stage.imap.delete("Plans")
    #expect(try stage.sync("test/Plans").code == 1, "its folder is still there")
  }

  @Test func inTheConfigurationItIsReported() throws {
    let stage = try stage()
    try stage.configure(
      account: "roles = { sent = \"Snet\", junk = \"Spam\" }",
      sync: "include = [\"INBOX\", \"Lists\"]\nexclude = [\"Junkk\"]"
    )
    let lines = [
      "test: include: no mailbox matches \"Lists\"", "hint: did you mean \"Lists/*\"?",
      "test: exclude: no mailbox matches \"Junkk\"", "hint: did you mean \"Junk\"?",
      "test: roles: junk is \"Spam\", which is not there; the server has \"Junk\"",
      "hint: write \"Junk\", or remove the line, or make the mailbox",
      "test: roles: sent is \"Snet\", which is not there",
    ]
    let list = try stage.syncWell("--list-mailboxes")
    var test = stage.program.command(["accounts", "test"])
    test.program = "\(ProgramUnderTest.products)/magnum"
    let tested = try test.run()
    #expect(tested.code == 0, "\(tested)")
    for line in lines {
      #expect(list.errors.contains(line), "\(line): \(list)")
      #expect(tested.errors.contains(line), "\(line): \(tested)")
    }
    #expect(try stage.syncWell().errors == "", "it harms nothing")
  }

  @Test func noSecondTrashIsMade() throws {
    let stage = try stage()
    try stage.configure(account: "roles = { trash = \"Deleted Items\" }")
    #expect(try stage.sync().code == 1)
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    let outcome = try stage.sync("test")
    let words = "roles: trash is \"Deleted Items\", which is not there; the server has \"Trash\""
    #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome)")
    #expect(try stage.imap.everything()["Deleted Items"] == nil)
    #expect(try stage.imap.messages().count == 4)
    try stage.configure()
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Trash").count == 1)
  }
}
