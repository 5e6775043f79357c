import TestSupport
import Testing

/// On a terminal no octet of a message steers it, however it is printed; a pipe gets all of them.
struct PrintedMessageTests {
  private static let text = "a\u{1B}[31mb\n"

  private func check(_ stage: ComposeStage, _ words: [String]) throws {
    var command = stage.magnum.command(words, ["TERM": "xterm"])
    command.isOnTerminal = true
    let shown = try command.run()
    #expect(shown.code == 0 && shown.output.contains("a\\x1B[31mb"), "\(shown)")
    #expect(!shown.output.contains("\u{1B}"), "\(shown)")
    #expect(try stage.run(words).output.hasSuffix(Self.text))
  }

  @Test(arguments: ["--template", "--print"])
  func draftsDoNotSteerATerminal(_ end: String) throws {
    let stage = try ComposeStage()
    let file = try stage.magnum.home.write(Self.text, to: "body")
    try check(stage, ["compose", "-t", "a@x.org", "-s", "s", "--body", file, end])
  }

  @Test func messagesInTheQueueDoNotSteerATerminal() throws {
    let stage = try ComposeStage()
    let words = ["compose", "-t", "a@x.org", "-s", "s", "--body", "-", "--hold"]
    #expect(try stage.run(words, input: Self.text).code == 0)
    let name = try #require(stage.queued.first)
    try check(stage, ["queue", "show", "--raw", name])
  }
}
