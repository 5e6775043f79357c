import Testing
import TestSupport

/// Servers that break the rules: no crash, no endless wait, no memory eaten, no harm.
@Suite struct HostileServerTests {
  /// All at once, since some of them make the program wait.
  @Test func oddAnswersAreSurvived() throws {
    let cases = try Fixtures.load("Fixtures/hostile-answers.txt").map { try Case($0) }
    for odd in cases { try odd.finish() }
  }

  @Test func aLineWithoutEndHasALimit() throws {
    let fake = try FakeMailServer(mailboxes) { request in
      guard request.name == "LIST" else { return nil }
      return [.send("* LIST ("), .octets([UInt8](repeating: 97, count: 30_000_000)), .stall]
    }
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let outcome = try stage.sync(timeLimit: 30)
    #expect([69, 75].contains(outcome.code), "\(outcome.end) \(outcome.errors.prefix(1_000))")
    #expect(outcome.peakMemory < 64 * 1024)
    #expect(outcome.errors.utf8.count < 4_000)
  }

  /// Messages that a server makes up are not asked for, one block after the other, for hours.
  @Test func moreMessagesThanThereAreBreakTheProtocol() throws {
    let fake = try FakeMailServer(mailboxes) { request in
      guard request.name == "UID FETCH", !request.text.contains("BODY") else { return nil }
      let lines = (1...5000).map { "* \($0) FETCH (UID \($0 * 10) FLAGS () RFC822.SIZE 3)\r\n" }
      return [.send(lines.joined()), .lines("{tag} OK")]
    }
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let outcome = try stage.sync(timeLimit: 30)
    #expect(outcome.code != 0, "\(outcome)")
    #expect(!fake.requests.contains { $0.contains("BODY") }, "\(fake.requests)")
    #expect(stage.tree["INBOX"].isEmpty)
  }

  /// It takes little more memory than a small one; what a short run takes is seen in part only.
  @Test func aLargeMailStreams() throws {
    let (small, large) = (try fetch(lines: 8), try fetch(lines: 800_000))
    #expect(large < small + 12 * 1024, "\(small) KiB became \(large) for 50 MB")
  }

  /// Has a mail of so many lines fetched; gives the KiB of memory that this took.
  private func fetch(lines count: Int) throws -> Int {
    let line = String(repeating: "a", count: 60) + "\r\n"
    let body = Array(("Subject: large\r\n\r\n" + String(repeating: line, count: count)).utf8)
    let mail = FakeMailServer.Mail(1, octets: body)
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX", [mail])])
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let outcome = try stage.syncWell()
    #expect(stage.tree["INBOX"].first?.body == MaildirTree.stored(body))
    return outcome.peakMemory
  }

  @Test func octetsAreKeptAsTheyAre() throws {
    let bodies: [[UInt8]] = [
      Array("Subject: 0\r\n\r\na\nb\r\n".utf8), Array("Subject: 1\r\n\r\na\rb\r\n".utf8),
      Array("Subject: 2\r\n\r\n\r\r\n".utf8), Array("Subject: 3".utf8), [],
      Array("Subject: 5\r\n\r\n".utf8) + Array(128...255), Array("\r\n\r\n\r\n".utf8), [13], [10],
      Array("Subject: 9\n\nonly LF\n".utf8),
    ]
    let mails = bodies.enumerated().map {
      FakeMailServer.Mail(UInt32($0.offset + 1), octets: $0.element)
    }
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX", mails)])
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    try stage.syncWell()
    let found = stage.tree["INBOX"].map(\.body).sorted { $0.lexicographicallyPrecedes($1) }
    let expected = bodies.map(MaildirTree.stored).sorted { $0.lexicographicallyPrecedes($1) }
    #expect(found == expected)
  }

