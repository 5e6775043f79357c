import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// magnum index killed at every point where it changes something on disk, then run again.
///
/// Where there is recent mail, some of the points are tried (`Turn`).
@Suite struct IndexFaultTests {
  private static let spacing = Turn.stride(6)

  @Test func firstBuild() throws {
    let stage = try SearchStage()
    for number in 1...5 { try stage.deliver(number, answering: number > 1 ? number - 1 : nil) }
    try survive(stage, step: 1) { try Command("rm", ["-rf", "\(stage.mail)/.magnum"]).run() }
  }

  @Test func laterChanges() throws {
    let stage = try SearchStage()
    for number in 1...6 { try stage.deliver(number, answering: number > 1 ? number - 1 : nil) }
    _ = try stage.index()
    let saved = stage.search.home["saved"]
    _ = try Command("cp", ["-a", "\(stage.mail)/.magnum", saved]).run()
    try stage.deliver(7, answering: 3)
    try stage.deliver(8)
    _ = try Command.shell(
      "cd \(stage.mail)/INBOX/cur && mv 2:2, 2:2,FS && rm 4:2, && mkdir -p ../../A/cur ../../A/new ../../A/tmp && mv 5:2, ../../A/cur/5:2,R"
    )
    try survive(stage, step: 1) {
      try Command(
        "sh",
        ["-c", "rm -rf \(stage.mail)/.magnum && cp -a \(saved) \(stage.mail)/.magnum"]
      ).run()
    }
  }

  @Test func changesBesideRecentMail() throws {
    let (stage, reset) = try withRecentMail()
    try stage.deliver(9, answering: 7)
    try stage.deliver(10)
    _ = try Command.shell(
      "cd \(stage.mail)/INBOX/cur && mv 2:2, 2:2,FS && rm 4:2, 8:2, && mv 7:2, 7:2,R"
    )
    try survive(stage, step: Self.spacing, reset)
  }

  @Test func newMailBesideRecentMail() throws {
    let (stage, reset) = try withRecentMail()
    try stage.deliver(9, answering: 7)
    try survive(stage, step: Self.spacing, reset)
  }

  @Test func theLastRecentMailGoes() throws {
    let (stage, reset) = try withRecentMail()
    _ = try Command.shell("cd \(stage.mail)/INBOX/cur && rm 7:2, 8:2,")
    try survive(stage, step: Self.spacing, reset)
  }

  /// An index with messages in its main database and in the recent one, and what brings it back.
  private func withRecentMail() throws -> (SearchStage, () throws -> Outcome) {
    let stage = try SearchStage()
    for number in 1...6 { try stage.deliver(number, answering: number > 1 ? number - 1 : nil) }
    _ = try stage.index()
    try stage.deliver(7, answering: 3)
    try stage.deliver(8)
    _ = try stage.index()
    try #require(try stage.index(["--check"]).code == 0)
    let saved = stage.search.home["saved"]
    _ = try Command("cp", ["-a", "\(stage.mail)/.magnum", saved]).run()
    let command = "rm -rf \(stage.mail)/.magnum && cp -a \(saved) \(stage.mail)/.magnum"
    return (stage, { try Command("sh", ["-c", command]).run() })
  }

