import TestSupport
import Testing

/// Messages that are written without a terminal.
struct ComposeTests {
  /// A signature made for another program has its mark in it.
  @Test(arguments: ["-- \nMe at work\n", "--\nMe at work\n", "Me at work"])
  func oneMarkStandsAboveTheSignature(_ text: String) throws {
    let stage = try ComposeStage("signature-file = \"~/.signature\"")
    _ = try stage.magnum.home.write(Array(text.utf8), to: ".signature")
    let words = ["compose", "-t", "a@x.org", "-s", "a", "--body", "-", "--send"]
    #expect(try stage.run(words, input: "text\n").code == 0)
    #expect(try stage.sent().text.hasSuffix("\n\ntext\n\n-- \nMe at work\n"))
  }

  @Test func aMessageIsSent() throws {
    let stage = try ComposeStage("signature-command = \"echo Me at work\"")
    let file = try stage.magnum.home.write([0, 1, 255], to: "Über.bin")
    let outcome = try stage.run(
      [
        "compose", "-t", "Jürgen <j@x.org>", "-c", "c@x.org", "-b", "hidden@x.org", "-s", "Grüße",
        "--body", "-", "--attach", file, "--header", "X-Note: n", "--send",
      ],
      input: "one\ntwo\n"
    )
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.output.hasPrefix("sent "))
    let message = try stage.sent()
    #expect(message.from.hasPrefix("<me@x.test>"))
    #expect(
      message.to.map { $0.prefix { $0 != ">" } } == ["<j@x.org", "<c@x.org", "<hidden@x.org"]
    )
    for part in [
      "From: Me <me@x.test>\n", "Subject: =?UTF-8?B?R3LDvMOfZQ==?=\n", "X-Note: n\n",
      "\n\none\ntwo\n\n-- \nMe at work\n", "filename*=utf-8''%C3%9Cber.bin\n", "\n\nAAH/\n",
    ] { #expect(message.text.contains(part), "\(part)") }
    #expect(!message.text.contains("hidden") && !message.text.contains("Bcc"))
    #expect(stage.queued.isEmpty && stage.left.isEmpty)
  }

  /// What is printed is what is sent, except for what is new each time.
  @Test func whatIsPrintedIsSent() throws {
    let stage = try ComposeStage()
    let words = ["compose", "-t", "a@x.org", "-s", "s", "--body", "-"]
    let text = "From x\n.\n" + String(repeating: "é ", count: 700) + "\n"
    let printed = try stage.run(words + ["--print"], input: text).output
    #expect(try stage.run(words + ["--send"], input: text).code == 0)
    let lines = { (text: String) in
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("Date: ") && !$0.hasPrefix("Message-ID: ") }
    }
    let sent = try stage.sent().text
    #expect(lines(sent.hasSuffix("\n") ? sent : sent + "\n") == lines(printed))
  }

  /// No line end is lost, whatever it is.
  @Test func lineEndsOfAnyKindAreKept() throws {
    let stage = try ComposeStage()
    let words = ["compose", "-t", "a@x.org", "-s", "s", "--body", "-", "--print"]
    #expect(try stage.run(words, input: "a\rb\r\nc\n\r\n").output.hasSuffix("\n\na\nb\nc\n\n"))
  }

  @Test func anAnswerGoesToAllAndMarksTheMessage() throws {
    let stage = try ComposeStage()
    let outcome = try stage.run(
      ["reply-all", "--body", "-", "--send", "id:m1@x.org"],
      input: "Gladly.\n"
    )
    #expect(outcome.code == 0, "\(outcome)")
    let message = try stage.sent()
    #expect(message.to.map { $0.prefix { $0 != ">" } } == ["<ada@x.org", "<bob@x.org", "<c@x.org"])
    for part in [
      "Subject: Re: lunch\n", "In-Reply-To: <m1@x.org>\n", "References: <m1@x.org>\n",
      "\nOn Wed, 1 Jul 2026 10:00:00 +0000, Ada <ada@x.org> wrote:\n> Shall we? =C3=A9\n\nGladly.\n",
    ] { #expect(message.text.contains(part), "\(part)") }
    #expect(stage.names("mail/INBOX/cur") == ["1:2,RS"])
    // Searches show it at once.
    #expect(try stage.run("tags", "dump", "tag:replied").output.contains("+replied -- id:m1@x.org"))
  }

  @Test(arguments: [false, true])
  func aMessageIsPassedOn(isAttached: Bool) throws {
    let stage = try ComposeStage()
    let words = ["forward", "-t", "z@x.org", "--send", "--body", "-", "id:m1@x.org"]
    let outcome = try stage.run(words + (isAttached ? ["--as-attachment"] : []), input: "FYI\n")
    #expect(outcome.code == 0, "\(outcome)")
    let text = try stage.sent().text
    let parts =
      isAttached
      ? [
        "\n\nFYI\n", "Content-Type: message/rfc822\n", "filename=lunch.eml",
        "\n\nFrom: Ada <ada@x.org>\n",
      ]
      : [
        "FYI\n\n---------- Forwarded message ----------\nFrom: Ada <ada@x.org>\n",
        "Shall we? =C3=A9", "\n\nJVBERg==\n",
      ]
    for part in parts + ["Subject: Fwd: lunch\n", "References: <m1@x.org>\n"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("In-Reply-To"))
    #expect(stage.names("mail/INBOX/cur") == ["1:2,PS"])
    #expect(try stage.run("tags", "dump", "tag:passed").output.contains("+passed -- id:m1@x.org"))
  }

  @Test func aDraftIsKeptReplacedAndSent() throws {
    let stage = try ComposeStage()
    let kept = try stage.run(["reply", "--draft", "--body", "-", "id:m1@x.org"], input: "later\n")
    #expect(kept.code == 0 && kept.output.hasPrefix("draft "), "\(kept)")
    #expect(stage.drafts.count == 1 && stage.drafts[0].hasSuffix(":2,DS"))
    let first = "\(stage.magnum.home.path)/mail/Drafts/cur/\(stage.drafts[0])"
    #expect(stage.names("mail/INBOX/cur") == ["1:2,S"])
    #expect(try stage.run("resume", "--draft", "-b", "h@x.org", first).code == 0)
    #expect(stage.drafts.count == 1 && !Files.exists(first))
    let second = "\(stage.magnum.home.path)/mail/Drafts/cur/\(stage.drafts[0])"
    // Another program may rename it at any time; it is named as it was.
    #expect(try stage.run("resume", "--send", second).code == 0)
    #expect(stage.drafts.isEmpty)
    #expect(stage.names("mail/INBOX/cur") == ["1:2,RS"])
    let message = try stage.sent()
    #expect(message.to.count == 2)
    #expect(message.text.contains("\nlater\n") && message.text.contains("In-Reply-To: <m1@x.org>"))
    #expect(!message.text.contains("X-Magnum") && !message.text.contains("h@x.org"))
  }

  /// A draft is found at once, by whatever words.
  @Test func aDraftIsFoundAtOnce() throws {
    let stage = try ComposeStage()
    let words = ["compose", "--draft", "-t", "a@x.org", "-s", "penguins", "--body", "-"]
    #expect(try stage.run(words, input: "x").code == 0)
    let resumed = try stage.run("resume", "--print", "subject:penguins")
    #expect(resumed.code == 0 && resumed.output.contains("Subject: penguins"), "\(resumed)")
    var search = stage.magnum.command(["subject:none folder:Drafts"])
    search.program = "\(ProgramUnderTest.products)/magnum-search"
    #expect(try search.run().errors.contains("there is no folder") == false)
  }

  /// A text in HTML is never lost in silence.
  @Test(arguments: ["text/html", "multipart/alternative; boundary=b"])
  func aTextInHTMLIsRefused(_ type: String) throws {
    let stage = try ComposeStage()
    let parts = "--b\n\nplain\n--b\nContent-Type: text/html\n\n<b>bold</b>\n--b--\n"
    let header = "To: a@x.org\nMessage-ID: <h@x.org>\nSubject: s\nContent-Type: \(type)\n\n"
    let message = header + (type == "text/html" ? "<b>bold</b>\n" : parts)
    let given = try stage.run(["compose", "--draft", "-"], input: message)
    #expect(given.code == 65 && given.errors.contains("HTML"), "\(given)")
    try stage.deliver("html", message, folder: "Drafts")
    let file = stage.magnum.home["mail/Drafts/cur/html:2,S"]
    let resumed = try stage.run("resume", "--send", file)
    #expect(resumed.code == 65 && resumed.errors.contains("HTML"), "\(resumed)")
    #expect(Files.exists(file) && stage.queued.isEmpty && stage.sink.messages.isEmpty)
  }

  /// Another program's draft without a comma between two recipients does not go to one of them.
  @Test func aDraftWhoseRecipientsLackACommaIsRefused() throws {
    let stage = try ComposeStage()
    let message = "To: a@x.org b@x.org\nMessage-ID: <d@x.org>\nSubject: s\n\nx\n"
    try stage.deliver("comma", message, folder: "Drafts")
    let file = stage.magnum.home["mail/Drafts/cur/comma:2,S"]
    for end in ["--send", "--draft", "--print"] {
      let outcome = try stage.run("resume", end, file)
      #expect(outcome.code == 65, "\(outcome)")
      #expect(outcome.errors.contains("\"a@x.org b@x.org\" is no address"), "\(outcome)")
    }
    #expect(Files.text(file) == message && stage.drafts.count == 1 && stage.queued.isEmpty)
  }

  /// What is no draft stays where it is, and is not sent a second time under its id.
  @Test func aMessageThatIsNoDraftStays() throws {
    let stage = try ComposeStage()
    #expect(try stage.run("resume", "--send", "id:m1@x.org").code == 0)
    #expect(stage.names("mail/INBOX/cur") == ["1:2,S"])
    #expect(!(try stage.sent().text.contains("m1@x.org")))
  }

  /// Another person's message becomes the user's: none of its fields decides who gets that, or who gets the answers.
  @Test func aMessageOfAnotherIsOnlyTheBeginning() throws {
    let stage = try ComposeStage()
    let fields =
      "Bcc: evil@x.org\nReply-To: evil@x.org\nX-Evil: yes\nX-Magnum-Original: answered <m1@x.org>\n"
    try stage.deliver("2", fields + ComposeStage.mail.replacing("m1@x.org", with: "m2@x.org"))
    #expect(try stage.run("index").code == 0)
    let printed = try stage.run("resume", "--print", "id:m2@x.org")
    #expect(printed.code == 0 && printed.output.contains("bob@x.org"), "\(printed)")
    #expect(printed.output.contains("<me@x.test>"), "\(printed)")
    #expect(!printed.output.lowercased().contains("evil"), "\(printed)")
    #expect(try stage.run("resume", "--send", "id:m2@x.org").code == 0)
    #expect(try !stage.sent().to.joined().contains("evil"))
    // Nothing is marked as answered, either.
    #expect(stage.names("mail/INBOX/cur") == ["1:2,S", "2:2,S"])
  }

  /// What another program wrote under the id of a draft that is in the queue is not taken away.
  @Test func aDraftThatIsInTheQueueIsNotSentAgain() throws {
    let stage = try ComposeStage()
    #expect(
      try stage.run(["compose", "--draft", "-t", "a@x.org", "--body", "-"], input: "x").code == 0
    )
    let folder = stage.magnum.home["mail/Drafts/cur"]
    try Command.shell("cp \"$1\"/* \"$2\"", [folder, stage.magnum.home["copy"]])
    let draft = "\(folder)/\(stage.drafts[0])"
    #expect(try stage.run("resume", "--hold", draft).code == 0)
    #expect(stage.drafts.isEmpty && stage.queued.count == 1)
    try Command.shell("cp \"$2\" \"$1\"", [draft, stage.magnum.home["copy"]])
    let again = try stage.run("resume", "--send", draft)
    #expect(again.code == 1 && again.errors.contains("the draft stays"), "\(again)")
    #expect(stage.drafts.count == 1 && stage.queued.count == 1 && stage.sink.messages.isEmpty)
  }

  @Test func aTemplateComesBack() throws {
    let stage = try ComposeStage()
    let template = try stage.run("reply", "--template", "id:m1@x.org").output
    #expect(template.hasPrefix("From: Me <me@x.test>\nTo: Ada <ada@x.org>\n"))
    let outcome = try stage.run(["compose", "--send", "-"], input: template + "more é\n")
    #expect(outcome.code == 0, "\(outcome)")
    let text = try stage.sent().text
    #expect(text.contains("In-Reply-To: <m1@x.org>\n") && text.contains("more =C3=A9\n"))
    #expect(stage.names("mail/INBOX/cur") == ["1:2,RS"])
  }

  @Test func aProgramGivesADraft() throws {
    let stage = try ComposeStage("signature-command = \"echo never seen\"")
    let file = try stage.magnum.home.write("x", to: "a.txt")
    let draft = """
      {"version":1,"in-reply-to":"id:m1@x.org","text":"Yes.","headers":{"X-A":"b"},
       "attachments":[{"path":"\(file)","name":"plan.txt","type":"text/csv"}],"then":"send"}
      """
    let outcome = try stage.run(["compose", "--json", "-"], input: draft)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let result = try ParsedJSON(outcome.output)
    #expect(result["state"]?.text == "sent" && result["recipients"]?[0]?.text == "ada@x.org")
    let text = try stage.sent().text
    #expect(text.contains("Message-ID: <\(result["message-id"]?.text ?? "?")>\n"))
    for part in ["> Shall we?", "\nYes.\n", "X-A: b\n", "text/csv", "filename=plan.txt"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("never seen"))
  }

  @Test func aHeldMessageWaits() throws {
    let stage = try ComposeStage()
    let outcome = try stage.run(["compose", "-t", "a@x.org", "--hold", "--body", "-"], input: "x")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("held "), "\(outcome)")
    #expect(outcome.errors.contains("the message has no subject"))
    #expect(stage.names(".local/state/magnum/spool/work/hold").count == 1)
    #expect(stage.sink.messages.isEmpty)
    let entry = stage.queued[0]
    #expect(try stage.run("queue", "release", entry).code == 0)
    #expect(try stage.run("queue", "flush").code == 0)
    #expect(try stage.sent().text.hasSuffix("\n\nx\n"))
  }

  @Test func aRefusedMessageIsKept() throws {
    let stage = try ComposeStage()
    let words = ["compose", "-t", "p550@x.org", "-s", "s", "--body", "-", "--send", "--json"]
    let outcome = try stage.run(words, input: "x")
    #expect(outcome.code == 1, "\(outcome)")
    let result = try ParsedJSON(outcome.output)
    #expect(result["state"]?.text == "failed" && result["why"] != nil)
    #expect(stage.names(".local/state/magnum/spool/work/failed").count == 1)
  }

  /// A mistake queues nothing, keeps nothing, opens nothing and asks nothing.
  @Test(
    arguments: [
      (["compose"], "", 64, "an editor needs a terminal"),
      (["compose", "--editor", "-t", "a@x.org"], "", 64, "an editor needs a terminal"),
      (["reply", "id:m1@x.org"], "", 64, "an editor needs a terminal"),
      (["compose", "--send", "--draft"], "", 64, "--send and --draft exclude each other"),
      (["compose", "-t", "a@x.org", "--send"], "", 65, "there is nothing to send"),
      (["reply", "--send", "id:m1@x.org"], "", 65, "there is nothing to send"),
      (["compose", "--send", "-"], "", 66, "standard input is empty"),
      (["compose", "--send", "--json", "-"], "", 66, "standard input is empty"),
      (["compose", "--send", "--json", "-"], "{", 65, "a name in quotes expected"),
      (["compose", "--send", "--json", "-"], "{\"text\":\"x\"}", 64, "no recipients"),
      (["compose", "--json", "-"], "{\"text\":\"x\"}", 64, "an editor needs a terminal"),
      (
        ["compose", "--send", "--json", "-"], "{\"txt\":\"x\"}", 65,
        "\"what\":\"unknown member \\\"txt\\\"\""
      ),
      (["compose", "--send", "--body", "-"], "x", 64, "no recipients"),
      (["compose", "--send", "-t", "a@x.org", "--body", "nowhere"], "", 66, "nowhere"),
      (
        ["compose", "--send", "-t", "a@x.org", "--body", "-"], "a\u{0}b", 65,
        "there is a NUL in the text"
      ),
      (["compose", "--send", "-t", "ada@", "--body", "-"], "x", 65, "\"ada@\" is no address"),
      (["compose", "--send", "-t", "Ada <ada@>", "--body", "-"], "x", 65, "is no address"),
      (["compose", "--send", "-t", "a@x.org, b@", "--body", "-"], "x", 65, "is no address"),
      (["compose", "--send", "-t", "a@x\nBcc: b@x", "--body", "-"], "x", 65, "is no address"),
      (["compose", "--send", "-"], "To: ada@\n\nx", 65, "is no address that can be sent to"),
      (
        ["compose", "--send", "-"], "To: a@x.org b@x.org\n\nx", 65,
        "\"a@x.org b@x.org\" is no address that can be sent to"
      ),
      (["compose", "--send", "-"], "Cc: Ada <a@x.org\n\nx", 65, "\"Ada <a@x.org\" is no address"),
      (["compose", "--draft", "-"], "Bcc: A (b <a@x.org>\n\nx", 65, "is no address"),
      (
        ["compose", "--send", "-t", "c@x.org, a@x.org b@x.org", "--body", "-"], "x", 65,
        "\"a@x.org b@x.org\" is no address that can be sent to"
      ),
      (["compose", "--send", "--from", "a@x.org b@x.org"], "", 65, "is no address to send from"),
      (
        ["compose", "--send", "--json", "-"], "{\"text\":\"a\\ud800b\"}", 65,
        "a whole surrogate pair expected"
      ),
      (
        ["compose", "--send", "--json", "-"],
        "{\"to\":\"a@x.org\",\"subject\":\"a\\u0000b\",\"text\":\"x\"}", 65,
        "there is a NUL in subject"
      ),
      (
        ["compose", "--send", "--json", "-"], "{\"to\":\"a\\u0000@x.org\",\"text\":\"x\"}", 65,
        "there is a NUL in to"
      ),
      (["reply", "--send", "-"], "Message-ID: <m1@x.org>\n\n", 64, "not read from standard input"),
      (["compose", "--send", "-t", "Ada", "--body", "-"], "x", 67, "no alias for Ada"),
      (["compose", "--send", "-t", "a b <>", "--body", "-"], "x", 65, "is no address"),
      (
        ["compose", "--send", "-t", "a@x.org", "--attach", "nowhere"], "", 66, "cannot be attached"
      ),
      (["compose", "--send", "-t", "a@x.org", "--attach", "/"], "", 66, "cannot be attached"),
      (
        ["compose", "--send", "-t", "a@x.org", "--attach", "/dev/null"], "", 66,
        "cannot be attached"
      ),
      (["compose", "--send", "--header", "Subject: x"], "", 65, "cannot be added"),
      (["compose", "--send", "--from", "x"], "", 65, "is no address to send from"),
      (["compose", "--send", "--account", "away", "-t", "a@x.org"], "", 67, "no account away"),
      (
        ["compose", "--send", "-"], "To: a@x.org\nAttach: /etc/passwd\n\nx", 65,
        "a line Attach counts"
      ),
      (["compose", "--send", "-"], "no header\n", 65, "does not begin with a header"),
      (["reply", "--send", "id:nothing@x.org"], "", 1, "no message found"),
      (["reply", "--list", "--send", "id:m1@x.org"], "", 65, "names no mailing list"),
      (["reply", "--all", "--list", "id:m1@x.org"], "", 64, "exclude each other"),
      (["forward", "--send", "id:m1@x.org"], "", 64, "no recipients"),
      (["resume", "--send", "nothing"], "", 1, "no message found"),
    ] as [([String], String, Int32, String)]
  )
  func aMistakeDoesNothing(words: [String], input: String, code: Int32, error: String) throws {
    let stage = try ComposeStage()
    let outcome = try stage.run(words, input: input)
    #expect(outcome.code == code && outcome.errors.contains(error), "\(outcome)")
    #expect(outcome.output == "" && outcome.seconds < 5)
    #expect(stage.queued.isEmpty && stage.drafts.isEmpty && stage.left.isEmpty)
    #expect(stage.names("mail/INBOX/cur") == ["1:2,S"] && stage.sink.messages.isEmpty)
  }

  /// Nothing asks, waits or opens an editor where there is no terminal, whatever is left out.
  @Test func withoutATerminalEachCommandEndsSoon() throws {
    let stage = try ComposeStage()
    let editor = try stage.magnum.home.write("#!/bin/sh\n: > ~/opened\n", to: "e", mode: 0o755)
    let verbs = "read unread flag unflag archive delete move copy junk notjunk tag mute unmute undo"
    let others = "tags log compose reply reply-all forward resume show attachments queue status"
    for name in (verbs + " " + others + " index").split(separator: " ") {
      for words in [[String(name)], [String(name), "id:none@x.org"]] {
        var command = stage.magnum.command(words, ["VISUAL": editor])
        command.timeLimit = 20
        let outcome = try command.run()
        #expect(outcome.seconds < 5 && !outcome.errors.contains("Fatal"), "\(words) \(outcome)")
        #expect([0, 1, 64, 65, 66].contains(outcome.code), "\(words) \(outcome)")
      }
    }
    #expect(!Files.exists(stage.magnum.home["opened"]))
    #expect(stage.queued.isEmpty && stage.drafts.isEmpty && stage.sink.messages.isEmpty)
  }

  @Test func whatFitsSeveralMessagesIsListed() throws {
    let stage = try ComposeStage()
    try stage.deliver("2", "From: Eve <e@x.org>\nSubject: lunch too\nMessage-ID: <m2@x>\n\nx\n")
    #expect(try stage.run("index").code == 0)
    let outcome = try stage.run("reply", "--send", "subject:lunch")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("the query finds 2 messages; name one"))
    #expect(outcome.errors.contains("id:m1@x.org") && outcome.errors.contains("id:m2@x"))
  }

  @Test func attachmentsHaveALimit() throws {
    let stage = try ComposeStage("attachment-limit = \"1K\"")
    let file = try stage.magnum.home.write([UInt8](repeating: 65, count: 1025), to: "large")
    let outcome = try stage.run("compose", "--send", "-t", "a@x.org", "--attach", file)
    #expect(outcome.code == 65 && outcome.errors.contains("attachment-limit"), "\(outcome)")
    #expect(stage.queued.isEmpty)
  }

  @Test func aPipeIsNotWaitedFor() throws {
    let stage = try ComposeStage()
    let pipe = stage.magnum.home["pipe"]
    try Command.shell("mkfifo \"$1\"", [pipe])
    let outcome = try stage.run("compose", "--send", "-t", "a@x.org", "--attach", pipe)
    #expect(outcome.code == 66 && outcome.seconds < 5, "\(outcome)")
  }
}
