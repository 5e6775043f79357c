import Synchronization
import Testing
import TestSupport

/// Servers that leave out, mix up or contradict themselves: no mail is removed, marked or missed because of it.
@Suite struct OddServerTests {
  private static let plain = "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ LIST-STATUS"

  @Test func aSearchWithoutAnAnswerProvesNothing() throws {
    let rig = try Rig(["INBOX": 2])
    try rig.stage.syncWell()
    rig.bend { $0.name == "UID SEARCH" ? [.lines("{tag} OK done")] : nil }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].count == 2)
  }

  @Test func aListThatLacksMailProvesNothing() throws {
    let rig = try Rig(["INBOX": 2], capabilities: Self.plain)
    try rig.stage.syncWell()
    rig.bend { request in
      guard request.name == "UID FETCH" else { return nil }
      return [.lines("* 1 FETCH (UID 1 FLAGS (\\Seen))", "* 2 FETCH (FLAGS ())", "{tag} OK")]
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 1 && outcome.errors.contains("left out 1 of its 2"), "\(outcome)")
    #expect(rig.stage.tree["INBOX"].map(\.flags).sorted() == ["", "S"])
    rig.bend { _ in nil }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].map(\.flags).sorted() == ["", ""])
  }

  @Test func whatIsSaidOfAnotherMailboxIsNotTaken() throws {
    let capabilities = "\(Self.plain) CONDSTORE ENABLE QRESYNC"
    let rig = try Rig(["Alpha": 1, "Beta": 1], modSequence: 5, capabilities: capabilities)
    try rig.stage.syncWell()
    rig.modSequence = 6
    let isRefused = Mutex(false)
    rig.bend { request in
      switch (request.name, request.text.contains("Alpha")) {
      case ("SELECT", true):
        isRefused.withLock { $0 = true }
        return [.lines("{tag} NO [INUSE] later")]
      case ("SELECT", false):
        isRefused.withLock { $0 = false }
        // What came before CLOSED belongs to the mailbox of before (RFC 7162 §3.2.11).
        return [
          .lines("* VANISHED 1", "* 1 FETCH (UID 1 FLAGS (\\Deleted))", "* OK [CLOSED] closed"),
          .lines("* 1 EXISTS", "* OK [UIDVALIDITY 1]", "* OK [UIDNEXT 2]"),
          .lines("* OK [HIGHESTMODSEQ 6]", "{tag} OK"),
        ]
      case ("UID FETCH", _) where isRefused.withLock { $0 }:
        return [.lines("* 1 FETCH (UID 1 FLAGS (\\Flagged))", "{tag} OK")]
      default: return nil
      }
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 75, "\(outcome)")
    #expect(rig.stage.tree["Alpha"].map(\.flags) == [""])
    #expect(rig.stage.tree["Beta"].map(\.flags) == [""])
  }

  @Test func aRemovalThatRaisesNoModificationSequenceIsSeen() throws {
    let rig = try Rig(["INBOX": 2], modSequence: 5, capabilities: "\(Self.plain) CONDSTORE")
    try rig.stage.syncWell()
    rig.server.mailboxes[0].mails.removeFirst()
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].count == 1)
  }

  @Test func aMailboxMayGiveUpModificationSequences() throws {
    let rig = try Rig(["INBOX": 2], modSequence: 5, capabilities: "\(Self.plain) CONDSTORE")
    try rig.stage.syncWell()
    rig.modSequence = nil
    rig.server.mailboxes[0].mails[0].flags = "\\Seen"
    rig.bend { request in
      request.text.contains("CHANGEDSINCE") ? [.lines("{tag} BAD no CONDSTORE here")] : nil
    }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].map(\.flags).sorted() == ["", "S"])
  }

  @Test func answersMayOvertakeEachOther() throws {
    let rig = try Rig(["INBOX": 2])
    try rig.stage.syncWell()
    let first = Mutex("")
    rig.bend { request in
      guard request.name == "UID SEARCH" else { return nil }
      if request.text.hasSuffix(" ALL") {
        first.withLock { $0 = request.tag }
        return []
      }
      guard request.text.hasSuffix(" SEEN") else { return nil }
      let tag = first.withLock { $0 }
      return [
        .lines("* ESEARCH (TAG \"{tag}\") UID ALL 1", "{tag} OK"),
        .lines("* ESEARCH (TAG \"\(tag)\") UID ALL 1:2", "\(tag) OK"),
      ]
    }
    let outcome = try rig.stage.syncWell()
    #expect(outcome.seconds < 20)
    #expect(rig.stage.tree["INBOX"].map(\.flags).sorted() == ["", "S"])
  }

  @Test func mailThatIsListedAndNotGivenIsSaid() throws {
    let rig = try Rig(["INBOX": 3])
    rig.bend { request in
      guard request.name == "UID FETCH", request.text.contains("BODY") else { return nil }
      return [.lines("* 1 FETCH (UID 1 FLAGS () BODY[] {1}", "x)", "{tag} OK")]
    }
    let outcome = try rig.stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("test/INBOX/2") && outcome.errors.contains("test/INBOX/3"))
    rig.bend { _ in nil }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].count == 3)
  }

  @Test func linesStayShortHoweverTheMailIsScattered() throws {
    let mails = (1...1000).map { FakeMailServer.Mail($0 * 700_001, "Subject: \($0)\r\n\r\nx\r\n") }
    let rig = try Rig([FakeMailServer.Mailbox("INBOX", mails)])
    try rig.stage.configure(url: rig.server.clearURL, sync: "window = \"30d\"")
    try rig.stage.syncWell()
    #expect(rig.server.requests.contains { $0.hasPrefix("UID FETCH") })
    #expect(rig.server.requests.allSatisfy { $0.utf8.count <= 8192 })
  }

  @Test func aMailboxThatBecameABranchIsSaidToBeGone() throws {
    let rig = try Rig(["INBOX": 1, "Lists": 1, "Lists/swift": 1])
    try rig.stage.syncWell()
    rig.server.mailboxes[1].attributes = "\\Noselect"
    let outcome = try rig.stage.sync()
    #expect(outcome.errors.contains("test/Lists: the server no longer has"), "\(outcome)")
    #expect(rig.stage.tree["Lists"].count == 1)
    // Said until it is settled.
    #expect(try rig.stage.sync().code == 1)
    #expect(rig.stage.tree["Lists"].count == 1)
  }

  @Test func aHintForTheShellIsOneWord() throws {
    let rig = try Rig(["it's": 4])
    try rig.stage.syncWell()
    rig.server.mailboxes[0].mails = [FakeMailServer.Mail(5, "Subject: 5\r\n\r\nx\r\n")]
    let outcome = try rig.stage.sync()
    #expect(outcome.errors.contains("--allow-mass-delete 'test/it'\\''s' test"), "\(outcome)")
  }

  @Test func aDryRunCountsDeletionsAsTheRunDoes() throws {
    let rig = try Rig(["Alpha": 60, "Beta": 60])
    try rig.stage.syncWell()
    for index in 0...1 { rig.server.mailboxes[index].mails.removeFirst(16) }
    let planned = try rig.stage.sync("--dry-run", "-v")
    #expect(planned.code == 1, "\(planned)")
    #expect(planned.output.split(separator: "\n").filter { $0.contains(": remove ") }.count == 16)
    let done = try rig.stage.sync()
    #expect(done.code == 1, "\(done)")
    #expect(rig.stage.tree.count == 104)
  }

  @Test func firstSyncsAtTheSameTimeAgree() throws {
    for _ in 1...4 {
      let rig = try Rig(["INBOX": 2])
      let runs = try (1...3).map { _ in try rig.stage.program.command([]).start() }
      for run in runs { _ = run.wait() }
      try rig.stage.syncWell()
      #expect(rig.stage.tree["INBOX"].count == 2)
    }
  }
}
