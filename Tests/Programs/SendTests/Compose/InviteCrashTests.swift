import TestSupport
import Testing

/// `magnum invite accept` killed at every point where it changes something: first comes the entry of the queue, then the file of the
/// calendar, then the tag; run again, it does each of them once.
struct InviteCrashTests {
  private static let words = ["invite", "accept", "id:i1@x.org"]

  private let saved: SavedStage

  init() throws {
    let stage = try ComposeStage("[calendar]\ndirectory = \"~/calendar\"")
    let mail = """
      From: Ada <ada@x.org>
      To: me@x.test
      Subject: Invitation
      Message-ID: <i1@x.org>
      Date: 1 Jul 2026 10:00:00 +0000
      Content-Type: text/calendar; method=REQUEST; charset=utf-8

      BEGIN:VCALENDAR
      METHOD:REQUEST
      BEGIN:VEVENT
      UID:event@x.org
      DTSTAMP:20260701T100000Z
      DTSTART:20901124T100000Z
      SUMMARY:Lunch
      ORGANIZER:mailto:ada@x.org
      ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:me@x.test
      END:VEVENT
      END:VCALENDAR

      """
    try stage.deliver("n0", mail)
    try #require(stage.run("index").code == 0)
    try Command.shell("mkdir -p \"$1\"", [stage.magnum.home["calendar"]])
    saved = try SavedStage(stage, ["mail", ".local", "calendar"])
  }

  private var stage: ComposeStage { saved.stage }

  private var isFiled: Bool {
    stage.names("calendar").filter { $0.hasSuffix(".ics") }.contains { name in
      Files.text(stage.magnum.home["calendar/\(name)"])?.contains("PARTSTAT=ACCEPTED") ?? false
    }
  }

  private func isTagged() throws -> Bool {
    try stage.run("search", "--output", "messages", "tag:accepted").output == "id:i1@x.org\n"
  }

  /// The ids of what was sent: a server may get one message twice where the program ends before it records the outcome.
  private var sent: Set<String> {
    Set(
      stage.sink.messages.flatMap { message in
        message.text.split(separator: "\n").filter { $0.hasPrefix("Message-ID: ") }.map { "\($0)" }
      }
    )
  }

  @Test func eachStepIsDoneOnce() throws {
    let points = try saved.points(of: Self.words)
    for point in Turn.chosen(of: points, every: Turn.stride(6)) {
      try saved.restore()
      let place: Comment = "point \(point) of \(points)"
      let killed = try saved.run(Self.words, ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "\(place): \(killed)")
      stage.sink.settle()
      try #require(!stage.queued.isEmpty || !sent.isEmpty || !isFiled, "\(place): filed too early")
      try #require(try isFiled || !isTagged(), "\(place): tagged before it is filed")
      let isDone = try isTagged() && stage.queued.isEmpty
      let again = try saved.run(Self.words)
      try #require(again.code == (isDone ? 65 : 0), "\(place): \(again)")
      _ = try stage.run("queue", "flush")
      stage.sink.settle()
      try #require(sent.count == 1 && stage.queued.isEmpty, "\(place): \(sent)")
      try #require(isFiled && stage.names("calendar").count == 1, "\(stage.names("calendar"))")
      // The files are the truth: where they have the tag, a killed act is not done again, and the index may lack it yet.
      _ = try stage.run("index")
      try #require(try isTagged(), "\(place): \(again)")
      let acts = try stage.run("log").output.split(separator: "\n").count
      try #require(acts == 1, "\(place): \(acts) acts")
    }
  }
}
