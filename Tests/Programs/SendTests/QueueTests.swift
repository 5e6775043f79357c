import TestSupport
import Testing

/// What a person does with the queue.
@Suite struct QueueTests {
  private let stage: SendStage
  private let magnum: String

  init() throws {
    stage = try SendStage()
    magnum = "\(ProgramUnderTest.products)/magnum"
  }

  private func queue(_ arguments: String..., input: String = "") throws -> Outcome {
    var command = stage.command(input, ["queue"] + arguments)
    command.program = magnum
    return try command.run()
  }

  @Test func failedEntriesAreTriedAgainWhenAPersonSaysSo() throws {
    _ = try stage.send("Subject: 1\n\n", "p550@x.test", "a@x.test")
    let entry = try #require(stage.entries("failed").first)
    let list = try queue("list")
    #expect(list.lines.count == 2 && list.lines[0].hasPrefix("\(entry)  failed  work  "), "\(list)")
    #expect(list.lines[0].hasSuffix("me@x.test to p550@x.test: 1"))
    #expect(list.lines[1] == "    550 5.1.1 no such user (to RCPT)")
    #expect(try queue("hold", entry).code == 1, "it is not in the queue")
    #expect(try queue("retry", String(entry.suffix(6))).code == 0)
    #expect(stage.entries("queue") == [entry])
    let flush = try queue("flush")
    #expect(flush.code == 1 && flush.lines == ["work  0 sent  0 waiting"], "\(flush)")
    #expect(stage.entries("failed") == [entry])
    #expect(stage.sink.messages.map(\.to) == [["<a@x.test>"]], "who has it does not get it again")
  }

  /// However they are offered to the server, and whenever each was to be tried again.
  @Test func aPersonWaitsForNoRecipient() throws {
    let recipients = ["t450@x.test", "t450\u{fc}@x.test", "t450b@x.test"]
    #expect(try stage.command("Subject: a\n\n", recipients).run().code == 0)
    let offers = { stage.sink.commands.count { $0.hasPrefix("RCPT TO:<t450") } }
    #expect(offers() == 3)
    _ = try queue("flush")
    #expect(offers() == 6)
  }

  @Test func entriesAreHeldReleasedAndDiscarded() throws {
    for number in 1...2 { _ = try stage.send("Subject: \(number)\n\n", "--no-try", "a@x.test") }
    let entries = stage.entries("queue")
    #expect(try queue("hold", entries[0], entries[1]).code == 0)
    try stage.flush()
    #expect(stage.sink.messages.isEmpty && stage.entries("hold") == entries)
    #expect(try queue("release", entries[1]).code == 0)
    #expect(try queue("discard", entries[0]).code == 0)
    #expect(try queue("discard", entries[0]).errors.contains("no such entry"))
    #expect(try queue("flush", "work").lines == ["work  1 sent  0 waiting"])
    #expect(stage.subjects == ["2"])
    for state in ["queue", "hold", "failed"] { #expect(stage.entries(state) == []) }
    #expect(try queue("flush", "home").code == 64)
    let slip = try queue("flsh")
    #expect(slip.code == 64 && slip.errors.contains("unknown account or subcommand"), "\(slip)")
    #expect(try queue("list", "work").code == 0)
  }

  /// A slip destroys nothing: too little of a name is refused, and what was discarded can be put back where it stood.
  @Test(arguments: ["queue", "failed", "hold"])
  func whatWasDiscardedCanBePutBack(_ state: String) throws {
    let recipient = state == "failed" ? "p550@x.test" : "a@x.test"
    let way = state == "failed" ? "--wait" : "--no-try"
    _ = try stage.send("Subject: =?utf-8?q?caf=C3=A9?=\n\n", way, recipient, "t450@x.test")
    let entry = try #require(stage.entries(state == "failed" ? "failed" : "queue").first)
    if state == "hold" { #expect(try queue("hold", entry).lines[0].hasPrefix("held \(entry)  ")) }
    for slip in ["1", String(entry.suffix(5))] {
      let refused = try queue("discard", slip)
      #expect(
        refused.code == 64 && refused.errors.contains("is too short to discard"),
        "\(refused)"
      )
    }
    #expect(stage.entries(state).contains(entry))
    let outcome = try queue("discard", String(entry.suffix(6)))
    #expect(outcome.code == 0 && outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.lines[0].hasPrefix("discarded \(entry)  me@x.test to \(recipient)"))
    #expect(outcome.lines[0].hasSuffix(": café"), "\(outcome)")
    #expect(outcome.errors.contains("magnum queue undiscard \(entry)"), "\(outcome)")
    try stage.flush()
    #expect(stage.entries("discarded") == [entry] && !stage.entries(state).contains(entry))
    #expect(try queue("discard", entry).errors.contains("no such entry"))
    #expect(
      try queue("list", "--discarded").lines.first?.hasPrefix("\(entry)  discarded ") ?? false
    )
    let back = try queue("undiscard", String(entry.suffix(6)))
    #expect(back.code == 0 && back.lines[0].hasPrefix("put back \(entry)  "), "\(back)")
    #expect(stage.entries(state).contains(entry) && stage.entries("discarded") == [])
    #expect(stage.log(of: entry).contains(" discarded \(state)\n"))
  }

