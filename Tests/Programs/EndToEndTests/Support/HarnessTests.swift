import Testing
import TestSupport

/// The tools of the tests have to be right before they may judge.
@Suite struct HarnessTests {
  @Test func fixturesAreRead() throws {
    let text = """
      comment
      === first case
      ## a comment
      body \\x41

      --- part
      \\=== a line
      two
      === second case
      """
    let blocks = Fixtures.parse(text)
    #expect(blocks.map(\.name) == ["first case", "second case"])
    #expect(try blocks[0].octets() == Array("body A".utf8))
    #expect(try blocks[0].wire("part") == Array("=== a line\r\ntwo\r\n".utf8))
    #expect(blocks[0]["other"] == nil)
  }

  @Test func theServerKeepsWhatIsAppended() throws {
    let imap = try RawIMAP(try Dovecot.shared(), user: Dovecot.freshUser())
    let uid = try imap.append(mail("one"), flags: "\\Seen $Forwarded")
    try imap.append(Corpus().shapes())
    let messages = try imap.messages()
    #expect(messages.count == 1 + Corpus.Shape.allCases.count)
    #expect(messages.first?.uid == uid)
    #expect(messages.first?.flags == ["$Forwarded", "\\Seen"])
    #expect(messages.first?.body == mail("one"))
    try imap.create("a \"b\" \\c")
    #expect(try imap.mailboxes().sorted() == ["INBOX", "a \"b\" \\c"])
  }

  @Test func theMadeUpServerIsAServer() throws {
    let mails = [FakeMailServer.Mail(3, flags: "\\Seen", "a\r\n"), FakeMailServer.Mail(9, "")]
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX", mails), .init("a b")])
    let imap = try RawIMAP(port: fake.port, user: "ada")
    let seen = RawIMAP.Message(uid: 3, flags: ["\\Seen"], body: Array("a\r\n".utf8))
    let empty = RawIMAP.Message(uid: 9, flags: [], body: [])
    #expect(try imap.everything() == ["INBOX": [seen, empty], "a b": []])
    #expect(try imap.status("UIDNEXT") == 10)
    #expect(fake.requests.contains("LIST \"\" \"*\""))
  }

  @Test func JSONIsReadStrictly() throws {
    let value = try ParsedJSON(#"{"a": [1, -2.5e3, true, null, "x\n\u00e9\ud83d\ude00"], "b": {}}"#)
    #expect(
      value["a"]
        == .array([.number("1"), .number("-2.5e3"), .boolean(true), .null, .string("x\né😀")])
    )
    for text in ["{", "{\"a\":1,}", "[1 2]", "\"\u{1}\"", "{\"a\":1,\"a\":2}", "1 2", "nul", ""] {
      #expect(throws: HarnessError.self) { try ParsedJSON(text) }
    }
  }

  @Test func theProxyDelaysAndCuts() throws {
    let server = try ScriptedServer { _ in [.lines("* NOTHING", "{tag} OK done")] }
    let slow = try DelayProxy(to: server.port, .delayed(0.1))
    let start = Stopwatch.now()
    let connection = try Loopback.connect(port: slow.port)
    #expect(Loopback.receive(connection, seconds: 5)?.isEmpty == false)
    #expect((0.18...0.5).contains(Stopwatch.now() - start))
    Loopback.send(Array("a NOOP\r\n".utf8), to: connection)
    #expect(Loopback.receive(connection, seconds: 5)?.isEmpty == false)
    #expect((0.28...0.7).contains(Stopwatch.now() - start))
    #expect(slow.counters.turns == 1)
    Loopback.reset(connection)

    var link = DelayProxy.Link()
    link.cutAfterDown = 5
    let short = try DelayProxy(to: server.port, link)
    let other = try Loopback.connect(port: short.port)
    #expect(Loopback.receive(other, seconds: 5) == Array("* OK ".utf8))
    #expect(Loopback.receive(other, seconds: 5) == [])
    Loopback.reset(other)
  }

  @Test func commandsAreRunAndKilled() throws {
    let outcome = try Command("/bin/sh", ["-c", "echo out; echo err >&2; exit 7"]).run()
    #expect(outcome.code == 7 && outcome.output == "out\n" && outcome.errors == "err\n")
    var slow = Command("/bin/sleep", ["30"])
    slow.timeLimit = 0.1
    #expect(try slow.run().end == .timedOut)
    var onTerminal = Command("/bin/sh", ["-c", "test -t 1 && stty size"])
    onTerminal.isOnTerminal = true
    #expect(try onTerminal.run().output == "30 100\r\n")
  }

  @Test func treesAreCompared() throws {
    let folder = try TempDirectory()
    try folder.write("Subject: one\n\nx\n", to: "INBOX/cur/1.a:2,S")
    for name in ["INBOX/new", "INBOX/tmp", ".magnum"] { try Files.makeDirectories(folder[name]) }
    let tree = MaildirTree(folder.path)
    let one = RawIMAP.Message(
      uid: 1,
      flags: ["\\Seen"],
      body: Array("Subject: one\r\n\r\nx\r\n".utf8)
    )
    let unseen = RawIMAP.Message(uid: 1, flags: [], body: one.body)
    #expect(tree.differences(from: ["INBOX": [one]]) == [])
    #expect(tree.differences(from: ["INBOX": [one, one]]).count == 1)
    #expect(tree.differences(from: ["INBOX": [unseen]]).count == 2)
    #expect(tree.differences(from: ["INBOX": [one], "Sent": []]).count == 1)
    #expect(MaildirTree.stored(Array("a\r\nb\n".utf8)) == Array("a\r\nb\n".utf8))
  }
}

extension Corpus {
  /// One mail of each shape.
  func shapes() -> [[UInt8]] {
    var copy = self
    return copy.take(Shape.allCases.count)
  }
}
