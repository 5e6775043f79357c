import TestSupport
import Testing

/// What is done about sent messages where labels are tags: they lie beside all other mail, and have the tag `sent`.
@Suite struct TaggedSentTests {
  private static func perform(_ scene: TaggedScene, _ lines: String...) throws {
    for line in lines {
      let wrong = try scene.perform(line)
      #expect(wrong == nil, "\(line)")
    }
  }

  private static func sink() throws -> SMTPSink {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH PLAIN")
    return try SMTPSink(options)
  }

  /// An account that sends, with a message that it sent.
  private static func scene(_ sink: SMTPSink) throws -> TaggedScene {
    let scene = try TaggedScene(
      """
      address = "me@x.test"
      smtp = "smtp+plain://127.0.0.1:\(sink.port)"
      """
    )
    deliver(scene, BounceScene.sent(["one", "bob@example.net"]), to: "SENT")
    try perform(scene, "pass", "sync")
    return scene
  }

  private static func deliver(_ scene: TaggedScene, _ message: [UInt8], to place: String) {
    scene.server.deliver(message, to: LabelScene.name(place), flags: ["\\Seen"])
  }

  private static let answer = Array(
    [
      "From: bob@example.net", "To: me@x.test", "Subject: answer", "Message-ID: <a@example.net>",
      "In-Reply-To: <one@x.test>", "", "Yes", "",
    ].joined(separator: "\r\n").utf8
  )

  @Test(arguments: [false, true])
  func answersAreWaitedFor(isAnswered: Bool) throws {
    let sink = try Self.sink()
    let scene = try Self.scene(sink)
    Self.deliver(scene, BounceScene.other, to: "INBOX")
    try Self.perform(
      scene,
      "sync",
      "magnum remind --in 3d id:other@example.net = 65",
      "magnum remind --in 3d id:one@x.test",
      "sync",
      "check All Mail: one S sent waiting"
    )
    #expect(try scene.run(["remind", "--list"]).output.contains("one  id:one@x.test"))
    if isAnswered { Self.deliver(scene, Self.answer, to: "INBOX") }
    try Self.perform(
      scene,
      "due",
      "sync",
      "sync",
      isAnswered ? "check All Mail: one S sent" : "check All Mail: one FS remind sent",
      "alike"
    )
    #expect(scene.entries.isEmpty && scene.server.violations.isEmpty)
  }

  /// Only a message that the server says was sent counts, whatever its author is.
  @Test func failuresAreReported() throws {
    let sink = try Self.sink()
    let scene = try Self.scene(sink)
    Self.deliver(scene, BounceScene.sent(["two", "bob@example.net"]), to: "INBOX")
    for name in ["one", "two"] {
      Self.deliver(scene, BounceScene.report([name, "bob@example.net"]), to: "INBOX")
      try Self.perform(scene, "sync", "sync")
    }
    try Self.perform(
      scene,
      "check All Mail: one S bounced sent",
      "check All Mail: two S inbox",
      "check All Mail: report-one S bounce inbox",
      "alike"
    )
    let listed = try scene.run(["queue", "list", "--bounced"])
    #expect(listed.output.contains("bob@example.net: 5.1.1"), "\(listed)")
    #expect(try scene.run(["show", "id:one@x.test"]).output.contains("5.1.1"))
    #expect(scene.server.violations.isEmpty)
  }
  /// The server files what is sent by itself: no copy is put there, and an answer is waited for from the start.
  @Test func noCopyIsUploaded() throws {
    let sink = try Self.sink()
    let scene = try Self.scene(sink)
    let body = scene.program.home["body"]
    try Files.write("When?\n", to: body)
    let sent = try scene.run([
      "compose", "--send", "--to", "b@x.test", "--subject", "question", "--remind", "3d",
      "--body", body,
    ])
    #expect(sent.code == 0 && sink.messages.count == 1, "\(sent)")
    try Self.perform(scene, "sync", "times 0 APPEND_\"[Gmail]/Sent")
    #expect(scene.served() == ["All Mail: one S sent"])
    let message = try #require(sink.messages.first).octets
    Self.deliver(scene, message, to: "SENT")
    try Self.perform(scene, "sync", "due", "sync", "sync", "alike")
    #expect(try scene.files().contains("All Mail: question FS remind sent"), "\(sent)")
    #expect(scene.entries.isEmpty)
  }
}
