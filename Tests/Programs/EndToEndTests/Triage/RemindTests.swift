import TestSupport
import Testing

/// Sent messages to which answers are waited for.
@Suite struct RemindTests {
  private static let id = "sent@x.test"

  private static func message(
    _ name: String,
    from: String,
    day: Int,
    _ more: [String] = []
  ) -> [UInt8] {
    let lines =
      [
        "From: \(from)", "To: b@x.test", "Date: \(day) Jan 2025 12:00:00 +0000",
        "Subject: \(name)", "Message-ID: <\(name)@x.test>",
      ] + more + ["", "text", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static func stage() throws -> Stage {
    var options = DovecotOptions()
    options.specialUse = ["Sent": "\\Sent", "Trash": "\\Trash"]
    let stage = try Stage(options)
    try stage.imap.append(message("sent", from: "me@x.test", day: 10), to: "Sent", flags: "\\Seen")
    try stage.configure(
      account: "address = \"me@x.test\"",
      sync: "post-sync = \"cat >> ~/news\"",
      isIndexed: true
    )
    _ = try stage.sync()
    return stage
  }

  private static func setTimes(_ stage: Stage) throws {
    try Command.shell(
      "find \"$1\" -type f -exec sed -i 's/^due .*/due 2020-01-01T00:00:00Z/' {} +",
      [stage.program.home[".local/state/magnum/later/test"]]
    )
  }

  private static func entries(_ stage: Stage) -> Int {
    Files.names(in: stage.program.home[".local/state/magnum/later/test"])
      .count { $0 != Array(".lock".utf8) }
  }

  struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let from: String
    var more: [String] = []
    let isAnswer: Bool

    var testDescription: String { name }
  }

  private static let reference = "In-Reply-To: <\(id)>"

  @Test(arguments: [
    Scene(name: "answer", from: "b@x.test", more: [reference], isAnswer: true),
    Scene(name: "own", from: "Me <ME@x.test>", more: [reference], isAnswer: false),
    Scene(
      name: "away",
      from: "b@x.test",
      more: [reference, "Auto-Submitted: auto-replied"],
      isAnswer: false
    ),
    Scene(
      name: "person",
      from: "b@x.test",
      more: [reference, "Auto-Submitted: no"],
      isAnswer: true
    ),
    Scene(
      name: "report",
      from: "postmaster@x.test",
      more: [reference, "Content-Type: multipart/report; boundary=b"],
      isAnswer: false
    ),
    Scene(name: "other", from: "b@x.test", isAnswer: false),
  ])
  func answersCount(_ scene: Scene) throws {
    let stage = try Self.stage()
    try stage.magnumWell("remind", "--in", "3d", "id:\(Self.id)")
    #expect(try stage.magnumWell("remind", "--list").output.contains("sent  id:\(Self.id)"))
    _ = try stage.sync()
    #expect(try RuleScene.lines(of: stage.imap.everything()) == ["Sent sent [S] waiting"])
    try stage.imap.append(Self.message(scene.name, from: scene.from, day: 12, scene.more))
    try Self.setTimes(stage)
    _ = try stage.sync()
    _ = try stage.sync()
    let sent = scene.isAnswer ? "Sent sent [S]" : "Sent sent [FS] remind"
    let shown = try RuleScene.lines(of: stage.imap.everything())
    #expect(shown == ["INBOX \(scene.name) []", sent], "\(shown)")
    #expect(Self.entries(stage) == 0)
    let news = (Files.text(stage.program.home["news"]) ?? "").split(separator: "\n")
    let reminders = news.filter { $0.contains("\"reminder\":true") }
    #expect(reminders.count == (scene.isAnswer ? 0 : 1), "\(news)")
    let status = try stage.magnum("status")
    #expect(status.output.contains("without an answer") == !scene.isAnswer, "\(status)")
    guard !scene.isAnswer else { return }
    try stage.magnumWell("unflag", "tag:remind")
    #expect(try !stage.magnum("status").output.contains("without an answer"))
  }

  /// A message is waited for from the moment at which it is put into the queue.
  @Test func aMessageIsWaitedForWhileItIsWritten() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH PLAIN")
    let sink = try SMTPSink(options)
    let stage = try Self.stage()
    try stage.configure(
      account: """
        address = "me@x.test"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        """,
      isIndexed: true
    )
    var command = stage.program.command([
      "compose", "--send", "--to", "b@x.test", "--subject", "question", "--remind", "3d",
      "--body", "-",
    ])
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.input = Array("When?\n".utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0 && sink.messages.count == 1, "\(outcome)")
    _ = try stage.sync()
    #expect(try stage.magnumWell("remind", "--list").output.contains("  question  id:"))
    try Self.setTimes(stage)
    _ = try stage.sync()
    _ = try stage.sync()
    let shown = try RuleScene.lines(of: stage.imap.everything())
    #expect(shown.contains("Sent question [FS] remind"), "\(shown)")
    #expect(Self.entries(stage) == 0)
  }

  /// What a person took back, cancelled or removed is not looked at.
  @Test(arguments: [["undo"], ["tag", "-waiting", "id:sent@x.test"], ["remind", "--cancel", "*"]])
  func whatIsNoLongerWaitedFor(_ words: [String]) throws {
    let stage = try Self.stage()
    try stage.magnumWell("remind", "--in", "3d", "id:\(Self.id)")
    var command = stage.program.command(words)
    command.program = "\(ProgramUnderTest.products)/magnum"
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    try Self.setTimes(stage)
    _ = try stage.sync()
    #expect(try RuleScene.lines(of: stage.imap.everything()) == ["Sent sent [S]"])
    #expect(Self.entries(stage) == 0)
  }

  @Test func onlySentMessagesAreWaitedFor() throws {
    let stage = try Self.stage()
    try stage.imap.append(Self.message("other", from: "b@x.test", day: 12))
    _ = try stage.sync()
    let other = try stage.magnum("remind", "--in", "3d", "id:other@x.test")
    #expect(other.code == 65 && other.errors.contains("it is no sent message"), "\(other)")
    for time in ["soon", "3", "-1d", "900d", ""] {
      let outcome = try stage.magnum("remind", "--in", time, "id:\(Self.id)")
      #expect(outcome.code == 64, "\(time): \(outcome)")
    }
    #expect(Self.entries(stage) == 0)
  }
}
