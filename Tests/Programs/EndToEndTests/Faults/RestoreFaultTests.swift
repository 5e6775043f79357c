import TestSupport
import Testing

/// `magnum restore` killed where it changes something on disk or sends something; then it runs again.
///
/// At most points the power goes with it: what was not flushed is lost. Some of the points are
/// tried (`Turn`).
@Suite struct RestoreFaultTests {
  private static let servers = [
    DovecotOptions(), DovecotOptions().hiding("MULTIAPPEND", "LITERAL+", "LITERAL-"),
    DovecotOptions().hiding("UIDPLUS"),
  ]

  @Test(arguments: [0, 1, 2])
  func everyKillIsSurvived(_ index: Int) throws {
    let stage = try Stage(Self.servers[index])
    let scene = try RestoreScene(stage.program.home["source"])
    let proxy =
      index == 2 ? try BendingProxy.silent(to: stage.server.ports.clear) : nil
    try stage.configure(url: proxy?.clearURL ?? stage.server.clearURL)
    try stage.imap.append(mail("equal"), flags: "\\Flagged")
    try stage.imap.append(mail("other"))
    try stage.imap.command("LOGOUT")
    let world = SavedWorld(stage: stage)
    try Files.makeDirectories(stage.program.home[".local"])
    try world.save("scene")
    let points = try count(stage, scene)
    try #require(points > 20, "a debug build has fault points")
    let expected = try contents(stage)
    var tried = 0
    var kills = 0
    for point in Turn.chosen(of: points, every: Turn.stride(8)) {
      tried += 1
      try world.restore("scene")
      let loss = losses[(tried + Turn.number) % losses.count]
      let killed = try kill(stage, scene, at: point, loss)
      guard killed.end == .signalled(9) else {
        #expect(killed.code == 0, "\(killed)")
        continue
      }
      kills += 1
      let place = "point \(point), \(loss.map { "\($0)" } ?? "power stays"): \(killed)"
      let again = try RestoreTests.command(stage, arguments(scene)).run()
      try #require(again.code == 0, "\(place): then \(again)")
      try #require(try contents(stage) == expected, "\(place)")
    }
    print("fault points: restore \(index): \(points), tried \(tried)")
    #expect(kills > 0)
  }

  /// A disk that is full for a moment: what is recorded of one mailbox behind half a line is not taken for what is recorded of
  /// the mailbox before it, which has other messages under these UIDs.
  @Test func aWriteThatFailsIsSurvived() throws {
    let stage = try Stage()
    try stage.configure(url: stage.server.clearURL)
    try stage.imap.append((0..<2).map { mail("before \($0)") })
    try stage.imap.command("LOGOUT")
    let source = stage.program.home["source"]
    for folder in ["INBOX", "Copy"] {
      try LocalFolder(source, folder).add("1.a", mail("wanted"), flags: "S")
    }
    let world = SavedWorld(stage: stage)
    try Files.makeDirectories(stage.program.home[".local"])
    try world.save("scene")
    var failures = 0
    for number in Turn.chosen(of: 48, every: runsLongTests ? 4 : 8) {
      try world.restore("scene")
      let words = [source, "--to", "test"]
      let variables = ["MAGNUM_FAULT_ERROR": "\(number):ENOSPC"]
      let failed = try RestoreTests.command(stage, words, variables).run()
      if failed.code != 0 { failures += 1 }
      let again = try RestoreTests.command(stage, words).run()
      #expect(again.code == 0, "\(number): \(failed), then \(again)")
      let imap = try RawIMAP(stage.server, user: stage.user)
      for mailbox in ["INBOX", "Copy"] {
        let found = try imap.messages(in: mailbox).count { message in
          String(decoding: message.body, as: UTF8.self).contains("Subject: wanted")
        }
        #expect(found == 1, "\(number), \(mailbox): \(failed), then \(again)")
      }
    }
    #expect(failures > 0)
  }

  /// What becomes of what was not flushed; nil where the power stays.
  private var losses: [PowerCut.Loss?] { [nil] + PowerCut.Loss.allCases }

  private func arguments(_ scene: RestoreScene) -> [String] { [scene.source, "--to", "test"] }

  private func contents(_ stage: Stage) throws -> [String] {
    try RestoreScene.found(RawIMAP(stage.server, user: stage.user))
  }

  private func count(_ stage: Stage, _ scene: RestoreScene) throws -> Int {
    let file = stage.program.home["points"]
    let variables = ["MAGNUM_FAULT_COUNT": file]
    let outcome = try RestoreTests.command(stage, arguments(scene), variables).run()
    try #require(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("14 uploaded, 1 were there"), "\(outcome)")
    return Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
  }

  private func kill(
    _ stage: Stage,
    _ scene: RestoreScene,
    at point: Int,
    _ loss: PowerCut.Loss?
  ) throws -> Outcome {
    let home = stage.program.home
    var variables = ["MAGNUM_FAULT": "\(point)"]
    guard let loss else {
      return try RestoreTests.command(stage, arguments(scene), variables).run()
    }
    let cut = try PowerCut(in: [home[".local"]], folder: home["changes"])
    variables.merge(cut.variables) { own, _ in own }
    let killed = try RestoreTests.command(stage, arguments(scene), variables).run()
    _ = try cut.happen(loss, seed: UInt64(point))
    return killed
  }
}
