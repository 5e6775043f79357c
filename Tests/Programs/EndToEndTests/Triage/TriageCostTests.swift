import TestSupport
import Testing

/// What a command on messages makes durable does not depend on how many there are.
@Suite struct TriageCostTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    /// The files and directories that are flushed besides those of the index; a number is `N`.
    var flushed: [String]

    var testDescription: String { words[0] }
  }

  private static let cases = [
    Case(words: ["read"], flushed: ["journal/N-N", "INBOX/cur"]),
    Case(words: ["archive"], flushed: ["journal/N-N", "Archive/cur", "INBOX/cur"]),
    Case(words: ["tag", "+work"], flushed: ["journal/N-N", "INBOX/.magnum-tags", "test/INBOX"]),
  ]

  /// Four tables, and the file that says which version of them counts.
  static let main = [
    "gen-N/docdata.glass", "gen-N/position.glass", "gen-N/postlist.glass", "gen-N/termlist.glass",
    "gen-N/v.tmp",
  ]

  @Test(arguments: cases, [main, FlushedFiles.recent])
  func flushes(_ table: Case, _ index: [String]) throws {
    let stage = try Stage.forTriage()
    try stage.imap.append((1...40).map { mail("many\($0)") })
    try stage.settle()
    if index == Self.main { try stage.magnumWell("index", "--rebuild") }
    // From now on all files are in cur, and the journal is there.
    try stage.magnumWell("flag", "*")
    try stage.magnumWell("unflag", "*")
    for query in ["subject:number1", "subject:number1 or subject:many*"] {
      var command = stage.program.command(table.words + ["--yes", query])
      command.program = "\(ProgramUnderTest.products)/magnum"
      let found = try stage.flushed(by: command)
      #expect(found == (table.flushed + index).sorted(), "\(query)")
      try stage.magnumWell("undo")
    }
  }
}