  @Test func whatWasDiscardedADayAgoIsGone() throws {
    _ = try stage.send("Subject: a\n\n", "--no-try", "a@x.test")
    let entry = stage.entries("queue")[0]
    #expect(try queue("discard", "-q", entry).output == "")
    let clock = try stage.program.home.write("86000", to: "clock")
    try stage.flush(variables: try Preload.variables(clock: clock))
    #expect(stage.entries("discarded") == [entry] && stage.entries("log") == [entry])
    try stage.program.home.write("87000", to: "clock")
    try stage.flush(variables: try Preload.variables(clock: clock))
    #expect(stage.entries("discarded") == [] && stage.entries("log") == [])
    #expect(stage.sink.messages.isEmpty)
    #expect(try queue("undiscard", entry).errors.contains("no such entry"))
  }

  @Test func theListSaysWhenTheNextAttemptIs() throws {
    _ = try stage.send("Subject: a\n\n", "t450@x.test")
    let list = try queue("list")
    let words = list.lines.last?.split(separator: ";").map { "\($0)" } ?? []
    #expect(words.first == "    450 4.2.0 later (to RCPT)", "\(list)")
    #expect(words.last?.hasPrefix(" next attempt in ") ?? false, "\(list)")
    let value = try ParsedJSON(try #require(try queue("list", "--json").lines.first))
    #expect(value["subject"]?.text == "a" && value["not-before"]?.text?.hasPrefix("20") ?? false)
  }

  @Test func anEntryIsChangedInItsPlace() throws {
    _ = try stage.send("Subject: 1\n\n", "--no-try", "p550@x.test")
    _ = try stage.send("Subject: 2\n\n", "--no-try", "b@x.test")
    let first = stage.entries("queue")[0]
    #expect(try queue("edit", "--message", "-", "--to", "a b@x.test", first).code == 65)
    let other = try queue(
      "edit",
      "--to",
      "a@x.test",
      "--message",
      "-",
      first,
      input: "Subject: new\n\n"
    )
    #expect(other.code == 0 && other.lines.first?.prefix(17) == first.prefix(17), "\(other)")
    #expect(other.errors.contains("magnum queue flush work"), "\(other)")
    try stage.flush()
    #expect(stage.subjects == ["new", "2"])
    #expect(stage.sink.messages.map(\.to) == [["<a@x.test>"], ["<b@x.test>"]])
  }

  /// What leaves by another way than magnum-send is made ready as it does.
  @Test func aNewVersionIsPreparedLikeAnyMessage() throws {
    try stage.program.home.write("bob: bob@y.test\n", to: ".config/magnum/aliases")
    func edit(_ message: String, _ arguments: String...) throws -> SMTPSink.Message {
      stage.sink.clear()
      _ = try stage.send("Message-ID: <1@x.test>\nSubject: old\n\n", "--no-try", "a@x.test")
      let entry = try #require(stage.entries("queue").first)
      let file = try stage.program.home.write(message, to: "new")
      var command = stage.command("", ["queue", "edit", "--message", file] + arguments + [entry])
      command.program = magnum
      let outcome = try command.run()
      #expect(outcome.code == 0, "\(outcome)")
      try stage.flush()
      return try #require(stage.sink.messages.first)
    }
    let hidden = try edit("Bcc: secret@x.test\nSubject: new\n\ntext\n")
    #expect(!hidden.text.lowercased().contains("bcc") && !hidden.text.contains("secret"))
    #expect(hidden.to == ["<a@x.test>"] && hidden.text.contains("Message-ID: <1@x.test>\n"))
    let bare = try edit("no header at all\n")
    for field in ["From: ", "Date: ", "Message-ID: <1@x.test>\n"] {
      #expect(bare.text.contains(field), "\(bare.text)")
    }
    #expect(bare.text.hasSuffix("\n\nno header at all\n"))
    #expect(try edit("Subject: a\n\n", "--to", "bob").to == ["<bob@y.test> ORCPT=rfc822;bob"])
    #expect(try edit("Subject: a\n\n10%\r20%\n").text.contains("10%=0D20%"))
    _ = try stage.send("Subject: old\n\n", "--no-try", "a@x.test")
    let entry = try #require(stage.entries("queue").first)
    let refused = try queue("edit", "--to", "unheard-of", entry)
    #expect(refused.code == 67 && refused.errors.contains("no alias for unheard-of"), "\(refused)")
    #expect(stage.entries("queue") == [entry])
  }

  @Test func anEntryIsChangedInAnEditor() throws {
    _ = try stage.send("Subject: old\n\ntext\n", "--no-try", "a@x.test")
    let entry = stage.entries("queue")[0]
    let identifier = try queue("show", "--raw", entry).lines.first { $0.hasPrefix("Message-ID") }
    func edit(_ editor: String) throws -> Outcome {
      var command = stage.command("", ["queue", "edit", entry], ["EDITOR": editor])
      command.program = magnum
      return try command.run()
    }
    #expect(try edit("false").code == 1)
    #expect(try edit("true").errors.contains("nothing is changed"))
    #expect(stage.entries("queue") == [entry])
    let outcome = try edit("sed -i -e s/old/new/")
    #expect(outcome.code == 0 && outcome.lines.count == 1, "\(outcome)")
    #expect(outcome.lines == stage.entries("queue"))
    try stage.flush()
    #expect(stage.subjects == ["new"])
    #expect(stage.sink.messages[0].text.contains(try #require(identifier)))
  }

  /// What a person writes is not lost where the editor fails after it saved, or leaves a file of its own with what was not saved.
  @Test(arguments: ["echo new text >>\"$1\"", "echo unsaved >\"$1.swp\"", "true"])
  func whatAnEditorLeavesThatFailsIsKept(_ work: String) throws {
    _ = try stage.send("Subject: old\n\ntext\n", "--no-try", "a@x.test")
    let entry = stage.entries("queue")[0]
    let script = "#!/bin/sh\n\(work)\nexit 1\n"
    let editor = try stage.program.home.write(script, to: "editor", mode: 0o755)
    let temporary = stage.program.home["tmp"]
    try Files.makeDirectories(temporary)
    let variables = ["EDITOR": editor, "TMPDIR": temporary]
    var edit = stage.command("", ["queue", "edit", entry], variables)
    edit.program = magnum
    let outcome = try edit.run()
    #expect(outcome.code == 1 && outcome.errors.contains("the editor failed"), "\(outcome)")
    #expect(stage.entries("queue") == [entry])
    let kept = Files.names(in: temporary).map { String(decoding: $0, as: UTF8.self) }
    guard work != "true" else {
      #expect(kept == [] && !outcome.errors.contains("kept"), "\(outcome)")
      return
    }
    let directory = "\(temporary)/\(try #require(kept.first))"
    let file = "\(directory)/message.eml"
    #expect(outcome.errors.contains("the edited message is kept in \(file)\n"), "\(outcome)")
    let isSaved = Files.text(file)?.hasSuffix("new text\n") ?? false
    #expect(isSaved || Files.text("\(file).swp") == "unsaved\n")
  }

  /// What a person writes is not lost where the queue went on meanwhile.
  @Test(arguments: ["hold", "flush"])
  func anEntryMovesWhileItIsEdited(_ command: String) throws {
    _ = try stage.send("Subject: old\n\ntext\n", "--no-try", "a@x.test")
    let entry = stage.entries("queue")[0]
    let words = command == "hold" ? "hold \(entry)" : "flush"
    let editor = try stage.program.home.write(
      "#!/bin/sh\necho new text >> \"$1\"\n'\(magnum)' queue \(words) >/dev/null\n",
      to: "editor",
      mode: 0o755
    )
    let temporary = stage.program.home["tmp"]
    try Files.makeDirectories(temporary)
    let variables = ["EDITOR": editor, "TMPDIR": temporary]
    var edit = stage.command("", ["queue", "edit", entry], variables)
    edit.program = magnum
    let outcome = try edit.run()
    let kept = Files.names(in: temporary).map { String(decoding: $0, as: UTF8.self) }
    if command == "hold" {
      #expect(outcome.code == 0 && outcome.lines == stage.entries("queue"), "\(outcome)")
      #expect(stage.entries("hold") == [] && kept == [])
    } else {
      #expect(outcome.code == 1, "\(outcome)")
      let file = "\(temporary)/\(try #require(kept.first))/message.eml"
      #expect(outcome.errors.contains("the edited message is kept in \(file)\n"), "\(outcome)")
      #expect(Files.text(file)?.hasSuffix("new text\n") ?? false)
    }
  }

  /// Greylisting takes some attempts; what is refused for now again and again a person should know of.
  @Test func whatIsRefusedAgainAndAgainNeedsAPerson() throws {
    var status = stage.command("", ["status"])
    status.program = magnum
    _ = try stage.send("Subject: a\n\n", "t450@x.test")
    for attempt in 2...5 {
      #expect(try status.run().code == 0, "after \(attempt - 1)")
      _ = try queue("flush")
    }
    let outcome = try status.run()
    #expect(outcome.code == 1 && outcome.output.contains("repeatedly deferred"))
    #expect(stage.entries("queue").count == 1, "it is tried further on")
  }

  @Test func anEntryIsShownAndCannotSteerTheTerminal() throws {
    _ = try stage.send("Subject: a\n\n\u{1B}[2J\n", "t450@x.test")
    let entry = try #require(stage.entries("queue").first)
    let shown = try queue("show", entry)
    #expect(shown.code == 0 && shown.output.contains("Envelope-To: <t450@x.test>\n"))
    #expect(shown.output.contains("deferred 1 ") && shown.output.contains("450 4.2.0 later"))
    #expect(shown.output.contains("\\x1B[2J") && !shown.output.contains("\u{1B}"))
    #expect(try queue("show", "--raw", entry).output.contains("\u{1B}[2J"))
    #expect(try queue("show", "none").code == 1)
  }

  @Test func programsGetJSON() throws {
    _ = try stage.send("Subject: a\n\n", "t450@x.test", "a@x.test")
    let line = try #require(try queue("list", "--json").lines.first)
    let value = try ParsedJSON(line)
    #expect(value["state"]?.text == "queue" && value["account"]?.text == "work")
    #expect(
      line.contains(
        "{\"address\":\"t450@x.test\",\"state\":\"open\"},{\"address\":\"a@x.test\",\"state\":\"accepted\"}"
      )
    )
  }