  /// As many messages as a recent database holds become a part of the main one, or of a middle one beside a large main one.
  @Test(arguments: [false, true]) func aFullRecentDatabase(_ isLarge: Bool) throws {
    let stage = try SearchStage()
    for number in 1...6 { try stage.deliver(number, answering: number > 1 ? number - 1 : nil) }
    for part in 0..<(isLarge ? 2 : 0) {
      let words = (0..<90_000).map { "word\(part)x\($0)" }.joined(separator: " ")
      try stage.search.home.write(
        "Message-ID: <large\(part)@x>\nDate: 1 Jul 2026 10:00:00 +0000\n\n\(words)\n",
        to: "mail/INBOX/cur/large\(part):2,"
      )
    }
    _ = try stage.index()
    for number in 7...506 { try stage.deliver(number, answering: number % 7 == 0 ? 3 : nil) }
    _ = try stage.index()
    let saved = stage.search.home["saved"]
    _ = try Command("cp", ["-a", "\(stage.mail)/.magnum", saved]).run()
    let generations = Files.names(in: "\(saved)/index").filter {
      $0.starts(with: Array("gen-".utf8))
    }
    #expect(generations.count == 1)
    try stage.deliver(507, answering: 500)
    let command = "rm -rf \(stage.mail)/.magnum && cp -a \(saved) \(stage.mail)/.magnum"
    let reset = { try Command("sh", ["-c", command]).run() }
    try survive(stage, step: Self.spacing, reset)
    // What a killed run had indexed before it could merge is merged with the next message, not by the next run.
    _ = try reset()
    #expect(try stage.index().code == 0)
    let parts = Files.names(in: "\(stage.mail)/.magnum/index/gen-1")
    #expect(parts.contains { $0.starts(with: Array("middle-".utf8)) } == isLarge)
    #expect(Files.exists("\(stage.mail)/.magnum/index/gen-2") != isLarge)
  }

  @Test func rebuild() throws {
    let stage = try SearchStage()
    for number in 1...4 { try stage.deliver(number) }
    _ = try stage.index()
    let before = try everything(stage)
    let points = try count(stage, ["--rebuild"]) {}
    for point in Turn.chosen(of: points, every: Turn.stride(2)) {
      let killed = try stage.index(["--rebuild"], ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9))
      // The old index, or the new one, answers at once.
      let now = try everything(stage)
      try #require(now == before, "point \(point) of \(points)")
    }
    #expect(try stage.index(["--rebuild"]).code == 0)
    #expect(try stage.index(["--check"]).code == 0)
    #expect(try everything(stage) == before)
  }

  @Test func aFullDiskLosesNothing() throws {
    let stage = try SearchStage()
    for number in 1...4 { try stage.deliver(number) }
    _ = try stage.index()
    let before = try everything(stage)
    for change in 1...8 {
      let outcome = try stage.index(["--rebuild"], ["MAGNUM_FAULT_ERROR": "\(change)+:ENOSPC"])
      #expect(
        outcome.code == 1 && outcome.errors.contains("No space left"),
        "\(change): \(outcome)"
      )
      #expect(try everything(stage) == before, "change \(change)")
    }
    #expect(try stage.index(["--rebuild"]).code == 0)
  }

  /// Kills a run at each point, and expects all of its changes or none, and that the next one makes all good.
  private func survive(
    _ stage: SearchStage,
    step: Int,
    _ reset: () throws -> Outcome
  ) throws {
    _ = try reset()
    let before = try everything(stage)
    let points = try count(stage, []) {}
    let expected = try everything(stage)
    try #require(points > 3, "a debug build has fault points")
    print("fault points of an index run: \(points)")
    for point in Turn.chosen(of: points, every: step) {
      _ = try reset()
      let killed = try stage.index([], ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      let now = try everything(stage)
      try #require(now == before || now == expected, "half a change at point \(point)")
      let clean = try stage.index()
      try #require(clean.code == 0, "after a kill at point \(point) of \(points): \(clean)")
      try #require(try everything(stage) == expected, "after a kill at point \(point) of \(points)")
    }
    #expect(try stage.index(["--check"]).code == 0)
  }

  private func count(
    _ stage: SearchStage,
    _ arguments: [String],
    _ prepare: () throws -> Void
  ) throws -> Int {
    try prepare()
    let file = stage.search.home["points"]
    let outcome = try stage.index(arguments, ["MAGNUM_FAULT_COUNT": file])
    try #require(outcome.code == 0, "\(outcome)")
    return Int((Files.text(file) ?? "").split(separator: "\n").first ?? "") ?? 0
  }

  private func everything(_ stage: SearchStage) throws -> [String] {
    try stage.lines(["--output", "tree", "--sort", "oldest-first", "*"])
      + stage.lines(["--output", "files", "--sort", "oldest-first", "*"])
  }
}
