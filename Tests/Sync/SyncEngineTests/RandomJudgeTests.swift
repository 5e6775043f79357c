import TestSupport
import Testing

/// The random judge against a server in memory: a few seeds of each set of capabilities, and all scenes that were kept.
@Suite struct RandomJudgeTests {
  @Test(
    arguments: [
      "full", "noobjectid", "noqresync", "nocondstore", "nouidplus", "nomove", "nostatus",
      "courier", "bare", "nonext", "copies", "uploads",
    ]
  )
  func seeds(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--shrink"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Runs that leave removals to later ones, as those of a watch do.
  @Test(arguments: ["full", "nocondstore", "bare"])
  func postponedRemovals(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "1000", "--postpone"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Accounts that keep what the server loses.
  @Test(arguments: ["full", "nocondstore", "bare"])
  func keptFiles(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "2000", "--keep"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Accounts that fetch a few messages a day.
  @Test(arguments: ["full", "nocondstore", "bare"])
  func dailyLimits(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "4000", "--daily"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Runs of one mailbox alone between runs of all.
  @Test(arguments: ["full", "nocondstore", "nouidplus", "bare"])
  func mailboxesAlone(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "6000", "--only"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Accounts with a size limit, which is switched on and off.
  @Test(arguments: ["full", "nocondstore", "nomove", "bare"])
  func sizeLimits(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "5000", "--parts"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
    #expect(!outcome.output.contains(" 0 partial files"))
  }

  /// Runs that only pull or only push, messages that differ in their texts alone, windows, mailboxes that are removed, other
  /// settings, servers that keep all mailboxes below INBOX, and one on the machine that shows the same folders.
  @Test(
    arguments: [
      "--one-way", "--twins", "--window", "--remove", "--settings", "--namespace", "--served",
    ],
    ["full", "nocondstore", "bare"]
  )
  func settings(_ option: String, _ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "7000", option])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Mailboxes that are labels, as Gmail's are, which tells no vanished messages.
  @Test(arguments: ["noqresync", "nouidplus"])
  func labels(_ set: String) throws {
    let outcome = try judge(["--sets", set, "--seeds", "4", "--first", "8000", "--labels"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Every mailbox is fetched over several connections.
  @Test(arguments: ["full", "bare"])
  func sharedFetches(_ set: String) throws {
    let words = ["--sets", set, "--seeds", "4", "--first", "3000"]
    let outcome = try judge(words, ["MAGNUM_FETCH_WATCH": "0"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): 4 seeds"))
  }

  /// Those of the judge of real servers too: each says what its server lacks.
  @Test func scenes() throws {
    let folder = Fixtures.project("Tests/judge/scenes")
    let names = Files.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
    let kept = names.filter { $0.hasSuffix(".txt") }.sorted().map { "\(folder)/\($0)" }
    #expect(kept.count > 50)
    let own = Fixtures.path("Fixtures/judged.txt")
    let outcome = try judge(["--scene", own] + kept)
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// Scenes of which each run trusts at once what times of directories say.
  @Test func scenesOfTrustedTimes() throws {
    let words = ["--scene", Fixtures.path("Fixtures/judged-at-once.txt")]
    let times = ["SWIFT_DETERMINISTIC_HASHING": "1", "MAGNUM_FINGERPRINT_AGE": "1"]
    let outcome = try judge(words, times)
    #expect(outcome.code == 0, "\(outcome)")
  }

  private func judge(
    _ arguments: [String],
    _ variables: [String: String] = [:]
  ) throws -> Outcome {
    let environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
    var command = Command(
      "\(ProgramUnderTest.products)/magnum-judge",
      arguments,
      environment: environment.merging(variables) { _, given in given }
    )
    // Each scene is played with many fault points, beside other tests.
    command.timeLimit = 600
    return try command.run()
  }
}