  @Test func damagedEntriesAreSetAsideAndThoseOfLaterVersionsLeftAlone() throws {
    for number in 1...3 { _ = try stage.send("Subject: \(number)\n\n", "--no-try", "a@x.test") }
    let entries = stage.entries("queue")
    try Command.shell(
      "sed -i 's/^Subject: 1/Subject: X/' \"$1\"",
      ["\(stage.spool)/queue/\(entries[0])"]
    )
    try Command.shell(
      "sed -i 's/^Magnum-Spool: 2/Magnum-Spool: 4/' \"$1\"",
      ["\(stage.spool)/queue/\(entries[1])"]
    )
    try stage.flush()
    #expect(stage.subjects == ["3"])
    #expect(stage.entries("failed") == [entries[0]] && stage.entries("queue") == [entries[1]])
    let list = try queue("list").output
    #expect(list.contains("damaged") && list.contains("later version"), "\(list)")
  }

  @Test func aSecretThatCannotBeReadIsSaidAndStopsNoOther() throws {
    try stage.configure("password-file = \"~/missing\"")
    let outcome = try stage.send("Subject: 1\n\n", "a@x.test")
    let place = "config.toml:5: password-file: "
    #expect(outcome.code == 0 && outcome.errors.contains(place), "\(outcome)")
    #expect(outcome.errors.contains("missing: No such file"), "\(outcome)")
    #expect(!Files.exists("\(stage.spool)/state"))
    let flush = try queue("flush")
    #expect(flush.code == 78 && flush.errors.contains("missing"), "\(flush)")
    try stage.configure()
    #expect(try queue("flush", "--due").lines == ["work  1 sent  0 waiting"])
  }

  @Test func whatStopsAnAccountIsSaid() throws {
    stage.sink.change { $0.greeting = "421 4.3.2 closed for tonight" }
    _ = try stage.send("Subject: 1\n\n", "a@x.test")
    let list = try queue("list")
    #expect(list.lines.last?.hasPrefix("work: next attempt in ") ?? false, "\(list)")
    #expect(list.lines.last?.hasSuffix("closed for tonight") ?? false, "\(list)")
    #expect(try queue("flush").code == 75)
  }
}
