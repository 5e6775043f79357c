import Glibc
import TestSupport
import Testing

/// Reports of messages that did not reach a recipient.
@Suite struct BounceTests {
  @Test(arguments: try Fixtures.load("Fixtures/bounces.txt"))
  func scene(_ fixture: Fixture) throws {
    let scene = try BounceScene()
    for step in fixture.lines("steps") { try scene.perform(step) }
    if fixture.has("after") {
      // What the last command changed here is not there yet.
      if !scene.isSynced { try scene.perform("sync") }
      let after = try scene.shown
      #expect(after == fixture.lines("after"), "\(scene.last)")
    }
    let output = scene.said.split(separator: "\n").map(String.init)
    for line in fixture.lines("says") { #expect(output.contains(line), "\(scene.said)") }
    for text in fixture.lines("lacks") {
      #expect(!output.isEmpty && !scene.said.contains(text), "\(scene.said)")
    }
  }

  @Test func jsonHasThem() throws {
    let scene = try BounceScene()
    try scene.perform("sent one bob@example.net,eve@example.net")
    try scene.perform("report one eve@example.net")
    let events = try scene.stage.sync("--json").output.split(separator: "\n").map {
      try ParsedJSON(String($0))
    }
    for event in events { #expect(try Self.mistakes("sync-event", event) == []) }
    let marked = events.first { $0["event"]?.text == "bounced" }
    #expect(marked?["messages"]?.integer == 1, "\(events)")
    try scene.perform("magnum queue list --bounced --json")
    let listed = try ParsedJSON(scene.said)
    #expect(try Self.mistakes("queue-bounced", listed) == [])
    #expect(listed["message-id"]?.text == "one@x.test" && listed["account"]?.text == "test")
    #expect(listed["recipients"]?[0]?["address"]?.text == "eve@example.net")
    try scene.perform("magnum show --json id:one@x.test")
    #expect(try Self.mistakes("show", try ParsedJSON(scene.said)) == [])
    let shown = try ParsedJSON(scene.said)[0]?[0]?[0]
    #expect(shown?["bounced"]?[0]?["status"]?.text == "5.1.1")
    #expect(shown?["bounced"]?[0]?["reason"]?.text == "no such user")
    #expect(shown?["bounced"]?[1] == nil)
    try scene.perform("magnum status --json = 1")
    #expect(try ParsedJSON(scene.said)["bounced"]?.integer == 1)
    #expect(try Self.mistakes("status", try ParsedJSON(scene.said)) == [])
    try scene.perform("magnum log --json")
    #expect(try ParsedJSON(scene.said)["by"]?.text == "bounce")
  }

  private static func mistakes(_ name: String, _ value: ParsedJSON) throws -> [String] {
    let text = Files.text(Fixtures.project("man/schemas/\(name).json"))
    return try JSONSchema(try #require(text)).mistakes(in: value)
  }

  /// Each machine that sees the report first tags it, and the other has nothing to do.
  @Test func twoMachinesAgree() throws {
    let scene = try BounceScene()
    try scene.perform("sent one bob@example.net")
    try scene.perform("sync")
    let other = try ProgramUnderTest()
    try other.configure(Files.text(scene.stage.program.home[".config/magnum/config.toml"]) ?? "")
    #expect(try other.run().code == 0)
    try scene.perform("report one bob@example.net")
    for _ in 0..<2 {
      try scene.perform("sync")
      #expect(try other.run().code == 0)
    }
    let wanted = ["INBOX report-one bounce", "Sent one bounced"]
    #expect(try scene.shown == wanted)
    // A tag that is taken off there stays off here.
    var command = other.command(["tag", "-bounced", "id:one@x.test"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try command.run().code == 0)
    for _ in 0..<2 {
      #expect(try other.run().code == 0)
      try scene.perform("came")
      try scene.perform("sync")
    }
    #expect(try scene.shown.contains("Sent one"))
  }

  /// A sync without new mail asks the index no more than that of an account that does not send.
  @Test(.enabled("strace cannot trace here") { Strace.canTrace })
  func withoutNewMailTheIndexIsNotAsked() throws {
    var opened: [Bool: [Int]] = [:]
    for sends in [true, false] {
      let scene = try BounceScene(sends: sends)
      let imap = scene.stage.imap
      try scene.perform("came")
      opened[sends] = [try scene.opened(), try scene.opened()]
      try imap.select()
      try imap.store("1", "+FLAGS (\\Flagged)")
      opened[sends]?.append(try scene.opened())
      opened[sends]?.append(try scene.opened())
      // What a sync that only pulls brought is looked at by the next one, once.
      try scene.perform("came")
      opened[sends]?.append(try scene.opened("--pull"))
      opened[sends]?.append(try scene.opened("--pull"))
      opened[sends]?.append(try scene.opened())
      opened[sends]?.append(try scene.opened())
    }
    let (own, others) = (try #require(opened[true]), try #require(opened[false]))
    let more = zip(own, others).map { $0 > $1 }
    #expect(more == [true, false, false, false, false, false, true, false], "\(opened)")
    #expect(zip(own, others).allSatisfy { $0 >= $1 } && own[1] > 0, "\(opened)")
  }

  /// A sync that is killed anywhere leaves the report to the next one, which brings no mail.
  @Test func everyKillIsSurvived() throws {
    let scene = try BounceScene()
    try scene.perform("sent one bob@example.net")
    try scene.perform("sync")
    try scene.perform("report one bob@example.net")
    let stage = scene.stage
    try stage.killEverywhere("bounces", every: 12, moreThan: 30) { place in
      for _ in 0..<2 { _ = try stage.sync() }
      let imap = try RawIMAP(stage.server, user: stage.user)
      let there = BounceScene.lines(of: try imap.everything())
      #expect(there == ["INBOX report-one bounce", "Sent one bounced"], "\(place)")
    }
  }
}

/// An account that sends, and what happens to it.
final class BounceScene {
  let stage: Stage
  private(set) var last: Outcome
  /// What the last command printed.
  private(set) var said = ""
  private(set) var isSynced = true

  init(sends: Bool = true) throws {
    var options = DovecotOptions()
    options.specialUse = [
      "Trash": "\\Trash", "Junk": "\\Junk", "Archive": "\\Archive", "Sent": "\\Sent",
    ]
    stage = try Stage(options)
    try stage.configure(
      account: "address = \"me@x.test\"\n"
        + (sends ? "smtp = \"smtp+plain://127.0.0.1:1\"" : ""),
      isIndexed: true
    )
    last = try stage.sync()
  }

  /// Where messages are on the server: `MAILBOX SUBJECT KEYWORDS`.
  var shown: [String] { get throws { Self.lines(of: try stage.imap.everything()) } }

  static func lines(of mailboxes: [String: [RawIMAP.Message]]) -> [String] {
    mailboxes.flatMap { name, messages in
      messages.map { message in
        let keywords = message.flags.filter { !$0.hasPrefix("\\") }.sorted().map { " \($0)" }
        return "\(name) \(message.subject)\(keywords.joined())"
      }
    }.sorted()
  }

  func perform(_ step: String) throws {
    let parts = step.split(separator: " = ")
    let code = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
    let words = parts[0].split(separator: " ").map(String.init)
    let rest = Array(words.dropFirst())
    switch words[0] {
    case "sent": try put(Self.sent(rest), into: "Sent")
    case "report": try put(Self.report(rest), into: Self.option("in", rest) ?? "INBOX")
    case "came": try put(Self.other, into: "INBOX")
    case "sync":
      last = try stage.program.command(rest).run()
      #expect(last.code == 0, "\(step): \(last)")
      isSynced = true
    default:
      var command = stage.program.command(rest)
      command.program = "\(ProgramUnderTest.products)/magnum"
      last = try command.run()
      #expect(last.code == code, "\(step): \(last)")
      said = last.output
      isSynced = false
    }
  }

  /// Syncs; gives how often the summary of the account was opened.
  ///
  /// Before the index is asked for reports, the folder of sent mail is looked for there. How often files of the index are opened
  /// depends on the time.
  func opened(_ options: String...) throws -> Int {
    let log = stage.program.home["opened"]
    let outcome = try Strace.tracing(stage.program.command(options), "openat", log: log).run()
    #expect(outcome.code == 0, "\(outcome)")
    let calls = (Files.text(log) ?? "").split(separator: "\n")
    return calls.count { $0.contains("/summary\", O_RDONLY") }
  }

  private func put(_ message: [UInt8], into mailbox: String) throws {
    try stage.imap.append(message, to: mailbox, flags: "", date: nil)
  }

  private static func option(_ name: String, _ words: [String]) -> String? {
    words.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  static let other = octets(
    "From: eve@example.net\nTo: me@x.test\nSubject: other\nMessage-ID: <other@example.net>\n\nText\n"
  )

  private static func octets(_ text: String) -> [UInt8] {
    Array(text.replacing("\n", with: "\r\n").utf8)
  }

  static func sent(_ words: [String]) -> [UInt8] {
    let to = words[1].replacing(",", with: ", ")
    return octets(
      """
      From: Me <\(option("from", words) ?? "me@x.test")>
      To: \(to)
      Subject: \(words[0])
      Message-ID: <\(words[0])@x.test>
      Date: \(date(daysAgo: 0))

      Text

      """
    )
  }

  static func report(_ words: [String]) -> [UInt8] {
    let actions = ["delayed", "relayed", "delivered"]
    let action = words.first(where: actions.contains) ?? "failed"
    let reason = option("words", words) ?? "no such user"
    let recipients = words[1].split(separator: ",").map { address in
      """
      Final-Recipient: rfc822; \(address)
      Action: \(action)
      Status: 5.1.1
      Diagnostic-Code: smtp; \(reason)


      """
    }
    let id = words.contains("own") ? "1.0.magnum@localhost" : "report-\(words[1])@example.net"
    return octets(
      """
      From: MAILER-DAEMON@example.net (Mail Delivery System)
      To: me@x.test
      Subject: report-\(words[0])
      Message-ID: <\(id)>
      Date: \(date(daysAgo: Int(option("day", words) ?? "") ?? 0))
      MIME-Version: 1.0
      Content-Type: multipart/report; report-type=delivery-status; boundary=b

      --b
      Content-Type: text/plain

      It did not go.

      --b
      Content-Type: message/delivery-status

      Reporting-MTA: dns; mx.example.net

      \(recipients.joined())
      --b
      Content-Type: text/rfc822-headers

      Message-ID: <\(words[0])@x.test>

      --b--

      """
    )
  }

  private static func date(daysAgo days: Int) -> String {
    var time = Glibc.time(nil) - days * 86_400
    var parts = tm()
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    strftime(&buffer, 64, "%a, %d %b %Y %H:%M:%S +0000", &parts)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
