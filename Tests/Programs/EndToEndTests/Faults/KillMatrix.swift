import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The program killed at points where it changes something on disk or sends something; then it runs again.
///
/// At most points the power goes with it: what was not flushed is lost. Each time both sides begin as they were; in
/// the end they hold the same, which is what a run that nobody kills leaves, and a further run changes no mail.
struct KillMatrix {
  /// How a kill is to be survived.
  struct Scene {
    /// For people.
    var name: String
    /// What every run is told.
    var arguments: [String] = []
    /// Whether somebody who only pulls may come in between.
    var allowsPulling = false
    /// What else has to be the same in the end.
    var facts: () throws -> [String] = { [] }
  }

  let stage: Stage
  let world: SavedWorld
  private let proxy: BendingProxy?

  /// Nobody else may have the user's mail open: its server process would hold on to files that are put back behind
  /// its back.
  ///
  /// - Parameters:
  ///   - stage: Whose program is killed.
  ///   - proxy: What stands between it and its server, kept for as long as this value.
  /// - Throws: `HarnessError` when the server does not answer.
  init(_ stage: Stage, proxy: BendingProxy? = nil) throws {
    self.stage = stage
    self.proxy = proxy
    try stage.imap.command("LOGOUT")
    world = SavedWorld(stage: stage)
  }

  /// Kills a run at points of the scene that stands ready; tells how many there are and how many were tried.
  func run(_ scene: Scene, every stride: Int) throws {
    try world.save("scene")
    let points = try count(scene)
    try #require(points > 10, "a debug build has fault points")
    let settled = try stage.expectSettled("\(scene.name), not killed", scene.arguments)
    let expected = (settled, try scene.facts())
    var tried = 0
    var kills = 0
    for point in Turn.chosen(of: points, every: stride) {
      tried += 1
      try world.restore("scene")
      let loss = losses[(tried + Turn.number) % losses.count]
      let isPulling = scene.allowsPulling && tried % 4 == 0
      if try kill(at: point, scene, loss, isPulling: isPulling, expected) { kills += 1 }
    }
    #expect(kills > 0, "\(scene.name): none of \(points) points killed the run")
    print("fault points: \(scene.name): \(points), tried \(tried)")
  }

  /// What becomes of what was not flushed; nil where the power stays.
  private var losses: [PowerCut.Loss?] { [nil] + PowerCut.Loss.allCases }

  private func count(_ scene: Scene) throws -> Int {
    let file = stage.program.home["points"]
    let outcome = try sync(scene.arguments, ["MAGNUM_FAULT_COUNT": file])
    try #require(outcome.code == 0, "\(scene.name): \(outcome)")
    return Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
  }

  private func sync(_ arguments: [String], _ variables: [String: String]) throws -> Outcome {
    try stage.program.command(["-v"] + arguments, variables).run()
  }

  /// Kills one run; some times a run that only pulls comes before the next one.
  ///
  /// - Returns: whether the run was killed.
  private func kill(
    at point: Int,
    _ scene: Scene,
    _ loss: PowerCut.Loss?,
    isPulling: Bool,
    _ expected: (contents: [String: [String]], facts: [String])
  ) throws -> Bool {
    let (killed, lost) = try kill(at: point, scene, loss)
    let place = "\(scene.name), point \(point)\(isPulling ? ", pulling" : "")\(lost): \(killed)"
    // The points of a run vary a little: with time, and with what the server answers together.
    guard killed.end == .signalled(9) else {
      #expect(killed.code == 0, "\(place)")
      return false
    }
    if isPulling {
      let pull = try stage.sync("--pull")
      try #require(pull.code == 0, "\(place): \(pull)")
    }
    let settled = try stage.expectSettled(place, scene.arguments)
    let differences = Self.differences(expected.contents, settled)
    try #require(differences == [], "\(place)")
    let facts = try scene.facts()
    try #require(facts == expected.facts, "\(place)")
    return true
  }

  /// Kills a run, and cuts the power; gives its outcome, and what was lost for a message.
  private func kill(
    at point: Int,
    _ scene: Scene,
    _ loss: PowerCut.Loss?
  ) throws -> (Outcome, String) {
    let fault = ["MAGNUM_FAULT": "\(point)"]
    guard let loss else { return (try sync(scene.arguments, fault), "") }
    let home = stage.program.home
    let roots = ["Mail", ".local", ".cache"].map { home[$0] }
    let cut = try PowerCut(in: roots, folder: home["changes"])
    let killed = try sync(scene.arguments, fault.merging(cut.variables) { own, _ in own })
    let count = try cut.happen(loss, seed: UInt64(point))
    return (killed, ", lost \(loss): \(count)")
  }

  private static func differences(
    _ expected: [String: [String]],
    _ found: [String: [String]]
  ) -> [String] {
    Set(expected.keys).union(found.keys).sorted().flatMap { mailbox -> [String] in
      guard let before = expected[mailbox] else { return ["\(mailbox): too many"] }
      guard var rest = found[mailbox] else { return ["\(mailbox): lost"] }
      var lines: [String] = []
      for line in before {
        if let index = rest.firstIndex(of: line) {
          rest.remove(at: index)
        } else {
          lines.append("\(mailbox): lost \(line)")
        }
      }
      return lines + rest.map { "\(mailbox): too many \($0)" }
    }
  }
}
