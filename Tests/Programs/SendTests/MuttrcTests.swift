import TestSupport
import Testing

/// mutt and neomutt with examples/muttrc as it is shipped: what is done there is on the server after a sync.
@Suite struct MuttrcTests {
  private let stage: PostStage

  init() throws {
    var options = PostStage.withSent
    options.specialUse["Drafts"] = "\\Drafts"
    options.specialUse["Trash"] = "\\Trash"
    stage = try PostStage(options)
    try stage.imap.create("Archive")
    for number in 1...4 {
      let text = """
        From: Alice <alice@x.test>\r
        To: me@x.test\r
        Date: Mon, 06 Jan 2025 12:0\(number):00 +0000\r
        Subject: mail \(number)\r
        Message-ID: <\(number).muttrc@x.test>\r
        \r
        text\r

        """
      try stage.imap.append(Array(text.utf8), flags: "\\Seen")
    }
    #expect(try stage.sync().code == 0)
  }

  private func subjects(_ mailbox: String) throws -> [String] {
    try stage.imap.messages(in: mailbox).map { message in
      let lines = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
      return lines.first { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) } ?? ""
    }.sorted()
  }

  @Test(arguments: ["mutt", "neomutt"])
  func whatIsDoneThereReachesTheServer(_ program: String) throws {
    let mutt = try Mutt(program, of: stage.send)
    try mutt.type(
      "<first-entry><delete-message><save-message>+Archive<enter><sync-mailbox>"
        + "<first-entry><reply><postpone-message><last-entry><reply><send-message>"
    )
    #expect(try stage.sync().code == 0)
    #expect(try subjects("INBOX") == ["mail 3", "mail 4"])
    #expect(try subjects("Trash") == ["mail 1"])
    #expect(try subjects("Archive") == ["mail 2"])
    #expect(try subjects("Drafts") == ["Re: mail 3"])
    #expect(try subjects("Sent") == ["Re: mail 4"], "one copy, whichever program made it")
    #expect(stage.sink.messages.map(\.to) == [["<alice@x.test>"]])
    let flags = try stage.imap.messages(in: "INBOX").map(\.flags)
    #expect(flags == [["\\Seen"], ["\\Answered", "\\Seen"]])
    let again = try stage.sync("-v")
    #expect(again.output.hasPrefix("work  nothing new"), "\(again)")
  }

  /// No key is swallowed behind one of them, also where a client waits for one after commands.
  @Test(arguments: ["mutt", "neomutt"], [false, true])
  func whatMagnumDoesIsOnAKey(_ program: String, _ waitsForKey: Bool) throws {
    let mutt = try Mutt(program, of: stage.send, waitsForKey: waitsForKey)
    try mutt.type("<first-entry>T<next-entry>A<refresh>")
    #expect(try stage.sync().code == 0)
    #expect(try subjects("INBOX") == ["mail 1", "mail 3", "mail 4"])
    #expect(try subjects("Archive") == ["mail 2"])
    let flags = try stage.imap.messages(in: "INBOX").map(\.flags)
    #expect(flags == [["\\Seen", "todo"], ["\\Seen"], ["\\Seen"]])
    try mutt.type("U")
    #expect(try stage.sync().code == 0)
    #expect(try subjects("Archive") == [])
  }

  /// What is asked for is one query, whatever a shell or mutt would make of it.
  @Test(arguments: ["mutt", "neomutt"])
  func aSearchShowsWhatIsFound(_ program: String) throws {
    var command = stage.send.command(["index"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try command.run().code == 0)
    let settings = try Mutt(program, of: stage.send)
    let mutt = try settings.open()
    try mutt.type("S", answering: "search: ", "subject:\"mail 2\" and not \"$(touch pwned)\"")
    #expect(mutt.shows(["mail 2"]))
    try mutt.type("S", answering: "search: ", "*")
    #expect(mutt.shows((1...4).map { "mail \($0)" }))
    mutt.end()
    withExtendedLifetime(settings) {}
    #expect(!Files.exists("pwned") && !Files.exists(stage.send.home["pwned"]))
  }

  /// Behind a message that was archived stands the next one, and what is done to that works.
  @Test(arguments: ["mutt", "neomutt"])
  func theNextMessageFollows(_ program: String) throws {
    let mutt = try Mutt(program, of: stage.send)
    try mutt.type("<first-entry><next-entry>A<delete-message><sync-mailbox>")
    #expect(try stage.sync().code == 0)
    #expect(try subjects("INBOX") == ["mail 1", "mail 4"])
    #expect(try subjects("Archive") == ["mail 2"] && subjects("Trash") == ["mail 3"])
  }

  @Test(arguments: ["mutt", "neomutt"])
  func aRefusalIsSeen(_ program: String) throws {
    let mutt = try Mutt(program, of: stage.send)
    // The output of the sending program is in the pager, the message again in the compose menu: it is postponed there.
    try mutt.type("<mail>p550@x.test<enter>refused<enter><send-message><exit><exit>")
    #expect(stage.sink.commands.contains { $0.hasPrefix("RCPT TO:<p550") })
    #expect(stage.entries("failed") == [] && stage.entries("queue") == [])
    #expect(try stage.sync().code == 0)
    #expect(try subjects("Drafts") == ["refused"])
    #expect(try subjects("Sent") == [])
  }

  @Test(arguments: ["mutt", "neomutt"])
  func addressesAreCompleted(_ program: String) throws {
    let mutt = try Mutt(program, of: stage.send)
    try mutt.type("<mail>ali<complete-query><enter>found<enter><send-message>")
    let message = try #require(stage.sink.messages.first)
    #expect(message.to == ["<alice@x.test>"])
    #expect(message.text.contains("\nTo: Alice <alice@x.test>\n"), "\(message.text)")
  }
}
