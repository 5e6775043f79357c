import TestSupport
import Testing

/// Mail that was brought in, on its way to a server.
@Suite struct ImportSyncTests {
  @Test("a sync uploads it with flags and tags, and it is there from then on")
  func uploaded() throws {
    let server = try Dovecot.shared(DovecotOptions())
    let user = Dovecot.freshUser("import")
    let stage = try CarriageStage(
      """
      imap = "\(server.clearURL)"
      user = "\(user)"
      password = "pass"
      """
    )
    let imap = try RawIMAP(server, user: user)
    // One is on the server already, with fields of its way.
    let known = "Received: from x\n" + CarriageStage.message(1)
    try imap.append([Array(known.replacing("\n", with: "\r\n").utf8)])
    let sync = try ProgramUnderTest("magnum-sync")
    let variables = stage.magnum.command([]).environment
    let run = { try Command(sync.path, ["work"], environment: variables).run() }
    #expect(try run().code == 0)
    try stage.home.write(
      CarriageStage.mbox([
        CarriageStage.message(1), CarriageStage.message(2, "X-Status: F\nX-Keywords: blue\n"),
        CarriageStage.message(3, "Status: O\n"),
      ]),
      to: "old.mbox"
    )
    let first = try stage.importMail(stage.home["old.mbox"], "--to", "work/Old")
    #expect(first.lines.first == "3 read: 2 added, 1 already there, 0 deleted before, 0 left out")
    #expect(first.lines.last?.hasPrefix("the next sync of work uploads 2 messages (") == true)
    #expect(try run().code == 0)
    let flags = try imap.messages(in: "Old").map { $0.flags.sorted() }
    #expect(flags.sorted { $0.count < $1.count } == [[], ["\\Flagged", "\\Seen", "blue"]])
    let dates = try imap.command("FETCH 1:* INTERNALDATE").map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(dates.filter { $0.contains("09-Jul-2026 13:00:00 +0000") }.count == 2, "\(dates)")
    // From the mirror it is found again, whatever it is called there.
    let again = try stage.importMail(stage.home["old.mbox"], "--to", "work/Other")
    #expect(again.lines == ["3 read: 0 added, 3 already there, 0 deleted before, 0 left out"])
    #expect(try run().code == 0)
    #expect(try imap.messages(in: "Old").count == 2)
  }

  @Test(
    "no tag keeps a message from its server, nor do many",
    arguments: [(1, 50), (1, 51), (1, 100), (1, 300), (600, 50)]
  )
  func longTags(count: Int, length: Int) throws {
    let server = try Dovecot.shared(DovecotOptions())
    let user = Dovecot.freshUser("import")
    let stage = try CarriageStage(
      """
      imap = "\(server.clearURL)"
      user = "\(user)"
      password = "pass"
      """
    )
    let tags = (1...count).map { "\($0)" + String(repeating: "k", count: length - "\($0)".count) }
    try stage.home.write(
      CarriageStage.mbox([CarriageStage.message(1, "X-Keywords: \(tags.joined(separator: ","))\n")]
      ),
      to: "old.mbox"
    )
    #expect(try stage.importMail(stage.home["old.mbox"], "--to", "work/Old").code == 0)
    let sync = try ProgramUnderTest("magnum-sync")
    let run = try Command(sync.path, ["work"], environment: stage.magnum.command([]).environment)
      .run()
    #expect(run.code == 0, "\(run)")
    #expect(try RawIMAP(server, user: user).messages(in: "Old").count == 1)
  }
}
