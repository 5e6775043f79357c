import TestSupport
import Testing

/// Invitations that are shown and answered.
@Suite struct InviteTests {
  private let stage: ComposeStage

  init() throws {
    stage = try ComposeStage()
    try deliver("2", id: "i1@x.org")
    try #require(try stage.run("index").code == 0)
  }

  private func deliver(
    _ name: String,
    id: String,
    sequence: Int = 0,
    organizer: String = "ada@x.org",
    year: Int = 2090,
    method: String = "REQUEST",
    headers: String = "",
    from: String = "Ada <ada@x.org>"
  ) throws {
    try stage.deliver(
      name,
      """
      \(headers)From: \(from)
      To: me@x.test
      Subject: Invitation
      Message-ID: <\(id)>
      Date: 1 Jul 2026 1\(sequence):00:00 +0000
      Content-Type: text/calendar; method=\(method); charset=utf-8
      Content-Transfer-Encoding: 8bit

      BEGIN:VCALENDAR
      METHOD:\(method)
      BEGIN:VEVENT
      UID:event@x.org
      DTSTAMP:20260701T1\(sequence)0000Z
      DTSTART:\(year)1124T1\(sequence)0000Z
      DTEND:\(year)1124T113000Z
      SEQUENCE:\(sequence)
      SUMMARY:Mittagessen für alle
      ORGANIZER;CN=Ada:mailto:\(organizer)
      ATTENDEE;CN=Me;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:me@x.test
      END:VEVENT
      END:VCALENDAR

      """
    )
  }

  /// The answer is a calendar alone, to the organizer, from the person who is invited; the message is tagged by an act.
  @Test func anInvitationIsAccepted() throws {
    let outcome = try stage.run("invite", "accept", "id:i1@x.org")
    #expect(outcome.code == 0 && outcome.output.contains("sent "), "\(outcome)")
    let sent = try stage.sent()
    #expect(sent.text.contains("Content-Type: text/calendar; method=REPLY; charset=UTF-8\n"))
    #expect(sent.text.contains("Subject: =?utf-8?") || sent.text.contains("Subject: Accepted"))
    #expect(sent.text.contains("In-Reply-To: <i1@x.org>\n"))
    #expect(sent.text.contains("From: Me <me@x.test>\nTo: ada@x.org\n"), "\(sent.text)")
    #expect(sent.text.contains("ATTENDEE;CN=3DMe;PARTSTAT=3DACCEPTED:mailto:me@x.test"))
    #expect(stage.sink.messages.count == 1)
    #expect(stage.names("mail/INBOX/cur").contains("2:2,RS"))
    let shown = try stage.run("show", "id:i1@x.org")
    #expect(shown.output.contains("\nAnswered: accepted\n"), "\(shown)")
    #expect(try stage.run("log").output.contains("invite accepted id:i1@x.org"))
  }

  /// A second answer takes the place of the first one.
  @Test func aSecondAnswerReplacesTheFirst() throws {
    #expect(try stage.run("invite", "accept", "id:i1@x.org").code == 0)
    #expect(try stage.run("invite", "decline", "--note", "ill", "id:i1@x.org").code == 0)
    let tags = try stage.run("search", "--output", "tags", "id:i1@x.org").output
    #expect(tags.contains("declined\n") && !tags.contains("accepted"), "\(tags)")
    #expect(stage.sink.messages.count == 2)
  }

  /// A newer version of the same organizer makes an invitation outdated; that of another one does not, nor what an organizer does
  /// not say.
  @Test(
    arguments: [
      ("ada@x.org", "REQUEST", true), ("ada@x.org", "CANCEL", true),
      ("mallory@x.org", "REQUEST", false),
      ("ada@x.org", "COUNTER", false), ("ada@x.org", "REPLY", false),
    ]
  )
  func outdatedInvitationsAreNotAnswered(
    _ organizer: String,
    _ method: String,
    _ isNewer: Bool
  ) throws {
    try deliver("3", id: "i2@x.org", sequence: 1, organizer: organizer, method: method)
    #expect(try stage.run("index").code == 0)
    let outcome = try stage.run("invite", "accept", "id:i1@x.org")
    #expect(outcome.code == (isNewer ? 65 : 0), "\(outcome)")
    #expect(outcome.errors.contains("id:i2@x.org") == isNewer, "\(outcome)")
    #expect(stage.sink.messages.isEmpty == isNewer)
    guard isNewer, method == "REQUEST" else { return }
    let shown = try stage.run("invite", "show", "id:i2@x.org").output
    #expect(shown.contains("Changed invitation: Mittagessen für alle\n"), "\(shown)")
    #expect(shown.contains("Changed: time, from Fri 2090-11-24 10:00 to 11:30 (UTC)\n"), "\(shown)")
  }

