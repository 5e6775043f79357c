import TestSupport
import Testing

/// What a sync makes durable in an index: one commit, however much it does.
@Suite struct IndexCostTests {
  @Test(arguments: [1, 10])
  func newMessages(_ count: Int) throws {
    let stage = try Stage.forTriage()
    // The run before has changed the folders, so that they look otherwise than the index knows.
    try stage.imap.append([mail("before")])
    try stage.settle()
    try stage.imap.append((1...count).map { mail("new\($0)") })
    let flushed = try stage.flushed(by: stage.program.command([]))
    let names = Set(FlushedFiles.recent)
    #expect(flushed.filter(names.contains) == FlushedFiles.recent)
    #expect(try stage.found("subject:new*") == count)
    // What the folders look like now is written by the next run, and by none after that.
    _ = try stage.flushed(by: stage.program.trustingCommand([]))
    #expect(try stage.flushed(by: stage.program.trustingCommand([])).filter(names.contains) == [])
  }

  @Test func flagsAndMovesFromTheServer() throws {
    let stage = try Stage.forTriage()
    try stage.magnumWell("index", "--rebuild")
    try stage.settle()
    try stage.imap.command("SELECT INBOX")
    try stage.imap.command("STORE 1:3 +FLAGS (\\Flagged)")
    try stage.imap.command("MOVE 4:5 Archive")
    let flushed = try stage.flushed(by: stage.program.command([]))
    #expect(flushed.filter { $0.hasPrefix("gen-N/") } == TriageCostTests.main)
    #expect(try stage.found("tag:flagged") == 3)
    #expect(try stage.found("folder:Archive") == 2)
  }
}
