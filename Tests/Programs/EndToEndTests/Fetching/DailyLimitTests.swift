import TestSupport
import Testing

/// Accounts that limit what is fetched in a day.
@Suite struct DailyLimitTests {
  /// An account with some messages of about 10 kB, and a limit.
  private func stage(
    _ count: Int,
    limit: String,
    _ options: DovecotOptions = DovecotOptions()
  ) throws -> Stage {
    let stage = try Stage(options)
    try append(count, "old", to: "INBOX", stage)
    try stage.configure(sync: "daily-limit = \"\(limit)\"")
    return stage
  }

  private func append(_ count: Int, _ word: String, to mailbox: String, _ stage: Stage) throws {
    let body = String(repeating: String(repeating: "x", count: 98) + "\r\n", count: 100)
    for number in 0..<count {
      try stage.imap.append(mail("\(word) \(number)", body: body), to: mailbox)
    }
  }

  private func sync(_ stage: Stage, day: Int, _ arguments: String...) throws -> Outcome {
    let outcome = try stage.program.command(
      ["-v"] + arguments,
      ["MAGNUM_DAYS_AHEAD": "\(day)"]
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    return outcome
  }

  private func magnum(_ stage: Stage, day: Int, _ arguments: String...) throws -> Outcome {
    var command = stage.program.command(arguments, ["MAGNUM_DAYS_AHEAD": "\(day)"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  private func files(_ stage: Stage, _ mailbox: String = "INBOX") -> Int {
    stage.tree[OctetName(mailbox)].count
  }

  @Test(arguments: [DovecotOptions(), DovecotOptions().hiding("QRESYNC", "CONDSTORE")])
  func aFirstSyncOverDays(_ options: DovecotOptions) throws {
    let stage = try stage(12, limit: "50kB", options)
    let first = try sync(stage, day: 0)
    #expect(first.output.contains("daily-limit of 50 kB reached with 51 kB: 7 messages"))
    #expect(first.output.contains(" left; continues at 00:00 UTC, in "), "\(first)")
    #expect(files(stage) == 5)
    let again = try sync(stage, day: 0)
    #expect(again.output.contains("7 messages"), "\(again)")
    #expect(files(stage) == 5)
    _ = try sync(stage, day: 1)
    #expect(files(stage) == 10)
    let last = try sync(stage, day: 2)
    #expect(!last.output.contains("left"), "\(last)")
    try stage.expectMirrored()
  }

  /// What comes to INBOX is not held back by what was there before, and nothing of the rest is taken for removed.
  @Test func newMailOfINBOXIsOutsideOfTheLimit() throws {
    let stage = try stage(12, limit: "50kB")
    try stage.imap.create("Archive")
    try append(3, "filed", to: "Archive", stage)
    _ = try sync(stage, day: 0)
    #expect(files(stage) == 5 && files(stage, "Archive") == 0)
    try append(8, "new", to: "INBOX", stage)
    try append(1, "filed later", to: "Archive", stage)
    let outcome = try sync(stage, day: 0)
    #expect(files(stage) == 13 && files(stage, "Archive") == 0, "\(outcome)")
    #expect(outcome.output.contains("11 messages"), "\(outcome)")
    #expect(try stage.imap.everything()["INBOX"]?.count == 20)
    for day in 1...4 { _ = try sync(stage, day: day) }
    try stage.expectMirrored()
  }

  /// One message a day at least, however large it is.
  @Test func aMessageLargerThanTheLimit() throws {
    let stage = try stage(3, limit: "1kB")
    for day in 0...2 {
      _ = try sync(stage, day: day)
      #expect(files(stage) == day + 1)
    }
    try stage.expectMirrored()
  }

  /// What a run fetched counts, also where it was killed before it recorded that.
  @Test func aRunThatIsKilled() throws {
    let stage = try stage(12, limit: "50kB")
    var killed = 0
    for point in [10, 20, 30, 40, 60] {
      let run = try stage.program.command(
        ["-v"],
        ["MAGNUM_DAYS_AHEAD": "0", "MAGNUM_FAULT": "\(point)"]
      ).run()
      if run.code != 0 { killed += 1 }
    }
    #expect(killed > 0)
    _ = try sync(stage, day: 0)
    #expect(files(stage) < 10)
    for day in 1...3 { _ = try sync(stage, day: day) }
    try stage.expectMirrored()
  }

  @Test func whatIsLeftIsShownByStatusAndJSON() throws {
    let stage = try stage(12, limit: "50kB")
    let json = try sync(stage, day: 0, "--json")
    #expect(json.output.contains("\"left\":7"), "\(json)")
    #expect(json.output.contains("\"resumes\":\""), "\(json)")
    let status = try magnum(stage, day: 0, "status")
    #expect(status.code == 0, "\(status)")
    #expect(status.output.contains("daily-limit: 7 messages"), "\(status)")
    #expect(status.output.contains("left; continues at 00:00 UTC, in "), "\(status)")
    let later = try magnum(stage, day: 1, "status")
    #expect(later.output.contains("left; continues now"), "\(later)")
    for day in 1...2 { _ = try sync(stage, day: day) }
    let done = try magnum(stage, day: 2, "status")
    #expect(!done.output.contains("daily-limit"), "\(done)")
  }

  /// Off a terminal, as cron runs it, with the name of an account or without: what is left is said on standard error, once in a
  /// day, and the status stays 0; with -q, nothing is said.
  @Test(arguments: Turn.part(of: [[], ["test"]]))
  func whatIsLeftIsSaidToThoseWhoReadNothingElse(_ names: [String]) throws {
    let stage = try stage(12, limit: "50kB")
    func run(_ day: Int, _ arguments: String...) throws -> Outcome {
      try stage.program.command(arguments + names, ["MAGNUM_DAYS_AHEAD": "\(day)"]).run()
    }
    let quiet = try run(0, "-q")
    #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
    let first = try run(0)
    #expect(first.code == 0 && first.output.isEmpty, "\(first)")
    let words = "magnum-sync: test: daily-limit of 50 kB reached with 51 kB: 7 messages"
    #expect(first.errors.hasPrefix(words), "\(first)")
    #expect(first.errors.contains(" left; continues at 00:00 UTC, in "), "\(first)")
    #expect(first.errors.split(separator: "\n").count == 1, "\(first)")
    let again = try run(0)
    #expect(again.code == 0 && again.output.isEmpty && again.errors.isEmpty, "\(again)")
    let next = try run(1)
    #expect(next.code == 0 && next.errors.contains(": 2 messages"), "\(next)")
    let last = try run(2)
    #expect(last.code == 0 && last.errors.isEmpty, "\(last)")
    try stage.expectMirrored()
  }

  /// A deep verification takes its part of the limit, and goes on the next day.
  @Test func verification() throws {
    let stage = try stage(8, limit: "100kB")
    _ = try sync(stage, day: 0)
    #expect(files(stage) == 8)
    let first = try magnum(stage, day: 0, "verify", "--deep")
    #expect(first.code == 0, "\(first)")
    #expect(first.output.contains("daily-limit reached: 6 messages"), "\(first)")
    let second = try magnum(stage, day: 1, "verify", "--deep")
    #expect(second.code == 0, "\(second)")
    #expect(second.output.contains("8 messages equal octet by octet"), "\(second)")
    #expect(!second.output.contains("daily-limit"), "\(second)")
  }
}
