import TestSupport
import Testing

/// Tags are keywords of the server, both ways, and stay here where it takes none.
@Suite struct TagSyncTests {
  /// The keywords of a message on the server.
  private func keywords(
    _ subject: String,
    _ stage: Stage,
    _ imap: RawIMAP? = nil
  ) throws -> [String] {
    try (imap ?? stage.imap).everything().flatMap { name, messages in
      messages.filter {
        String(decoding: $0.body, as: UTF8.self).contains("Subject: \(subject)\r\n")
      }
      .map { "\(name) " + $0.flags.filter { !$0.hasPrefix("\\") }.joined(separator: " ") }
    }.sorted()
  }

  /// No tag waits for the server.
  private func expectTold(_ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation) {
    for folder in ["INBOX", "Archive"] {
      let file = Files.text("\(stage.maildir)/\(folder)/.magnum-tags")
      #expect(file == nil, sourceLocation: sourceLocation)
    }
  }

  @Test func aQueryBehindDashesMayBeginWithAMinus() throws {
    let stage = try Stage.forTriage()
    let all = try stage.found("*")
    try stage.magnumWell("tag", "+work", "--", "-subject:number1")
    #expect(try stage.found("tag:work") == all - 1)
    #expect(try stage.found("tag:work subject:number1") == 0)
  }

