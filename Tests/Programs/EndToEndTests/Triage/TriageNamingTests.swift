import TestSupport
import Testing

/// Which messages, and which copies of them, a command means by what it is given.
@Suite struct TriageNamingTests {
  /// The lines of a search.
  private func search(_ stage: Stage, _ words: String...) throws -> [String] {
    var command = stage.program.command(words)
    command.program = "\(ProgramUnderTest.products)/magnum-search"
    return try command.run().lines
  }

  /// Who wrote a message does not choose what is done to others.
  @Test func standardInputNamesFilesMessagesAndThreadsAlone() throws {
    let stage = try Stage.forTriage()
    let subject = "cheap or subject:number1 or pills"
    let text = "Message-ID: <spam@x>\r\nFrom: spam@x\r\nSubject: \(subject)\r\n\r\ntext\r\n"
    let quoted = "Message-ID: <two words@x>\r\nFrom: spam@x\r\nSubject: quoted\r\n\r\ntext\r\n"
    try stage.imap.append([Array(text.utf8), Array(quoted.utf8)])
    try stage.settle()
    let before = TreeSnapshot(stage.maildir)
    let summary = try #require(try search(stage, "id:spam@x").first)
    #expect(summary.contains(subject), "\(summary)")
    let id = "id:spam@x"
    for line in [
      summary, subject, "subject:number1", "\(id) or subject:number1", "\(id) subject:cheap",
      "\(id) -", "mid:/spam/", "*", "thread:{\(id)}", "-\(id)", "\(id)\n\(summary)",
    ] {
      let outcome = try stage.magnum("delete", "-", input: "\(line)\n")
      #expect(
        outcome.code == 65 && outcome.errors.contains("--output=files"),
        "\(line): \(outcome)"
      )
    }
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
    let thread = try #require(try search(stage, "--output=threads", id).first)
    try stage.magnumWell("flag", "-", input: "\(thread)\n")
    #expect(try stage.found("tag:flagged") == 1)
    let name = try #require(try search(stage, "--output=messages", "subject:quoted").first)
    try stage.magnumWell("delete", "-", input: "\(id)\n\(name)\n")
    #expect(try stage.found("folder:Trash") == 2 && stage.found("folder:INBOX") == 7)
  }

  /// A message in INBOX, Lists/a and Junk, and a query that names one of the copies.
  @Test(arguments: [
    ("path:Junk/**", "Junk"), ("path:Junk", "Junk"), ("path:Junk/cur", "Junk"),
    ("path:test/Lists/**", "Lists/a"), ("folder:/^Li/", "Lists/a"), ("path:/unk$/", "Junk"),
    ("file:twin", "Junk"), ("folder:Junk subject:twin", "Junk"), ("tag:inbox", "INBOX"),
    ("folder:Junk and -folder:Archive", "Junk"), ("path:** file:twin", "Junk"),
  ])
  func aQueryNamesACopy(_ query: String, _ folder: String) throws {
    let stage = try Stage.forTriage()
    for (folder, base) in [("INBOX", "one"), ("Lists/a", "two"), ("Junk", "twin")] {
      try LocalFolder(stage.maildir, folder).add(base, mail("twin"), flags: "S")
    }
    try stage.magnumWell("index")
    let all = ["INBOX", "Junk", "Lists/a"]
    #expect(try places(stage) == all)
    let id = try #require(try search(stage, "--output=messages", "subject:twin").first)
    try stage.magnumWell("delete", "(\(query)) and \(id)")
    #expect(try places(stage) == (all.filter { $0 != folder } + ["Trash"]).sorted())
  }

  /// Where the copies of the message lie.
  private func places(_ stage: Stage) throws -> [String] {
    try search(stage, "--output=files", "subject:twin").map { path in
      path.dropFirst(stage.maildir.count + 1).split(separator: "/").dropLast(2)
        .joined(separator: "/")
    }.sorted()
  }

  @Test(arguments: [
    "folder:Junk or subject:twin", "folder:Junk xor folder:INBOX", "not (-path:Junk)",
    "file:1.x or subject:twin", "not (subject:nothing or not folder:Junk)",
  ])
  func aQueryDoesNotSayWhichCopyItNames(_ query: String) throws {
    let stage = try Stage.forTriage()
    try stage.imap.append([mail("twin")], to: "Junk")
    try stage.settle()
    let before = TreeSnapshot(stage.maildir)
    let outcome = try stage.magnum("delete", query)
    #expect(outcome.code == 65 && outcome.errors.contains("--folder"), "\(outcome)")
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
    // What marks messages means all copies.
    try stage.magnumWell("flag", query)
    try stage.magnumWell("delete", "--folder", "Junk", query)
  }

  /// All copies are meant then, those among them that the query names also in Junk, and no others there: not those that it
  /// names in a part which does not find the message.
  @Test(arguments: [
    ("folder:Junk or subject:twin", true),
    ("folder:Lists/a or (subject:twin and -folder:Nowhere)", false),
    ("folder:Lists/a or (subject:twin and (from:nobody or -folder:Nowhere))", false),
    ("folder:Junk and from:nobody or subject:twin", false),
    ("subject:twin and (folder:Junk and from:nobody or -folder:Nowhere)", false),
    ("folder:Junk and from:nobody or folder:Lists/a or folder:INBOX", false),
  ])
  func allCopiesAreMeant(_ query: String, takesJunk: Bool) throws {
    let stage = try Stage.forTriage()
    for (folder, base) in [("INBOX", "one"), ("Lists/a", "two"), ("Junk", "three")] {
      try LocalFolder(stage.maildir, folder).add(base, mail("twin"), flags: "S")
    }
    try stage.magnumWell("index")
    #expect(try stage.magnum("delete", query).code == 65)
    try stage.magnumWell("delete", "--all-copies", query)
    let kept = takesJunk ? [] : ["Junk"]
    #expect(try places(stage) == (kept + Array(repeating: "Trash", count: 3 - kept.count)).sorted())
  }

  /// Each of them has its newest message in another folder.
  @Test(arguments: [false, true])
  func severalThreadsAtOnce(areNamed: Bool) throws {
    let stage = try Stage.forTriage()
    try LocalFolder(stage.maildir, "INBOX").add("one", mail("alpha"), flags: "S")
    try LocalFolder(stage.maildir, "Lists/a").add("two", mail("beta"), flags: "S")
    try stage.magnumWell("index")
    let query = "subject:alpha or subject:beta"
    let names = try search(stage, "--output=threads", query)
    #expect(names.count == 2)
    let threads = areNamed ? names.joined(separator: " or ") : "thread:{\(query)}"
    let outcome = try stage.magnumWell("archive", threads)
    #expect(outcome.output.hasPrefix("2 messages archived"), "\(outcome)")
    #expect(try stage.found("folder:Archive") == 2)
  }

  /// A message that two accounts have is one, and it is asked which of its files is meant.
  @Test func copiesInSeveralAccounts() throws {
    let stage = try Stage.forTriage()
    let other = "[account.other]\nmaildir = \"~/Mail/other\"\nindex = true\n"
    try stage.configure(sync: other, isIndexed: true)
    let root = stage.program.home["Mail/other"]
    try LocalFolder(stage.maildir, "INBOX").add("one", mail("twin"), flags: "S")
    try LocalFolder(root, "Lists").add("two", mail("twin"), flags: "S")
    try stage.magnumWell("index")
    let id = try #require(try search(stage, "--output=messages", "subject:twin").first)
    for words in [["delete"], ["move", "Archive"]] {
      var command = stage.program.command(words + [id])
      command.program = "\(ProgramUnderTest.products)/magnum"
      let unclear = try command.run()
      #expect(unclear.code == 65, "\(unclear)")
      #expect(unclear.errors.contains("test/INBOX, other/Lists"), "\(unclear)")
    }
    let flagged = try stage.magnumWell("flag", id)
    #expect(flagged.output.hasPrefix("1 message flagged"), "\(flagged)")
    try stage.magnumWell("delete", "--folder", "other/Lists", id)
    #expect(try stage.found("folder:other/Trash and \(id)") == 1)
    #expect(try stage.found("folder:test/INBOX and \(id)") == 1)
  }

  /// As when a mail program opens a message that is then archived from there: no index was written in between.
  @Test func aFileThatGotAnotherNameSinceIsFoundAsItIs() throws {
    let stage = try Stage.forTriage()
    try LocalFolder(stage.maildir, "INBOX").setFlags(on: "number1", "S")
    try stage.magnumWell("archive", "subject:number1")
    #expect(try stage.found("tag:inbox subject:number1") == 0)
    #expect(try stage.found("folder:Archive is:read subject:number1") == 1)
    try stage.magnumWell("flag", "subject:number1")
    try stage.magnumWell("undo")
    try stage.magnumWell("undo")
    #expect(try stage.found("folder:INBOX subject:number1") == 1)
  }

  /// Two messages in two folders whose files bear one name.
  @Test func tagsOfAnotherMessageAreNotReplaced() throws {
    let stage = try Stage.forTriage()
    for (folder, id) in [("INBOX", "b@x"), ("Archive", "a@x")] {
      try LocalFolder(stage.maildir, folder)
        .add("same", Array("Message-ID: <\(id)>\nSubject: same\n\ntext\n".utf8), flags: "")
    }
    try stage.magnumWell("index")
    try stage.magnumWell("tag", "+private", "id:a@x")
    try stage.magnumWell("tag", "+other", "id:b@x")
    let archived = try stage.magnum("archive", "id:b@x")
    #expect(
      archived.code == 1 && archived.errors.contains("/Archive has another file of this name"),
      "\(archived)"
    )
    #expect(try stage.found("id:a@x tag:private -tag:other folder:Archive") == 1)
    #expect(try stage.found("id:b@x tag:other -tag:private folder:INBOX") == 1)
  }

  /// A Message-ID that looks like a regular expression names its message alone.
  @Test func anOddMessageIDNamesOneMessage() throws {
    let stage = try Stage.forTriage()
    let text = "Message-ID: </./>\r\nFrom: spam@x\r\nSubject: spam\r\n\r\ntext\r\n"
    try stage.imap.append([Array(text.utf8)])
    try stage.settle()
    let name = try #require(try search(stage, "--output=messages", "subject:spam").first)
    #expect(try stage.found(name) == 1)
    try stage.magnumWell("delete", "-", input: "\(name)\n")
    #expect(stage.shownHere.count { $0.hasPrefix("Trash") } == 1)
  }

  /// Who writes a message chooses its Message-ID, and not what is done to the one that had it before.
  @Test func aMessageIDOfTwoMessagesNamesNone() throws {
    let stage = try Stage.forTriage()
    let texts = ["good", "spam"].map {
      Array("Message-ID: <a@x>\r\nFrom: \($0)@x\r\nSubject: \($0)\r\n\r\n\($0)\r\n".utf8)
    }
    try stage.imap.append(texts)
    try stage.settle()
    let name = try #require(try search(stage, "--output=messages", "from:spam").first)
    for command in ["delete", "archive"] {
      let outcome = try stage.magnum(command, "-", input: "\(name)\n")
      #expect(outcome.code == 65 && outcome.errors.contains("2 messages"), "\(outcome)")
    }
    #expect(try stage.found("folder:INBOX id:a@x") == 2)
    try stage.magnumWell("delete", "from:spam")
    #expect(try stage.found("folder:INBOX id:a@x") == 1)
    try stage.magnumWell("delete", "--all-copies", "id:a@x")
    #expect(try stage.found("folder:INBOX id:a@x") == 0)
  }
}
