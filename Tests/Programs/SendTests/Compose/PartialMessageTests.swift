import TestSupport
import Testing

/// Messages whose attachments are only on the server are not passed on, kept or sent as if they were all of it.
struct PartialMessageTests {
  private static let text = """
    From: Ada <ada@x.org>
    To: me@x.test
    Subject: plans
    Message-ID: <m2@x.org>
    Date: 1 Jul 2026 10:00:00 +0000
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain

    See below.
    --b
    Content-Type: message/external-body; access-type="x-magnum"; section="2"; size="19000"

    Content-Type: application/pdf; name=plans.pdf
    Content-Disposition: attachment; filename=plans.pdf

    --b--

    """

  /// What a stranger writes: the same, under a seal that no account made.
  private static let forged =
    "X-Magnum-Partial: 20000 0a1b 0123456789abcdef0123456789abcdef\n" + text

  private static func partial() throws -> String { try SealedMark.field("m2@x.org") + text }

  private func stage(_ message: String? = nil) throws -> ComposeStage {
    let stage = try ComposeStage()
    try SealedMark.writeKey(root: stage.magnum.home["mail"])
    try stage.deliver("2", message ?? Self.partial())
    #expect(try stage.run("index").code == 0)
    return stage
  }

  private func expectRefused(_ outcome: Outcome, _ stage: ComposeStage) {
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("only on the"), "\(outcome)")
    #expect(outcome.errors.contains("magnum attachments fetch"), "\(outcome)")
    #expect(stage.sink.messages.isEmpty && stage.queued.isEmpty && stage.drafts.isEmpty)
  }

  @Test(arguments: [["--send"], ["--draft"], ["--hold"], ["--as-attachment", "--send"]])
  func isNotPassedOn(_ options: [String]) throws {
    let stage = try stage()
    let words = ["forward", "-t", "b@x.org", "--body", "-"] + options + ["id:m2@x.org"]
    expectRefused(try stage.run(words, input: "see"), stage)
  }

  @Test(arguments: ["--send", "--draft"])
  func isNotAttached(_ way: String) throws {
    let stage = try stage()
    let file = stage.magnum.home["mail/INBOX/cur/2:2,S"]
    let words = ["compose", "-t", "b@x.org", "-s", "s", "--body", "-", "--attach", file, way]
    expectRefused(try stage.run(words, input: "see"), stage)
  }

  /// Its texts are all there.
  @Test func isAnswered() throws {
    let stage = try stage()
    let words = ["reply", "--body", "-", "--send", "id:m2@x.org"]
    let outcome = try stage.run(words, input: "Fine.\n")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try stage.sent().text.contains("> See below."))
  }

  @Test func isNotTakenByMagnumSend() throws {
    let stage = try stage()
    let inner = "Subject: fwd\nContent-Type: message/rfc822\n\n"
    for message in [try Self.partial(), inner + (try Self.partial())] {
      var command = stage.magnum.command(["b@x.org"])
      command.program = "\(ProgramUnderTest.products)/magnum-send"
      command.input = Array(message.utf8)
      command.timeLimit = 20
      expectRefused(try command.run(), stage)
    }
  }

  @Test func isShownWithTheNamesOfWhatIsMissing() throws {
    let stage = try stage()
    let shown = try stage.run("show", "id:m2@x.org")
    #expect(shown.output.contains("See below."), "\(shown)")
    #expect(shown.output.contains("plans.pdf  (application/pdf, 19 kB on the server)"), "\(shown)")
    #expect(try stage.run("show", "is:partial").code == 0)
    // In no Maildir, where no record tells, its seal does.
    let file = try stage.magnum.home.write(Self.partial(), to: "plans.eml")
    let list = try stage.run("attachments", "list", "--json", file)
    #expect(list.output.contains("\"name\":\"plans.pdf\""), "\(list)")
    #expect(list.output.contains("\"here\":false"), "\(list)")
    // Nothing can fetch it: it is of no account with a server.
    let fetched = try stage.run("attachments", "fetch", file)
    #expect(fetched.code == 65, "\(fetched)")
    let saved = try stage.run("attachments", "save", "--to", stage.magnum.home.path, file)
    #expect(saved.code == 65, "\(saved)")
    #expect(Files.text(stage.magnum.home["plans.pdf"]) == nil)
  }

  /// A mark that no account sealed decides nothing, in a Maildir or out of it.
  @Test(arguments: [forged, text])
  func aStrangersMarkIsContent(_ message: String) throws {
    let stage = try stage(message)
    let file = try stage.magnum.home.write(message, to: "plans.eml")
    for place in ["id:m2@x.org", file] {
      let list = try stage.run("attachments", "list", "--json", place)
      #expect(list.output.contains("\"type\":\"message/external-body\""), "\(list)")
      #expect(list.output.contains("\"here\":true"), "\(list)")
      let fetched = try stage.run("attachments", "fetch", place)
      #expect(fetched.code == 0, "\(fetched)")
      let to = stage.magnum.home["saved"]
      try Files.makeDirectories(to)
      let saved = try stage.run("attachments", "save", "--to", to, place)
      #expect(saved.code == 0 && !Files.names(in: to).isEmpty, "\(saved)")
      let shown = try stage.run("show", place)
      #expect(shown.output.contains("message/external-body"), "\(shown)")
      #expect(!shown.output.contains("on the server"), "\(shown)")
      #expect(try stage.run("show", "is:partial").code == 1)
      for way in [[], ["--as-attachment"]] {
        let words = ["forward", "-t", "b@x.org", "--body", "-", "--hold"] + way + [place]
        let forwarded = try stage.run(words, input: "see")
        #expect(forwarded.code == 0, "\(forwarded)")
      }
    }
    let words = ["compose", "-t", "b@x.org", "-s", "s", "--body", "-", "--attach", file, "--draft"]
    let attached = try stage.run(words, input: "see")
    #expect(attached.code == 0 && stage.drafts.count == 1, "\(attached)")
    var command = stage.magnum.command(["b@x.org"])
    command.program = "\(ProgramUnderTest.products)/magnum-send"
    command.input = Array(message.utf8)
    command.timeLimit = 20
    let sent = try command.run()
    #expect(sent.code == 0 && stage.sink.messages.count == 1, "\(sent)")
  }
}
