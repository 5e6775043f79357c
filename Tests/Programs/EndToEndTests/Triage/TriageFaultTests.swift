import TestSupport
import Testing

/// Commands that are killed at points where they change something on disk: each act is done once or not at all, on both
/// sides.
@Suite struct TriageFaultTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var words: [String]
    /// What both sides show where it is done.
    var done: [String]

    var testDescription: String { words[0] }
  }

  private static let inbox = [String](repeating: "INBOX []", count: 7)

  private static let scenes = [
    Scene(words: ["read", "*"], done: inbox.map { _ in "INBOX [S]" }),
    Scene(words: ["archive", "*"], done: inbox.map { _ in "Archive []" }),
    Scene(words: ["copy", "Archive", "*"], done: inbox.map { _ in "Archive []" } + inbox),
    Scene(words: ["tag", "+work", "+flagged", "*"], done: inbox.map { _ in "INBOX [F] work" }),
  ]

  @Test(arguments: scenes)
  func everyKillIsSurvived(_ scene: Scene) throws {
    let stage = try Stage.forTriage()
    try stage.imap.command("LOGOUT")
    let world = SavedWorld(stage: stage)
    try world.save("base")
    let counted = stage.program.home["points"]
    let whole = try magnum(scene.words, ["MAGNUM_FAULT_COUNT": counted], stage)
    try #require(whole.code == 0, "\(whole)")
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 10)
    let step = Turn.stride(5)
    let losses: [PowerCut.Loss?] = [nil] + PowerCut.Loss.allCases
    var ends: Set<Bool> = []
    for point in Turn.chosen(of: points, every: step) {
      try world.restore("base")
      let place = "\(scene), point \(point) of \(points)"
      try kill(scene.words, at: point, losses[(point / step) % losses.count], stage)
      // Half of it never reaches the server.
      _ = try stage.expectSettled(place)
      let there = try stage.contentsShown()
      #expect(there == scene.done.sorted() || there == Self.inbox, "\(place): \(there)")
      #expect(stage.shownHere == there.map { $0.replacing(" work", with: "") }, "\(place)")
      #expect(try stage.found("tag:work") == there.count { $0.contains("work") }, "\(place)")
      ends.insert(there == Self.inbox)
      #expect(try stage.found("*") == 7, "\(place)")
    }
    print("fault points: triage \(scene): \(points)")
    #expect(ends == [true, false] || Turn.givenStride == nil)
  }

  /// What was done before the kill is found where it is too, as soon as the next command has brought the act to its end.
  @Test func theIndexShowsAnActThatIsFinished() throws {
    let stage = try Stage.forTriage()
    try stage.imap.command("LOGOUT")
    let world = SavedWorld(stage: stage)
    try world.save("base")
    let counted = stage.program.home["points"]
    try #require(magnum(["archive", "*"], ["MAGNUM_FAULT_COUNT": counted], stage).code == 0)
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 10)
    for point in Turn.chosen(of: points, every: 5) {
      try world.restore("base")
      try kill(["archive", "*"], at: point, nil, stage)
      _ = try magnum(["undo", "-n"], [:], stage)
      let archived = stage.shownHere.count { $0.hasPrefix("Archive") }
      #expect(archived == 0 || archived == 7, "point \(point)")
      #expect(try stage.found("folder:Archive") == archived, "point \(point)")
      #expect(try stage.found("folder:INBOX") == 7 - archived, "point \(point)")
    }
  }

  private func kill(
    _ words: [String],
    at point: Int,
    _ loss: PowerCut.Loss?,
    _ stage: Stage
  ) throws {
    let fault = ["MAGNUM_FAULT": "\(point)"]
    guard let loss else {
      _ = try magnum(words, fault, stage)
      return
    }
    let home = stage.program.home
    let roots = ["Mail", ".local", ".cache"].map { home[$0] }
    let cut = try PowerCut(in: roots, folder: home["changes"])
    _ = try magnum(words, fault.merging(cut.variables) { own, _ in own }, stage)
    _ = try cut.happen(loss, seed: UInt64(point))
  }

  private func magnum(
    _ words: [String],
    _ variables: [String: String],
    _ stage: Stage
  ) throws -> Outcome {
    var command = stage.program.command(words, variables)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }
}

extension Stage {
  /// What the server has, as `shownThere()`, over a connection of its own.
  fileprivate func contentsShown() throws -> [String] {
    try RawIMAP(server, user: user).everything().flatMap { name, messages in
      messages.map { message in
        let keywords = message.flags.filter { !$0.hasPrefix("\\") }.map { " \($0)" }
        return "\(name) [\(MaildirTree.letters(message.flags))]\(keywords.joined())"
      }
    }.sorted()
  }
}
