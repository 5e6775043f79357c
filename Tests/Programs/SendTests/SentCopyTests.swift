import TestSupport
import Testing

/// The copy of what was sent: there once, whatever else keeps one, and never in the way of sending.
@Suite struct SentCopyTests {
  private static let letter = "Message-ID: <a@x.test>\nSubject: a\nBcc: c@x.test\n\ntext\n"

  @Test func theCopyIsMade() throws {
    let stage = try PostStage()
    let outcome = try stage.give(Self.letter, "-t", "b@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let copies = try stage.sent()
    #expect(copies.map(\.flags) == [["\\Seen"]])
    let text = String(decoding: try #require(copies.first).body, as: UTF8.self)
    #expect(text.hasPrefix("Bcc: c@x.test\r\n"), "\(text)")
    #expect(text.hasSuffix("\r\n\r\ntext\r\n"))
    #expect(stage.sink.messages.count == 1 && !stage.sink.messages[0].text.contains("Bcc"))
    #expect(stage.entries("queue") == [] && stage.entries("log") == [])
  }

  @Test(arguments: ["", "Sent Items", "Envoy\u{e9}s"])
  func theMailboxIsFoundOrMade(_ name: String) throws {
    let stage = try PostStage(DovecotOptions())
    if !name.isEmpty { try stage.imap.create(name == "Sent Items" ? name : "Envoy&AOk-s") }
    if name == "Envoy\u{e9}s" { try stage.configure("[account.work.roles]\nsent = \"\(name)\"") }
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    let wire = name.isEmpty ? "Sent" : name == "Sent Items" ? name : "Envoy&AOk-s"
    #expect(try stage.sent(wire).count == 1)
  }

  @Test func noCopyWhereNoneIsWantedOrPossible() throws {
    let stage = try PostStage()
    try stage.configure("sent-copy = \"never\"")
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    #expect(try stage.sent() == [] && stage.entries("queue") == [])
    var options = PostStage.withSent
    options.capabilities = DovecotOptions.allCapabilities + " X-GM-EXT-1"
    let gmail = try PostStage(options)
    #expect(try gmail.give(Self.letter, "b@x.test").code == 0)
    #expect(try gmail.sent() == [] && gmail.entries("queue") == [])
    try gmail.configure("sent-copy = \"always\"")
    #expect(try gmail.give(Self.letter, "b@x.test").code == 0)
    #expect(try gmail.sent().count == 1)
  }

  @Test func whatTheServerHasIsNotDoubled() throws {
    let stage = try PostStage()
    // In another mailbox it is another matter, and another Message-ID that contains it is, too.
    let own = Array("Message-ID: <a@x.test>\r\nSubject: a\r\n\r\ntext\r\n".utf8)
    try stage.imap.append([own], to: "INBOX")
    try stage.imap.append([Array("Message-ID: <a@x.test>b\r\n\r\nx\r\n".utf8)], to: "Sent")
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    #expect(try stage.sent().count == 2)
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    #expect(try stage.sent().count == 2)
    #expect(stage.sink.messages.count == 2)
  }

  /// Clients write their own copy before or after they give the message to be sent.
  @Test(arguments: ["before", "after", "after a sync"])
  func aClientsOwnCopyIsTheOne(_ time: String) throws {
    let stage = try PostStage()
    #expect(try stage.sync().code == 0)
    let folder = LocalFolder(stage.maildir, "Sent")
    // Without the Bcc, and with a field of the client's own.
    let own = Array("Message-ID: <a@x.test>\nSubject: a\nX-Client: 1\n\ntext\n".utf8)
    if time == "before" { try folder.add("1.client", own, flags: "S") }
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    #expect(try stage.sent().count == (time == "before" ? 0 : 1))
    #expect(stage.entries("queue") == [])
    if time == "after a sync" { #expect(try stage.sync().code == 0) }
    if time != "before" { try folder.add("1.client", own, flags: "S") }
    for _ in 1...3 {
      let outcome = try stage.sync()
      #expect(outcome.code == 0, "\(outcome)")
      #expect(try stage.sent().count == 1, "\(outcome)")
    }
    #expect(folder.bases.contains("1.client"))
    #expect(folder.bases.count == (time == "after a sync" ? 2 : 1))
  }

  @Test func whoOnlyPullsHasACopyToo() throws {
    let stage = try PostStage()
    try stage.configure(sync: "direction = \"pull\"")
    #expect(try stage.sync().code == 0)
    try LocalFolder(stage.maildir, "Sent").add("1.client", Array(Self.letter.utf8), flags: "S")
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    #expect(try stage.sent().count == 1)
  }

  @Test func aServerThatIsDownKeepsNothingFromBeingSent() throws {
    let stage = try PostStage()
    try stage.configure(imap: "imap+plain://127.0.0.1:\(try Loopback.freePort())")
    let outcome = try stage.give(Self.letter, "b@x.test")
    #expect(outcome.code == 0 && stage.sink.messages.count == 1)
    #expect(
      outcome.errors.contains("the copy of what was sent waits: cannot connect"),
      "\(outcome)"
    )
    let entry = try #require(stage.entries("queue").first)
    #expect(try stage.magnum("queue", "flush").errors.contains("the copy of what was sent waits"))
    #expect(stage.sink.messages.count == 1)
    try stage.configure()
    let flush = try stage.magnum("queue", "flush")
    #expect(flush.code == 0 && flush.lines == ["work  0 sent  0 waiting"], "\(flush)")
    #expect(try stage.sent().count == 1)
    #expect(stage.entries("queue") == [] && !stage.log(of: entry).contains("done"))
  }

  /// A run that sees the configuration while it is changed does not give up the copy; in the end a person is needed.
  @Test(arguments: [false, true])
  func anAccountWithoutAServerKeepsTheCopyWaiting(_ forGood: Bool) throws {
    let stage = try PostStage()
    try stage.configure(imap: "imap+plain://127.0.0.1:\(try Loopback.freePort())")
    #expect(try stage.give(Self.letter, "b@x.test").code == 0)
    let entry = try #require(stage.entries("queue").first)
    try stage.configure(hasServer: false)
    _ = try stage.magnum("queue", "flush")
    #expect(stage.entries("queue") == [entry])
    let list = try stage.magnum("queue", "list").output
    #expect(list.contains("the account has no IMAP server; next attempt in"), "\(list)")
    if forGood {
      for _ in 2...10 { _ = try stage.magnum("queue", "flush") }
      #expect(stage.entries("queue") == [] && stage.entries("failed") == [entry])
      #expect(try stage.magnum("queue", "list").output.contains("the account has no IMAP server"))
      #expect(try stage.magnum("queue", "retry", entry).code == 0)
    }
    try stage.configure()
    _ = try stage.magnum("queue", "flush")
    #expect(try stage.sent().count == 1 && stage.entries("queue") == [])
    #expect(stage.sink.messages.count == 1)
  }

  @Test func aSyncUnderWayIsNotDisturbed() throws {
    let stage = try PostStage()
    #expect(try stage.sync().code == 0)
    let holder = try Command(
      "/usr/bin/flock",
      ["-F", "\(stage.maildir)/.magnum/lock", "sleep", "20"]
    ).start()
    #expect(
      Stopwatch.wait(upTo: 5) {
        (try? Command.shell("flock -n \"$1\" true", ["\(stage.maildir)/.magnum/lock"])) == nil
      }
    )
    let outcome = try stage.give(Self.letter, "b@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(try stage.sent() == [] && stage.entries("queue").count == 1)
    holder.signal(15)
    _ = holder.wait()
    #expect(try stage.sync().code == 0)
    #expect(try stage.sent().count == 1 && stage.entries("queue") == [])
    #expect(stage.sink.messages.count == 1)
  }
}
