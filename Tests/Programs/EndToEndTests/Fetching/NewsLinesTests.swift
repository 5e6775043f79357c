import TestSupport
import Testing

/// What `post-sync`, and `--exec` of a watch, read of new messages.
@Suite struct NewsLinesTests {
  /// A command that puts what it reads below a file, which is empty where it reads nothing.
  private static let keeping = "cat >> ~/news; echo ran >> ~/runs"

  private func lines(_ stage: Stage) throws -> [ParsedJSON] {
    let file = stage.program.home["news"]
    let lines = try (Files.text(file) ?? "").split(separator: "\n").map {
      try ParsedJSON(String($0))
    }
    _ = try Command.shell("rm -f \"$1\"", [file])
    let path = Fixtures.project("man/schemas/new-mail.json")
    let schema = try JSONSchema(try #require(Files.text(path)))
    for line in lines { #expect(schema.mistakes(in: line) == [], "\(line)") }
    return lines
  }

  private func runs(_ stage: Stage) -> Int {
    (Files.text(stage.program.home["runs"]) ?? "").split(separator: "\n").count
  }

  private func prepare(isIndexed: Bool = false) throws -> Stage {
    let stage = try Stage()
    try stage.imap.append([mail("before"), mail("and before")])
    try stage.configure(sync: "post-sync = \"\(Self.keeping)\"", isIndexed: isIndexed)
    try stage.syncWell()
    #expect(runs(stage) == 1)
    #expect(try lines(stage).isEmpty, "a first sync tells of no message")
    return stage
  }

  @Test(arguments: [0, 1, 50, 51, 120])
  func upToFiftyMessagesAreNamed(_ count: Int) throws {
    let stage = try prepare()
    try stage.imap.append((0..<count).map { mail("new \($0)") })
    try stage.imap.select()
    try stage.imap.store("1", "+FLAGS (\\Flagged)")
    try stage.syncWell()
    #expect(runs(stage) == 2)
    let lines = try lines(stage)
    #expect(lines.count == min(count, 50) + (count > 50 ? 1 : 0))
    let subjects = lines.compactMap { $0["subject"]?.text }
    #expect(subjects == (0..<min(count, 50)).map { "new \($0)" })
    #expect(lines.last?["more"]?.integer == (count > 50 ? count - 50 : nil))
  }

  @Test func aLineSaysWhatIsKnown() throws {
    let stage = try prepare(isIndexed: true)
    let text = """
      From: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>
      Date: Mon, 06 Jan 2025 12:00:00 +0100
      Subject: $(touch ~/bad) `id` \u{1B}[31m
      Message-ID: <known@example.org>
      List-Id: Talk <Talk.example.org>

      > quoted
      The first words.

      """
    try stage.imap.append(Array(text.replacing("\n", with: "\r\n").utf8))
    try stage.syncWell()
    let line = try #require(try lines(stage).first)
    let members = [
      "account": "test", "mailbox": "INBOX", "id": "known@example.org",
      "from": "Zoë <zoe@example.org>", "date": "2025-01-06T11:00:00Z", "list": "talk.example.org",
      "snippet": "The first words.",
    ]
    for (name, value) in members { #expect(line[name]?.text == value, "\(name)") }
    #expect(line["subject"]?.text?.hasPrefix("$(touch ~/bad) `id` ") == true)
    #expect(line["thread"]?.text?.count == 16)
    let file = try #require(line["file"]?.text)
    #expect(Files.text(file)?.contains("The first words.") == true)
    #expect(Files.text(stage.program.home["bad"]) == nil)
  }

  @Test func aMutedThreadIsSaid() throws {
    let stage = try prepare(isIndexed: true)
    try stage.magnumWell("mute", "id:6265666f7265@example.org")
    let link = "In-Reply-To: <6265666f7265@example.org>\r\n"
    let answer = "From: a@x.org\r\n\(link)Message-ID: <1@x>\r\n\r\nx\r\n"
    let other = "From: a@x.org\r\nSubject: alone\r\nMessage-ID: <2@x>\r\n\r\nx\r\n"
    try stage.imap.append([answer, other].map { Array($0.utf8) })
    try stage.syncWell()
    let lines = try lines(stage)
    #expect(lines.map { $0["muted"] != nil } == [true, false], "\(lines)")
  }

  @Test func whatIsNotNewOrNotKnownIsLeftOut() throws {
    let stage = try prepare()
    try stage.imap.append(mail("seen"), flags: "\\Seen")
    try stage.imap.create("Other")
    try stage.imap.append(mail("first of a mailbox"), to: "Other")
    try stage.imap.append(Array("\r\nno header at all\r\n".utf8))
    try stage.syncWell()
    let lines = try lines(stage)
    #expect(lines.count == 1, "\(lines)")
    for name in ["from", "subject", "list", "thread"] {
      #expect(lines.first?[name] == nil, "\(name)")
    }
    #expect(lines.first?["snippet"]?.text == "no header at all")
    try stage.imap.append(mail("second of a mailbox"), to: "Other")
    try stage.syncWell()
    #expect(try self.lines(stage).map { $0["mailbox"]?.text } == ["Other"])
  }

  /// More than fits into a pipe, and nobody to read it.
  @Test(arguments: ["true", "exec <&-; sleep 0.1", "head -c 1 >/dev/null"])
  func aCommandNeedNotRead(_ command: String) throws {
    let stage = try prepare()
    try stage.configure(sync: "post-sync = \"\(command)\"")
    let long = String(repeating: "long ", count: 180)
    try stage.imap.append((0..<50).map { mail("\($0) \(long)", body: long) })
    let start = Stopwatch.now()
    try stage.syncWell()
    #expect(Stopwatch.now() - start < 20)
    try stage.expectMirrored()
  }

  @Test func aWatchTellsItsCommand() throws {
    let scene = try WatchScene()
    let watch = try scene.start(["--once", "--exec", Self.keeping])
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("told"))
    #expect(watch.wait().code == 0)
    let lines = try lines(scene.stage)
    #expect(lines.map { $0["subject"]?.text } == ["told"])
    #expect(lines.map { $0["id"]?.text } == ["told@w"])
  }
}
