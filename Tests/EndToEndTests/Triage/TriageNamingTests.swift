import TestSupport
import Testing

/// Which messages, and which copies of them, a command means by what it is given.
@Suite struct TriageNamingTests {
  /// The lines of a search.
  private func search(_ stage: Stage, _ words: String...) throws -> [String] {
    var command = stage.program.command(words)
    command.program = "\(ProgramUnderTest.products)/magnum-search"
    return try command.run().lines
  }

  /// Who wrote a message does not choose what is done to others.
  @Test func standardInputNamesFilesMessagesAndThreadsAlone() throws {
    let stage = try Stage.forTriage()
    let subject = "cheap or subject:number1 or pills"
    let text = "Message-ID: <spam@x>\r\nFrom: spam@x\r\nSubject: \(subject)\r\n\r\ntext\r\n"
    let quoted = "Message-ID: <two words@x>\r\nFrom: spam@x\r\nSubject: quoted\r\n\r\ntext\r\n"
    try stage.imap.append([Array(text.utf8), Array(quoted.utf8)])
    try stage.settle()
    let before = TreeSnapshot(stage.maildir)
    let summary = try #require(try search(stage, "id:spam@x").first)
    #expect(summary.contains(subject), "\(summary)")
    let id = "id:spam@x"
    for line in [
      summary, subject, "subject:number1", "\(id) or subject:number1", "\(id) subject:cheap",
      "\(id) -", "id:/spam/", "*", "thread:{\(id)}", "-\(id)", "\(id)\n\(summary)",
    ] {
      let outcome = try stage.magnum("delete", "-", input: "\(line)\n")
      #expect(
        outcome.code == 65 && outcome.errors.contains("--output=files"),
        "\(line): \(outcome)"
      )
    }
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
    let thread = try #require(try search(stage, "--output=threads", id).first)
    try stage.magnumWell("flag", "-", input: "\(thread)\n")
    #expect(try stage.found("tag:flagged") == 1)
    let name = try #require(try search(stage, "--output=messages", "subject:quoted").first)
    try stage.magnumWell("delete", "-", input: "\(id)\n\(name)\n")
    #expect(try stage.found("folder:Trash") == 2 && stage.found("folder:INBOX") == 7)
  }
}
