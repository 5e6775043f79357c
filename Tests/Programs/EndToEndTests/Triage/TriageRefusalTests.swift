import TestSupport
import Testing

/// What a server refuses in the end is taken back here, and said; until then it is asked again.
@Suite struct TriageRefusalTests {
  /// Commands that the server refuses to follow, and its answers.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var command: String
    var answer: String

    var testDescription: String { "\(words[0]): \(answer)" }
  }

  private static let cases = [
    Case(
      words: ["archive", "subject:number1"],
      command: "UID MOVE ",
      answer: "NO [NOPERM] not into that one"
    ),
    Case(
      words: ["delete", "subject:number1"],
      command: "UID MOVE ",
      answer: "NO [CANNOT] not today"
    ),
    Case(words: ["flag", "subject:number1"], command: "UID STORE ", answer: "NO no flags"),
    Case(
      words: ["copy", "Archive", "subject:number1"],
      command: "UID COPY ",
      answer: "NO no room"
    ),
  ]

  @Test(arguments: cases)
  func afterTheThirdTime(_ table: Case) throws {
    let stage = try Stage.forTriage()
    let before = stage.shownHere
    let there = try stage.shownThere()
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.contains(table.command) ? .refused(table.answer) : .passed
    }
    try stage.configure(url: proxy.clearURL, isIndexed: true)
    var command = stage.program.command(table.words)
    command.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try command.run().code == 0)
    let after = stage.shownHere
    for _ in 1...2 {
      let refused = try stage.sync("test")
      #expect(refused.code == 1, "\(refused)")
      #expect(!refused.errors.contains("reverted locally"), "\(refused)")
      #expect(stage.shownHere == after)
    }
    let last = try stage.sync("test")
    #expect(last.code == 1 && last.errors.contains("reverted locally"), "\(last)")
    #expect(stage.shownHere == before)
    #expect(try stage.found("folder:INBOX and not tag:flagged") == 7)
    #expect(try stage.found("folder:Archive or folder:Trash") == 0)
    let log = try stage.magnumWell("log")
    #expect(log.output.contains("1 refused by the server"), "\(log)")
    #expect(try stage.magnumWell("log", "1").output.contains("refused: the server refused"))
    // Nothing is left to be asked for.
    let count = proxy.commands.count { $0.contains(table.command) }
    try stage.expectSettled()
    #expect(proxy.commands.count { $0.contains(table.command) } == count)
    #expect(try stage.shownThere() == there)
  }

  /// A person who changed the file since decides, and a change that another program made is nobody's to take back.
  @Test func onlyWhatAnActDidAndNobodyChangedSince() throws {
    let stage = try Stage.forTriage()
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.contains("UID MOVE ") ? .refused("NO [NOPERM] no") : .passed
    }
    try stage.configure(url: proxy.clearURL, isIndexed: true)
    try stage.magnumWell("archive", "subject:number1")
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.move("number2", to: "Archive", flags: "")
    for _ in 1...2 { #expect(try stage.sync("test").code == 1) }
    try LocalFolder(stage.maildir, "Archive").move("number1", to: "Junk", flags: "")
    for _ in 1...3 { #expect(try stage.sync("test").code == 1) }
    #expect(stage.shownHere.filter { !$0.hasPrefix("INBOX") } == ["Archive []", "Junk []"])
    try stage.configure(isIndexed: true)
    try stage.expectSettled()
    #expect(
      try stage.shownThere().filter { !$0.hasPrefix("INBOX") } == ["Archive []", "Junk []"]
    )
  }

  /// Access control of a real server: the user may not put anything into Archive.
  @Test func aMailboxThatTakesNothing() throws {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Junk": "\\Junk", "Archive": "\\Archive"]
    options.lines = [
      "mail_plugins = $mail_plugins acl", "plugin {", "  acl = vfile", "}",
    ]
    let stage = try Stage.forTriage(options)
    let folder = "\(stage.server.folder)/mail/\(stage.user)"
    try stage.reconnect {
      try Command.shell(
        """
        archive=$(find "$1" -type d -name '*Archive' | head -1)
        echo 'owner lrwstekxa' >"$archive/dovecot-acl"
        chown --reference="$archive" "$archive/dovecot-acl"
        """,
        [folder]
      )
    }
    let before = stage.shownHere
    try stage.magnumWell("archive", "subject:number1")
    var outcomes: [Outcome] = []
    for _ in 1...3 { outcomes.append(try stage.sync("test")) }
    #expect(
      outcomes[1].code == 1 && !outcomes[1].errors.contains("reverted locally"),
      "\(outcomes[1])"
    )
    #expect(outcomes[2].errors.contains("reverted locally"), "\(outcomes[2])")
    #expect(stage.shownHere == before)
    try stage.expectSettled()
  }

  /// A real server's quota: what does not fit waits until there is room, and each sync says so.
  @Test func aMailboxThatIsFull() throws {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Junk": "\\Junk", "Archive": "\\Archive"]
    options.lines = [
      "mail_plugins = $mail_plugins quota", "plugin {", "  quota = count:all",
      "  quota_vsizes = yes", "  quota_rule = *:messages=8", "  quota_grace = 0", "}",
    ]
    let stage = try Stage.forTriage(options)
    let before = stage.shownHere
    try stage.magnumWell("copy", "Archive", "subject:number1 or subject:number2")
    for _ in 1...4 {
      let refused = try stage.sync("test")
      #expect(refused.code == 1 && refused.errors.contains("Quota"), "\(refused)")
      #expect(stage.shownHere == (before + ["Archive []", "Archive []"]).sorted())
    }
    // A move takes no room.
    try stage.magnumWell("archive", "subject:number3")
    #expect(try stage.sync("test").code == 1)
    #expect(try stage.shownThere().count { $0 == "Archive []" } == 2)
    try stage.imap.select()
    try stage.imap.store("1", "+FLAGS (\\Deleted)")
    try stage.imap.command("EXPUNGE")
    try stage.settle()
    try stage.expectSettled()
    #expect(try stage.shownThere().count { $0 == "Archive []" } == 3)
  }

  @Test func programsAreToldToo() throws {
    let stage = try Stage.forTriage()
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      ["UID MOVE ", "UID COPY "].contains(where: line.contains) ? .refused("BAD what?") : .passed
    }
    try stage.configure(url: proxy.clearURL, isIndexed: true)
    try stage.magnumWell("archive", "subject:number1")
    let outcome = try stage.sync("--json")
    let line = outcome.lines.first { $0.contains("\"event\":\"returned\"") }
    #expect(line?.contains("\"act\":1,\"command\":\"archive subject:number1\"") == true)
  }
}