  /// An answer that was given already is not sent again unasked; with a note it is another one.
  @Test func aRepeatedAnswerIsAsked() throws {
    #expect(try stage.run("invite", "accept", "id:i1@x.org").code == 0)
    let again = try stage.run("invite", "accept", "id:i1@x.org")
    #expect(again.code == 65 && again.errors.contains("already"), "\(again)")
    #expect(stage.sink.messages.count == 1)
    #expect(try stage.run("invite", "accept", "--note", "late", "id:i1@x.org").code == 0)
    #expect(try stage.run("invite", "accept", "--yes", "id:i1@x.org").code == 0)
    #expect(stage.sink.messages.count == 3)
  }

  /// The same answer is queued once as long as it waits and no other one was given since.
  @Test func whatWaitsIsNotQueuedAgain() throws {
    try deliver("3", id: "i3@x.org", organizer: "t450@x.org")
    #expect(try stage.run("index").code == 0)
    for answer in ["accept", "accept", "decline", "decline", "accept"] {
      let outcome = try stage.run("invite", answer, "id:i3@x.org")
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(stage.queued.count == 3, "\(stage.queued)")
  }

  /// Reading a message shows what differs from an earlier version, and names a newer one.
  @Test func versionsAreShownWithTheMessage() throws {
    try deliver("3", id: "i2@x.org", sequence: 1)
    #expect(try stage.run("index").code == 0)
    let old = try stage.run("show", "id:i1@x.org").output
    #expect(old.contains("Note: a newer version is in id:i2@x.org\n"), "\(old)")
    let new = try stage.run("show", "id:i2@x.org").output
    #expect(new.contains("Changed invitation: Mittagessen für alle\n"), "\(new)")
    #expect(new.contains("Changed: time, from Fri 2090-11-24 10:00"), "\(new)")
    let json = try stage.run("show", "--json", "id:i1@x.org").output
    #expect(json.contains("\"newer\":\"i2@x.org\""), "\(json)")
  }

  /// What claims to be newer, but is not of its sender by the verdict of the receiving server, does not count.
  @Test func aDisownedVersionDoesNotCount() throws {
    let stage = try ComposeStage(
      "authserv-id = [\"mx.x.test\"]\nimap = \"imap+plain://127.0.0.1:9\"\nuser = \"me\"\npassword = \"x\""
    )
    let test = InviteTests(stage)
    try test.deliver("2", id: "i1@x.org")
    try test.deliver(
      "3",
      id: "i2@x.org",
      sequence: 1,
      headers: "Authentication-Results: mx.x.test; dmarc=fail header.from=x.org\n"
    )
    #expect(try stage.run("index").code == 0)
    let outcome = try stage.run("invite", "accept", "id:i1@x.org")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("id:i2@x.org claims to be newer"), "\(outcome)")
    #expect(try stage.run("invite", "accept", "id:i2@x.org").code == 65)
  }

  private init(_ stage: ComposeStage) { self.stage = stage }

  /// Where something is unusual, nothing is sent unasked.
  @Test func whatIsUnusualIsAsked() throws {
    try deliver("3", id: "i3@x.org", year: 2020)
    try deliver("4", id: "i4@x.org", organizer: "ada@y.org")
    #expect(try stage.run("index").code == 0)
    for id in ["i3@x.org", "i4@x.org"] {
      let outcome = try stage.run("invite", "tentative", "id:\(id)")
      #expect(outcome.code == 65 && outcome.errors.contains("--yes"), "\(outcome)")
      #expect(stage.sink.messages.isEmpty)
    }
    #expect(try stage.run("invite", "tentative", "--yes", "id:i3@x.org").code == 0)
    #expect(stage.sink.messages.count == 1)
  }

