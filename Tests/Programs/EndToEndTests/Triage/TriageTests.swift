import TestSupport
import Testing

/// What people do to messages is seen at once here, and after the next sync on the server, once.
@Suite struct TriageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    /// What is there before; of two messages besides, in INBOX and Archive, nothing changes.
    var before = "INBOX []"
    var after: [String]

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let cases = [
    Case(words: ["read"], after: ["INBOX [S]"]),
    Case(words: ["unread"], before: "INBOX [S]", after: ["INBOX []"]),
    Case(words: ["flag"], after: ["INBOX [F]"]),
    Case(words: ["unflag"], before: "INBOX [FS]", after: ["INBOX [S]"]),
    Case(words: ["archive"], before: "INBOX [S]", after: ["Archive [S]"]),
    Case(words: ["delete"], after: ["Trash []"]),
    Case(words: ["delete"], before: "INBOX [FST]", after: ["Trash [FS]"]),
    Case(words: ["delete", "--expunge"], before: "Trash [S]", after: []),
    Case(words: ["move", "Archive"], before: "Junk [S]", after: ["Archive [S]"]),
    Case(words: ["move", "INBOX"], before: "Archive [S]", after: ["INBOX [S]"]),
    Case(words: ["copy", "Archive"], before: "INBOX [F]", after: ["Archive [F]", "INBOX [F]"]),
    Case(words: ["junk"], after: ["Junk []"]),
    Case(words: ["notjunk"], before: "Junk [S]", after: ["INBOX [S]"]),
  ]

  /// By an id, by a file, or by lines of both; with the server at hand when the command runs, or not.
  @Test(arguments: cases, Turn.part(of: ["id", "file", "lines"]))
  func aCommandOnOneMessage(_ table: Case, by way: String) throws {
    let stage = try Stage.forTriage()
    let words = table.before.split(separator: " ")
    let letters: [Character: String] = ["F": "\\Flagged", "S": "\\Seen", "T": "\\Deleted"]
    let flags = words[1].compactMap { letters[$0] }.joined(separator: " ")
    try stage.imap.append([mail("it")], to: String(words[0]), flags: flags)
    try stage.settle()
    let others = try stage.shownThere()
    let id = "id:6974@example.org"
    try #require(try stage.found(id) == 1)
    // The rest of it works without any server.
    try stage.configure(url: "imap+plain://127.0.0.1:1", isIndexed: true)
    var search = stage.program.command(["--output", "files", id])
    search.program = "\(ProgramUnderTest.products)/magnum-search"
    let file = String(try search.run().output.dropLast())
    let named = ["id": id, "file": file, "lines": "-"][way] ?? ""
    var command = stage.program.command(table.words + ["--folder", String(words[0]), named])
    if way != "id" { command.arguments.removeAll { $0 == "--folder" || $0 == String(words[0]) } }
    if way != "id", table.words.first == "move" { command.arguments = table.words + [named] }
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.input = Array("\(file)\n\n".utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    var expected = others
    expected.remove(at: try #require(expected.firstIndex(of: table.before)))
    expected = (expected + table.after).sorted()
    #expect(stage.shownHere == expected)
    for place in table.after {
      let folder = place.split(separator: " ")[0]
      #expect(try stage.found("\(id) folder:\(folder)") == 1, "\(place)")
    }
    #expect(try stage.found(id) == (table.after.isEmpty ? 0 : 1))
    #expect(try stage.shownThere() == others)
    try stage.configure(isIndexed: true)
    try stage.expectSettled("", ["--allow-mass-delete", "test/Trash"])
    #expect(try stage.shownThere() == expected)
    #expect(stage.shownHere == expected)
  }

  /// What the server still has elsewhere is not deleted for good: it would go to Trash there, and come back.
  @Test(arguments: ["delete", "by a client"])
  func whatTheServerHasElsewhereIsNotGoneForGood(_ way: String) throws {
    let stage = try Stage.forTriage()
    try stage.imap.append([mail("it")])
    try stage.settle()
    let id = "id:6974@example.org"
    try #require(try stage.found(id) == 1)
    if way == "delete" {
      try stage.magnumWell("delete", id)
    } else {
      try LocalFolder(stage.maildir, "INBOX").move("it", to: "Trash", flags: "S")
    }
    let file = try #require(Files.names(in: "\(stage.maildir)/Trash/cur").first)
    let path = "\(stage.maildir)/Trash/cur/\(String(decoding: file, as: UTF8.self))"
    let before = TreeSnapshot(stage.maildir)
    let early = try stage.magnum("delete", "--expunge", path)
    #expect(early.code == 75 && early.errors.contains("in INBOX until"), "\(early)")
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
    try stage.settle()
    try stage.magnumWell("delete", "--expunge", path)
    try stage.expectSettled("", ["--allow-mass-delete", "test/Trash"])
    #expect(try stage.found(id) == 0)
    #expect(try stage.shownThere() == stage.shownHere)
  }

  /// What never was on the server is gone at once.
  @Test func whatNoServerHasIsGoneForGood() throws {
    let stage = try Stage.forTriage()
    try LocalFolder(stage.maildir, "Trash").add("1800000000.own.here", mail("own"), flags: "S")
    let file = "\(stage.maildir)/Trash/cur/1800000000.own.here:2,S"
    try stage.magnumWell("delete", "--expunge", file)
    #expect(!Files.exists(file))
    try stage.expectSettled()
    #expect(try stage.found("subject:own") == 0)
  }

  /// What is where it is meant to be is no mistake.
  @Test func whatIsThereAlready() throws {
    let stage = try Stage.forTriage()
    let id = "id:6e756d62657231@example.org"
    try #require(try stage.found(id) == 1)
    for words in [["notjunk", id], ["move", "INBOX", id]] {
      var command = stage.program.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum"
      let outcome = try command.run()
      #expect(
        outcome.code == 0 && outcome.output.hasPrefix("nothing to do"),
        "\(words): \(outcome)"
      )
    }
    try stage.magnumWell("archive", id)
    #expect(try stage.magnumWell("archive", id).output.hasPrefix("nothing to do"))
    try stage.magnumWell("delete", id)
    let twice = try stage.magnum("delete", id)
    #expect(twice.code == 65 && twice.errors.contains("--expunge"), "\(twice)")
    let nowhere = try stage.magnum("move", "", id)
    #expect(nowhere.code == 64 && nowhere.errors.contains("no folder is given"), "\(nowhere)")
  }

  @Test func allThatAQueryFinds() throws {
    let stage = try Stage.forTriage()
    try stage.imap.append((1...1000).map { mail("many number\($0)") })
    try stage.settle()
    let unasked = try stage.magnum("archive", "subject:many")
    #expect(unasked.code == 64 && unasked.errors.contains("--yes"), "\(unasked)")
    #expect(try stage.found("folder:INBOX") == 1007)
    try stage.magnumWell("read", "--yes", "subject:many")
    #expect(try stage.found("folder:INBOX and tag:unread") == 7)
    try stage.magnumWell("archive", "--yes", "subject:many")
    #expect(try stage.found("folder:INBOX") == 7)
    #expect(try stage.found("folder:Archive") == 1000)
    try stage.expectSettled()
    let there = try stage.shownThere()
    #expect(there.count { $0 == "Archive [S]" } == 1000 && there.count == 1007)
  }

  /// Of a thread what lies beside its newest message that was received, unless all of it is meant.
  @Test func aThread() throws {
    let stage = try Stage.forTriage()
    func answer(_ number: Int) -> [UInt8] {
      Array(
        "Message-ID: <t\(number)@x>\r\nReferences: <t1@x>\r\nSubject: talk\r\n\r\n\(number)\r\n"
          .utf8
      )
    }
    try stage.imap.append([answer(1), answer(3)])
    try stage.imap.create("Sent")
    try stage.imap.append([answer(2)], to: "Sent", flags: "\\Seen")
    try stage.imap.append([answer(4)], to: "Trash", flags: "\\Seen")
    try stage.settle()
    try stage.magnumWell("archive", "thread:{id:t2@x}")
    #expect(stage.shownHere.filter { $0.hasPrefix("Archive") }.count == 2)
    #expect(stage.shownHere.contains("Sent [S]") && stage.shownHere.contains("Trash [S]"))
    try stage.magnumWell("flag", "thread:{id:t2@x}")
    #expect(try stage.found("tag:flagged") == 4)
    try stage.expectSettled()
    #expect(
      try stage.shownThere().filter { $0.contains("F") } == [
        "Archive [F]", "Archive [F]", "Sent [FS]", "Trash [FS]",
      ]
    )
  }

  @Test func aMessageInSeveralFoldersIsAskedAbout() throws {
    let stage = try Stage.forTriage()
    try stage.imap.append([mail("twin")])
    try stage.imap.create("Work")
    try stage.imap.append([mail("twin")], to: "Work")
    try stage.settle()
    let unclear = try stage.magnum("delete", "subject:twin")
    #expect(unclear.code == 65 && unclear.errors.contains("INBOX, Work"), "\(unclear)")
    try stage.magnumWell("delete", "folder:Work subject:twin")
    try stage.magnumWell("archive", "subject:twin")
    #expect(stage.shownHere.filter { !$0.hasPrefix("INBOX") } == ["Archive []", "Trash []"])
    try stage.expectSettled()
    #expect(try stage.shownThere() == stage.shownHere)
  }

  /// Whatever another client does at the same time, nothing is lost or doubled, and what does not contradict is kept.
  @Test(arguments: ["UID MOVE", "UID STORE"])
  func anotherClientChangesTheSameMessages(before words: String) throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("archive", "subject:number1")
    try stage.magnumWell("flag", "subject:number2")
    try stage.magnumWell("delete", "subject:number3")
    _ = try stage.sync(before: words, sync: "") { imap in
      try imap.select()
      try imap.store("1:3", "+FLAGS (\\Answered)")
      try imap.move("1", to: "Junk")
      try imap.expunge("3")
    }
    try stage.configure(isIndexed: true)
    try stage.expectSettled()
    let there = try stage.shownThere()
    #expect(there == stage.shownHere)
    #expect(there.contains("INBOX [FR]"), "\(there)")
    #expect(there.count == 6 || there.count == 7, "\(there)")
  }

  @Test func whatCannotBeDoneChangesNothing() throws {
    let stage = try Stage.forTriage()
    let before = TreeSnapshot(stage.maildir)
    let cases: [([String], Int32, String)] = [
      (["read", "subject:nothing"], 1, "no message found"),
      (["read", "subject:("], 65, "query"),
      (["read", "\(stage.maildir)/INBOX/cur/1.a"], 66, "the file is gone"),
      (["move", "Archiv", "subject:number1"], 65, "Archive"),
      (["delete", "--expunge", "subject:number1"], 1, "Trash"),
      (["read", ""], 64, "no message is named"),
      (["read", stage.program.home[".config/magnum/config.toml"]], 65, "no folder of an account"),
      (["archive", "--account", "nobody", "*"], 64, "nobody"),
    ]
    for (words, code, text) in cases {
      var command = stage.program.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum"
      command.timeLimit = 5
      let outcome = try command.run()
      #expect(outcome.code == code && outcome.errors.contains(text), "\(words): \(outcome)")
    }
    let dry = try stage.magnum("archive", "-n", "*")
    #expect(dry.code == 0 && dry.output.contains("test/INBOX  id:"), "\(dry)")
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
    #expect(!Files.exists(stage.program.home[".local/state/magnum/journal"]))
  }

  /// The index still has a file that another program removed.
  @Test(arguments: ["copy Archive", "delete", "flag"])
  func aFileThatIsGoneIsNamed(_ words: String) throws {
    let stage = try Stage.forTriage()
    try Command.shell("rm -f \"$1\"/INBOX/*/*", [stage.maildir])
    let all = words.split(separator: " ").map { "\($0)" } + ["subject:number1"]
    var command = stage.program.command(all)
    command.program = "\(ProgramUnderTest.products)/magnum"
    let outcome = try command.run()
    #expect([1, 66].contains(outcome.code), "\(outcome)")
    #expect(outcome.errors.contains("the file is no longer there"), "\(outcome)")
  }

  @Test func aMailboxThatIsNotMirroredIsNoPlaceToMoveTo() throws {
    let stage = try Stage.forTriage()
    try stage.configure(sync: "exclude = [\"Archive\"]", isIndexed: true)
    let outcome = try stage.magnum("archive", "subject:number1")
    #expect(outcome.code == 65 && outcome.errors.contains("not mirrored"), "\(outcome)")
  }

  /// Mailboxes that the server has for archive, Trash, Junk and drafts, whatever their names.
  @Test func foldersAreForWhatTheServerSays() throws {
    var options = DovecotOptions()
    let names = ["Papierkorb": "\\Trash", "Spamverdacht": "\\Junk", "Archiv": "\\Archive"]
    options.specialUse = names.merging(["Entwurf": "\\Drafts"]) { own, _ in own }
    let stage = try Stage.forTriage(options)
    for (command, folder) in [
      ("delete", "Papierkorb"), ("archive", "Archiv"), ("junk", "Spamverdacht"),
    ] {
      let outcome = try stage.magnum(command, "--json", "subject:number1")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(stage.tree[OctetName(folder)].count == 1, "\(outcome)")
      try stage.magnumWell("undo")
    }
    let file = stage.program.home[".config/magnum/config.toml"]
    let sending = "[account.test]\naddress = \"me@x.test\"\nsmtp = \"smtp+plain://127.0.0.1:1\"\n"
    let text = Files.text(file) ?? ""
    try stage.program.configure(text.replacing("[account.test]\n", with: sending))
    // What a server said still counts, though the file with the password has changed.
    let draft = try stage.magnum("compose", "-s", "later", "--draft")
    #expect(draft.code == 0 && stage.tree["Entwurf"].count == 1, "\(draft)")
    try stage.syncWell()
    #expect(try stage.imap.everything()["Entwurf"]?.count == 1)
  }
}
