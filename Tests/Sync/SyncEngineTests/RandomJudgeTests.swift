import TestSupport
import Testing

/// The random judge against a server in memory: a few seeds of some sets of capabilities, and some of the scenes that were kept.
///
/// The commit chooses them; the long tests play all.
@Suite struct RandomJudgeTests {
  /// How many seeds are played in each way.
  private static let count = runsLongTests ? 4 : 2

  @Test(
    arguments: Turn.part(
      of: [
        "full", "noobjectid", "noqresync", "nocondstore", "nouidplus", "nomove", "nostatus",
        "courier", "bare", "nonext", "copies", "uploads",
      ]
    )
  )
  func seeds(_ set: String) throws {
    try playSeeds(set, "--shrink")
  }

  /// Runs that leave removals to later ones, as those of a watch do.
  @Test(arguments: Turn.part(of: ["full", "nocondstore", "bare"]))
  func postponedRemovals(_ set: String) throws {
    try playSeeds(set, "--first", "1000", "--postpone")
  }

  /// Accounts that keep what the server loses.
  @Test(arguments: Turn.part(of: ["full", "nocondstore", "bare"]))
  func keptFiles(_ set: String) throws {
    try playSeeds(set, "--first", "2000", "--keep")
  }

  /// Accounts that fetch a few messages a day.
  @Test(arguments: Turn.part(of: ["full", "nocondstore", "bare"]))
  func dailyLimits(_ set: String) throws {
    try playSeeds(set, "--first", "4000", "--daily")
  }

  /// Runs of one mailbox alone between runs of all.
  @Test(arguments: Turn.part(of: ["full", "nocondstore", "nouidplus", "bare"]))
  func mailboxesAlone(_ set: String) throws {
    try playSeeds(set, "--first", "6000", "--only")
  }

  /// Accounts with a size limit, which is switched on and off.
  @Test(arguments: Turn.part(of: ["full", "nocondstore", "nomove", "bare"]))
  func sizeLimits(_ set: String) throws {
    let outcome = try playSeeds(set, "--first", "5000", "--parts")
    #expect(!outcome.output.contains(" 0 partial files"))
  }

  /// Runs that only pull or only push, messages that differ in their texts alone, windows, mailboxes that are removed, other
  /// settings, servers that keep all mailboxes below INBOX, and one on the machine that shows the same folders.
  @Test(
    arguments: Turn.part(
      of: [
        "--one-way", "--twins", "--window", "--remove", "--settings", "--namespace", "--served",
      ]
    ),
    ["full", "nocondstore", "bare"]
  )
  func settings(_ option: String, _ set: String) throws {
    try playSeeds(set, "--first", "7000", option)
  }

  /// Mailboxes that are labels, as Gmail's are, which tells no vanished messages.
  @Test(arguments: Turn.part(of: ["noqresync", "nouidplus"]))
  func labels(_ set: String) throws {
    try playSeeds(set, "--first", "8000", "--labels")
  }

  /// Every mailbox is fetched over several connections.
  @Test(arguments: Turn.part(of: ["full", "bare"]))
  func sharedFetches(_ set: String) throws {
    let words = ["--sets", set, "--seeds", "\(Self.count)", "--first", "3000"]
    let outcome = try judge(words, ["MAGNUM_FETCH_WATCH": "0"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): \(Self.count) seeds"))
  }

  /// Those of the judge of real servers too: each says what its server lacks.
  @Test func scenes() throws {
    let folder = Fixtures.project("Tests/judge/scenes")
    let names = Files.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
    let kept = names.filter { $0.hasSuffix(".txt") }.sorted().map { "\(folder)/\($0)" }
    #expect(kept.count > 50)
    let own = Fixtures.path("Fixtures/judged.txt")
    let outcome = try judge(["--scene", own] + Turn.part(of: kept))
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// Scenes of which each run trusts at once what times of directories say.
  @Test func scenesOfTrustedTimes() throws {
    let words = ["--scene", Fixtures.path("Fixtures/judged-at-once.txt")]
    let times = ["SWIFT_DETERMINISTIC_HASHING": "1", "MAGNUM_FINGERPRINT_AGE": "1"]
    let outcome = try judge(words, times)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @discardableResult
  private func playSeeds(_ set: String, _ words: String...) throws -> Outcome {
    let outcome = try judge(["--sets", set, "--seeds", "\(Self.count)"] + words)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\(set): \(Self.count) seeds"))
    return outcome
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