  @Test func aTagGoesToTheServerAndComesFromIt() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+work", "+Later", "subject:number1")
    #expect(try stage.found("tag:work and tag:later") == 1)
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["INBOX Later work"])
    expectTold(stage)
    #expect(try stage.found("tag:work and tag:later") == 1)
    try stage.imap.select()
    try stage.imap.store("1", "-FLAGS (work)")
    try stage.imap.store("2", "+FLAGS (work)")
    try stage.settle()
    #expect(try stage.found("tag:work and subject:number2") == 1)
    #expect(try stage.found("tag:work") == 1)
    try stage.magnumWell("tag", "-WORK", "-later", "+new", "--", "*")
    #expect(try stage.found("tag:work or tag:later") == 0)
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["INBOX new"])
    #expect(try keywords("number2", stage) == ["INBOX new"])
    expectTold(stage)
    #expect(try stage.found("tag:new") == 7)
    try Command.shell("rm -rf \"$1/index\"", [stage.state])
    try stage.magnumWell("index")
    #expect(try stage.found("tag:new") == 7)
  }

  /// A run of one mailbox fetches the message where the server moved it, before the tag of its former file was told.
  @Test(arguments: ["test/Archive", "test/INBOX", nil])
  func aTagGoesWithAMessageThatTheServerMoved(first: String?) throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+work", "subject:number1")
    try stage.imap.select()
    try stage.imap.move("1", to: "Archive")
    if let first { try stage.syncWell(first) }
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["Archive work"])
    #expect(try stage.found("tag:work") == 1)
    expectTold(stage)
  }

  /// Wherever the run is killed that sees the move: no tag is lost.
  @Test(arguments: [("INBOX", "Archive"), ("Archive", "INBOX")])
  func aKilledRunLosesNoTag(from source: String, to target: String) throws {
    let stage = try Stage.forTriage()
    if source == "Archive" {
      try stage.imap.select()
      try stage.imap.move("1", to: source)
      try stage.settle()
    }
    try stage.magnumWell("tag", "+work", "subject:number1")
    let other = try RawIMAP(stage.server, user: stage.user)
    try other.select(source)
    try other.move("1", to: target)
    try other.command("LOGOUT")
    try stage.killEverywhere("tags to \(target)", every: 4, moreThan: 10) { place in
      _ = try stage.expectSettled(place)
      let imap = try RawIMAP(stage.server, user: stage.user)
      #expect(try keywords("number1", stage, imap) == ["\(target) work"], "\(place)")
    }
  }

  /// The tag that an act sets goes with it when that is taken back, also where it is the only one.
  @Test(arguments: ["junk", "notjunk"])
  func theTagOfAnActThatIsTakenBackIsGone(act: String) throws {
    let stage = try Stage.forTriage()
    if act == "notjunk" {
      try stage.magnumWell("junk", "subject:number1")
      try stage.settle()
    }
    let before = try keywords("number1", stage)
    try stage.magnumWell(act, "subject:number1")
    try stage.magnumWell("undo")
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == before)
    try stage.magnumWell("undo", act == "junk" ? "2" : "3")
    try stage.expectSettled()
    let tag = act == "junk" ? "Junk $Junk" : "INBOX $NotJunk"
    #expect(try keywords("number1", stage) == [tag])
  }

  /// What is taken back while a run tells the server of it is told by the next one.
  @Test(arguments: ["+late", "-old", "junk"])
  func aTagThatIsTakenBackWhileItIsSent(act: String) throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+old", "subject:number1")
    try stage.settle()
    let before = try keywords("number1", stage)
    if act == "junk" {
      try stage.magnumWell("junk", "subject:number1")
    } else {
      try stage.magnumWell("tag", act, "--", "subject:number1")
    }
    var undo = stage.program.command(["undo"])
    undo.program = "\(ProgramUnderTest.products)/magnum"
    _ = try stage.sync(before: "UID STORE") { [undo] _ in
      guard try undo.run().code == 0 else { throw HarnessError("undo failed") }
    }
    for _ in 1...3 { try stage.syncWell() }
    #expect(try keywords("number1", stage) == before)
    expectTold(stage)
  }

  @Test func whatIsNoTagIsSaid() throws {
    let stage = try Stage.forTriage()
    let text = "Message-ID: <m@x>\r\nSubject: one\r\n\r\ntext\r\n"
    try stage.imap.append([Array(text.utf8)])
    try stage.settle()
    let lines = "+fine +%1b5 +-neg -- id:m@x\n"
    let restored = try stage.magnum("tags", "restore", input: lines)
    #expect(restored.code == 0 && restored.errorLines.count == 2, "\(restored)")
    #expect(restored.errors.contains("\"-neg\" is no tag"), "\(restored)")
    #expect(try stage.found("tag:fine") == 1)
  }

  /// What both sides changed is changed on both.
  @Test func bothSidesChangeTags() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+a", "+b", "+c", "subject:number1")
    try stage.settle()
    try stage.magnumWell("tag", "-a", "+d", "subject:number1")
    try stage.imap.select()
    try stage.imap.store("1", "-FLAGS (b)")
    try stage.imap.store("1", "+FLAGS (e)")
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["INBOX c d e"])
    #expect(try stage.found("tag:c tag:d tag:e") == 1)
    #expect(try stage.found("tag:a or tag:b") == 0)
  }

  /// A stage with a message that has a tag which the server knows, and one that it does not know yet.
  private func stageWithTags() throws -> Stage {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+old", "subject:number1")
    try stage.settle()
    try stage.magnumWell("tag", "+new", "subject:number1")
    return stage
  }

  /// As some mail programs move and rename files; the keywords of the server go along in any case.
  @Test(arguments: ["INBOX", "Archive"])
  func tagsGoWithAMessageUnderANewName(to folder: String) throws {
    let stage = try stageWithTags()
    try Command.shell(
      "mv \"$(grep -rl 'Subject: number1' \"$1/INBOX\")\" \"$1/$2/cur/1799.host:2,S\"",
      [stage.maildir, folder]
    )
    for _ in 1...2 { try stage.syncWell() }
    #expect(try keywords("number1", stage) == ["\(folder) new old"])
    expectTold(stage)
  }

  @Test(arguments: ["magnum", "mv"])
  func tagsGoWithAMessage(by mover: String) throws {
    let stage = try stageWithTags()
    if mover == "mv" {
      try LocalFolder(stage.maildir, "INBOX").move("number1", to: "Archive", flags: "")
    } else {
      try stage.magnumWell("archive", "subject:number1")
      #expect(try stage.found("folder:Archive and tag:old and tag:new") == 1)
    }
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["Archive new old"])
    #expect(try stage.found("folder:Archive and tag:old and tag:new") == 1)
    expectTold(stage)
  }

  @Test func whatIsJunkSaysSo() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("junk", "subject:number1 or subject:number2")
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["Junk $Junk"])
    try stage.magnumWell("notjunk", "subject:number1")
    #expect(try stage.found("tag:$NotJunk and folder:INBOX") == 1)
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["INBOX $NotJunk"])
    #expect(try keywords("number2", stage) == ["Junk $Junk"])
    try stage.magnumWell("undo")
    try stage.magnumWell("undo", "1")
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["INBOX "])
    #expect(try keywords("number2", stage) == ["INBOX "])
    expectTold(stage)
  }

  @Test func aFileThatTheServerLacksBringsItsTags() throws {
    let stage = try Stage.forTriage()
    try LocalFolder(stage.maildir, "INBOX").add("1.own", mail("own"), flags: "S")
    try stage.magnumWell("index")
    try stage.magnumWell("tag", "+work", "subject:own")
    try stage.expectSettled()
    #expect(try keywords("own", stage) == ["INBOX work"])
    expectTold(stage)
  }

  /// A server that keeps no keywords but its own, and one that says so only when it is asked.
  @Test(arguments: ["silent", "refusing"])
  func aServerThatTakesNone(_ way: String) throws {
    let stage = try Stage.forTriage()
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { line in
        line.contains("work") ? .refused("NO [LIMIT] too many keywords") : .passed
      },
      reply: { line in
        way == "silent" ? line.replacing(" \\*)", with: ")") : line
      }
    )
    try stage.configure(url: proxy.clearURL, isIndexed: true)
    try stage.magnumWell("tag", "+work", "+flagged", "subject:number1")
    try stage.settle()
    let stores = proxy.commands.count { $0.contains("STORE") }
    #expect(stores == (way == "silent" ? 1 : 2))
    #expect(try stage.shownThere().contains("INBOX [F]"))
    try stage.settle()
    #expect(proxy.commands.count { $0.contains("STORE") } == stores)
    #expect(try stage.found("tag:work") == 1)
    let status = try stage.magnum("status")
    #expect(status.output.contains("1 message has tags that the server cannot store"), "\(status)")
    // It is made anew from the mail and the file beside it, and goes where the server moves the message.
    try stage.imap.select()
    try stage.imap.move("1", to: "Archive")
    try stage.settle()
    #expect(try stage.found("tag:work and folder:Archive") == 1)
    try Command.shell("rm -rf \"$1/index\"", [stage.state])
    try stage.magnumWell("index")
    #expect(try stage.found("tag:work and folder:Archive") == 1)
    try stage.magnumWell("tag", "-work", "*")
    #expect(try stage.found("tag:work") == 0)
    try stage.settle()
    #expect(!Files.exists("\(stage.maildir)/Archive/.magnum-tags"))
  }

  @Test func tagsAreTakenBack() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+work", "subject:number1")
    try stage.magnumWell("tag", "+work", "-unread", "*")
    try stage.settle()
    try stage.magnumWell("undo")
    #expect(try stage.found("tag:work") == 1)
    #expect(try stage.found("tag:unread") == 7)
    try stage.expectSettled()
    #expect(try keywords("number1", stage) == ["INBOX work"])
    #expect(try keywords("number2", stage) == ["INBOX "])
  }

  @Test func allTagsAsText() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("tag", "+work", "+two words", "subject:number1")
    let dump = try stage.magnumWell("tags", "dump").output
    #expect(dump.hasPrefix("#notmuch-dump batch-tag:3 tags\n"))
    #expect(dump.contains("+inbox +two%20words +unread +work -- id:6e756d62657231@example.org\n"))
    let list = try stage.magnumWell("tags").lines
    #expect(list.contains("1  work") && list.contains("7  unread"), "\(list)")
    try stage.magnumWell("tag", "-work", "-two words", "*")
    #expect(try stage.found("tag:work") == 0)
    let unknown = "+x -- id:nobody@example.org\n"
    let restored = try stage.magnum("tags", "restore", input: dump + unknown)
    #expect(restored.code == 0 && restored.output.contains("1 message tagged"), "\(restored)")
    #expect(restored.errors.contains("id:nobody@example.org: there is no such message"))
    #expect(try stage.found("tag:work and tag:\"two words\"") == 1)
    #expect(try stage.found("tag:unread") == 7)
    let other = "+play -- id:6e756d62657231@example.org\n"
    try stage.magnumWell("tags", "restore", input: other)
    #expect(try stage.found("tag:work and tag:play") == 1)
    try stage.magnumWell("tags", "restore", "--replace", input: other)
    #expect(try stage.found("tag:work") == 0)
    let wrong = try stage.magnum("tags", "restore", input: dump + "nonsense\n")
    #expect(wrong.code == 65 && wrong.errors.contains("line 9"), "\(wrong)")
    try stage.magnumWell("mute", "subject:number2")
    #expect(try stage.found("tag:muted") == 1)
    try stage.magnumWell("unmute", "subject:number2")
    #expect(try stage.found("tag:muted") == 0)
  }

  /// What comes into a muted thread later is left out with it, and changes nothing on the server.
  @Test func aMutedThreadStaysSo() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("mute", "subject:number2")
    try stage.settle()
    let answer = """
      From: a@x.org
      Message-ID: <answer@x>
      In-Reply-To: <6e756d62657232@example.org>
      Subject: Re: number2

      x

      """
    try stage.imap.append([Array(answer.replacing("\n", with: "\r\n").utf8)])
    try stage.settle()
    #expect(try stage.found("id:answer@x") == 1)
    #expect(try stage.found("id:answer@x", "--exclude", "Muted") == 0)
    #expect(try stage.found("tag:muted") == 1)
    #expect(try stage.found("id:answer@x and thread:{tag:muted}", "--exclude", "muted") == 1)
    try stage.magnumWell("unmute", "id:answer@x")
    #expect(try stage.found("id:answer@x", "--exclude", "muted") == 1)
  }
}
