import TestSupport
import Testing

/// A real server with files in the format of mbox: no UIDPLUS, no MOVE, and the first message of a file gets another size when it
/// is put there.
@Suite(.enabled("imap4d is there") { MboxServer.canRun }) struct MboxServerTests {
  private let program: ProgramUnderTest
  private let server: MboxServer

  init() throws {
    program = try ProgramUnderTest()
    server = try MboxServer(in: program.home, inbox: ["a", "b"], mailboxes: ["Work"])
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      \(server.line())
      index = false

      """
    )
  }

  private func count(_ folder: String) -> Int {
    MaildirTree(program.home["Mail/test"])[OctetName(Array(folder.utf8))].count
  }

  @Test func aMoveIsDoneOnce() throws {
    let first = try program.run()
    #expect(first.code == 0, "\(first)")
    _ = try LocalFolder(program.home["Mail/test"], "INBOX").move("b", to: "Work", flags: "")
    for _ in 0..<3 {
      let outcome = try program.run()
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(server.subjects("inbox") == ["a"] && server.subjects("server/Work") == ["b"])
    #expect(count("INBOX") == 1 && count("Work") == 1)
  }
}
