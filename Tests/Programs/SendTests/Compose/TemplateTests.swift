import TestSupport
import Testing

/// Messages that begin with a template.
struct TemplateTests {
  private static let thanks = """
    To: team@x.org
    Subject: thanks
    X-Note: of the template

    Thank you.

    """

  private static func stage(_ text: String = thanks) throws -> ComposeStage {
    let stage = try ComposeStage()
    try stage.magnum.home.write(text, to: ".config/magnum/templates/thanks")
    return stage
  }

  @Test func aTemplateIsTheMessage() throws {
    let stage = try Self.stage()
    let outcome = try stage.run("compose", "--use-template", "thanks", "--send")
    #expect(outcome.code == 0, "\(outcome)")
    let sent = try stage.sent().text
    for line in ["To: team@x.org\n", "Subject: thanks\n", "X-Note: of the template\n"] {
      #expect(sent.contains(line), "\(sent)")
    }
    #expect(sent.hasSuffix("\n\nThank you.\n"), "\(sent)")
  }

  @Test func optionsWin() throws {
    let stage = try Self.stage()
    let words = [
      "compose", "--use-template", "thanks", "-c", "c@x.org", "-s", "mine", "--header",
      "x-note: mine",
      "--body", "-", "--print",
    ]
    let printed = try stage.run(words, input: "text\n").output
    #expect(printed.contains("Cc: c@x.org\n") && !printed.contains("team@x.org"), "\(printed)")
    #expect(printed.contains("Subject: mine\n") && printed.contains("x-note: mine\n"))
    #expect(!printed.contains("of the template") && printed.hasSuffix("\n\ntext\n"), "\(printed)")
  }

  @Test func jsonWins() throws {
    let stage = try Self.stage()
    let words = ["compose", "--json", "--use-template", "thanks", "--print", "-"]
    let text = try stage.run(words, input: "{\"to\":[\"a@x.org\"],\"subject\":\"mine\"}").output
    #expect(text.contains("To: a@x.org\n") && text.contains("Subject: mine\n"), "\(text)")
    #expect(text.hasSuffix("\n\nThank you.\n"), "\(text)")
    let other = try stage.run(words, input: "{\"text\":\"other\"}").output
    #expect(other.contains("To: team@x.org\n") && other.hasSuffix("\n\nother\n"), "\(other)")
  }

  /// An answer goes to whom it answers, under its own subject.
  @Test func anAnswerKeepsItsRecipients() throws {
    let stage = try Self.stage()
    let words = ["reply", "--use-template", "thanks", "--print", "id:m1@x.org"]
    let text = try stage.run(words).output
    #expect(
      text.contains("To: Ada <ada@x.org>\n") && text.contains("Subject: Re: lunch\n"),
      "\(text)"
    )
    #expect(text.contains("Thank you.") && text.contains("Shall we?"), "\(text)")
  }

  @Test func whatIsPrintedIsATemplate() throws {
    let stage = try Self.stage()
    let words = ["compose", "-t", "b@x.org", "-s", "again", "--body", "-", "--template"]
    let text = try stage.run(words, input: "text\n").output
    try stage.magnum.home.write(text, to: ".config/magnum/templates/printed_1")
    let again = try stage.run("compose", "--use-template", "printed_1", "--template").output
    #expect(again == text)
  }

  @Test(arguments: [
    ("nothing", "To: a@x.org\n\nx\n", 66, "no template nothing"),
    ("../config.toml", "", 64, "the name of a template"), ("", "", 64, "the name of a template"),
    ("thanks", "no header\n", 65, "line 1 is no field"),
    ("thanks", "In-Reply-To: <x@y>\n\nx\n", 65, "cannot be set"),
    ("thanks", "To: a@x.org b@x.org\n\nx\n", 65, "no address"),
    ("thanks", "To: a@x.org\nAttach: /nowhere\n\nx\n", 66, "cannot be attached"),
  ])
  func whatIsNoTemplate(_ name: String, _ text: String, _ status: Int, _ words: String) throws {
    let stage = try Self.stage(text)
    let outcome = try stage.run("compose", "--use-template", name, "--send")
    #expect(Int(outcome.code) == status && outcome.errors.contains(words), "\(outcome)")
    #expect(stage.sink.messages.isEmpty && stage.queued.isEmpty)
  }

  @Test func whatIsWrittenAlreadyHasNone() throws {
    let stage = try Self.stage()
    let outcome = try stage.run(
      ["compose", "--use-template", "thanks", "--send", "-"],
      input: "To: a@x.org\nSubject: s\n\nx\n"
    )
    #expect(outcome.code == 64, "\(outcome)")
  }
}