  /// The calendar gets what is accepted, under a name of its own, and nothing that is declined.
  @Test func theCalendarGetsTheEvent() throws {
    let stage = try ComposeStage("[calendar]\ndirectory = \"~/calendar\"")
    let test = InviteTests(stage)
    try test.deliver("2", id: "i1@x.org")
    try test.deliver("3", id: "i2@x.org", sequence: 1, method: "CANCEL")
    try #require(try stage.run("index").code == 0)
    let missing = try stage.run("invite", "show", "--save", "id:i2@x.org")
    #expect(missing.code != 0, "\(missing)")
    try Files.makeDirectories(stage.magnum.home["calendar"])
    #expect(try stage.run("invite", "show", "--save", "id:i2@x.org").code == 1)
    #expect(try stage.run("invite", "decline", "id:i1@x.org").code == 65)
    Files.removeTree(stage.magnum.home["mail/INBOX/cur/3:2,S"])
    try #require(try stage.run("index").code == 0)
    #expect(try stage.run("invite", "decline", "id:i1@x.org").code == 0)
    #expect(stage.names("calendar").isEmpty)
    #expect(try stage.run("invite", "accept", "id:i1@x.org").code == 0)
    let name = try #require(stage.names("calendar").first)
    #expect(stage.names("calendar").count == 1 && name.hasSuffix(".ics") && name.count == 68)
    let text = try #require(Files.text(stage.magnum.home["calendar/\(name)"]))
    #expect(text.contains("ATTENDEE;CN=Me;PARTSTAT=ACCEPTED:mailto:me@x.test\r\n"), "\(text)")
    #expect(!text.contains("METHOD"))
    try test.deliver("3", id: "i2@x.org", sequence: 1, method: "CANCEL")
    try #require(try stage.run("index").code == 0)
    let saved = try stage.run("invite", "show", "--save", "id:i2@x.org")
    #expect(saved.code == 0, "\(saved)")
    let cancelled = Files.text(stage.magnum.home["calendar/\(name)"]) ?? ""
    #expect(cancelled.contains("STATUS:CANCELLED\r\nSEQUENCE:1\r\n"), "\(cancelled)")
  }

  /// A calendar that cannot be written keeps no answer from going out.
  @Test func aCalendarThatIsMissingIsReported() throws {
    let stage = try ComposeStage("[calendar]\ndirectory = \"~/calendar\"")
    let test = InviteTests(stage)
    try test.deliver("2", id: "i1@x.org")
    try #require(try stage.run("index").code == 0)
    let outcome = try stage.run("invite", "accept", "id:i1@x.org")
    #expect(
      outcome.code == 1 && outcome.errors.contains("the calendar is not written"),
      "\(outcome)"
    )
    #expect(stage.sink.messages.count == 1)
  }

  @Test func aDryRunChangesNothing() throws {
    let outcome = try stage.run("invite", "accept", "-n", "id:i1@x.org")
    #expect(outcome.code == 0 && outcome.output.contains("method=REPLY"), "\(outcome)")
    #expect(stage.sink.messages.isEmpty && stage.names("mail/INBOX/cur").contains("2:2,S"))
  }

  @Test func messagesWithoutAnEventAreRefused() throws {
    let outcome = try stage.run("invite", "show", "id:m1@x.org")
    #expect(outcome.code == 65 && outcome.errors.contains("no event"), "\(outcome)")
    try deliver("5", id: "i5@x.org", method: "CANCEL")
    #expect(try stage.run("index").code == 0)
    let cancelled = try stage.run("invite", "accept", "id:i5@x.org")
    #expect(cancelled.code == 65 && cancelled.errors.contains("CANCEL"), "\(cancelled)")
  }

  /// JSON of show and of invite has the event.
  @Test func eventsAreJSON() throws {
    let shown = try stage.run("show", "--json", "id:i1@x.org").output
    #expect(
      shown.contains("\"invitation\":{\"method\":\"REQUEST\",\"uid\":\"event@x.org\""),
      "\(shown)"
    )
    #expect(shown.contains("\"start\":\"2090-11-24T10:00:00Z\""), "\(shown)")
    let answered = try stage.run("invite", "accept", "--json", "id:i1@x.org").output
    #expect(answered.contains("\"answer\":\"accepted\""), "\(answered)")
  }
}