  @Test func oneMailWithNULDoesNotStopTheRest() throws {
    var boxes = mailboxes
    boxes[0].mails.insert(FakeMailServer.Mail(4, octets: [97, 0, 98, 13, 10]), at: 3)
    let fake = try FakeMailServer(boxes)
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("test/INBOX/4") && outcome.errors.contains("NUL"), "\(outcome)")
    #expect(stage.tree["INBOX"].count == 3 && stage.tree["Other"].count == 2)
  }

  @Test func twoMailboxesNeverShareADirectory() throws {
    let twins = ["a%2Fb", "a%2fb", "A", "a", "&AOk-", "e&AwE-"].map {
      FakeMailServer.Mailbox($0, [FakeMailServer.Mail(1, "Subject: \($0)\r\n\r\nx\r\n")])
    }
    let fake = try FakeMailServer(twins)
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    try stage.syncWell()
    #expect(stage.tree.mailboxes.count == twins.count)
    #expect(stage.tree.mailboxes.values.allSatisfy { $0.count == 1 })
  }

  @Test func nothingSaidBeforeTLSIsBelieved() throws {
    let server = try ScriptedServer(greeting: [.lines("* OK [CAPABILITY IMAP4rev1 STARTTLS] ready")]
    ) {
      request in
      guard request.name == "STARTTLS" else {
        return [.lines("* CAPABILITY IMAP4rev1 STARTTLS", "{tag} OK")]
      }
      return [.lines("{tag} OK begin", "* PREAUTH you are in", "x1 OK injected"), .stall]
    }
    let stage = try Stage()
    try stage.configure(url: "imap://localhost:\(server.port)")
    let outcome = try stage.sync(timeLimit: 45)
    #expect([69, 75].contains(outcome.code), "\(outcome)")
    #expect(!server.requests.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("LOGIN") })
  }

  @Test func aGreetingThatSkipsTLSIsRefused() throws {
    let server = try ScriptedServer(greeting: [.lines("* PREAUTH welcome")]) { _ in
      [.lines("{tag} OK")]
    }
    let stage = try Stage()
    try stage.configure(url: "imap://localhost:\(server.port)")
    let outcome = try stage.sync(timeLimit: 45)
    #expect([69, 75].contains(outcome.code), "\(outcome)")
    #expect(!server.requests.contains { $0.hasPrefix("LIST") })
  }
}

/// What the hostile server has.
private let mailboxes = [
  FakeMailServer.Mailbox(
    "INBOX",
    (1...3).map { FakeMailServer.Mail($0, "Subject: i\($0)\r\n\r\nx\r\n") }
  ),
  FakeMailServer.Mailbox(
    "Other",
    (1...2).map { FakeMailServer.Mail($0, "Subject: o\($0)\r\n\r\nx\r\n") }
  ),
]

/// One odd answer, and the program that has to live with it.
private struct Case {
  let block: Fixture
  let server: FakeMailServer
  let stage: Stage
  let run: RunningCommand

  init(_ block: Fixture) throws {
    self.block = block
    let bend = try Bend(block)
    server = try FakeMailServer(mailboxes, override: bend.answer)
    stage = try Stage()
    try stage.configure(url: server.clearURL, sync: "connections = 1")
    var command = stage.program.command([])
    command.timeLimit = 100
    run = try command.start()
  }

  func finish() throws {
    let outcome = run.wait()
    let codes = try block.text("exit").split(separator: " ").compactMap { Int32($0) }
    #expect(codes.contains(outcome.code), "\(block): \(outcome)")
    #expect(outcome.peakMemory < 100 * 1024, "\(block)")
    if outcome.code != 0 {
      #expect(outcome.errors.hasPrefix("magnum-sync: "), "\(block): \(outcome)")
    }
    if let count = block["inbox"] {
      #expect(stage.tree["INBOX"].count == Int(count), "\(block): \(outcome)")
    }
  }
}

/// The one answer that a case bends.
private struct Bend: Sendable {
  let command: String
  let mailbox: String?
  let octets: [UInt8]
  let closes: Bool

  init(_ block: Fixture) throws {
    command = try block.text("to")
    mailbox = block["in"]
    octets = try block.wire()
    closes = block.has("close")
  }

  @Sendable func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Action]? {
    let name = request.name == "SELECT" ? "EXAMINE" : request.name
    guard name == command, mailbox.map(request.text.contains) ?? true else { return nil }
    let endsConnection = closes || octets.starts(with: Array("* BYE".utf8))
    // Else the program would wait and try again, and again.
    if endsConnection, request.connection > 1 { return nil }
    if closes { return [.close] }
    var actions: [ScriptedServer.Action] = []
    var rest = octets[...]
    let mark = Array("{tag}".utf8)
    while let start = rest.indices.first(where: { rest[$0...].starts(with: mark) }) {
      actions += [.octets(Array(rest[..<start])), .send("{tag}")]
      rest = rest[(start + mark.count)...]
    }
    actions.append(.octets(Array(rest)))
    return endsConnection ? actions + [.close] : actions
  }
}
