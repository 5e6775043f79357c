/// Plays scenes, each in a folder of its own.
final class Player {
  /// What scenes that are made from seeds have more than others.
  var choices = Choices()
  /// What the accounts of scenes that are made from seeds are set to.
  var ways = AccountWays()

  /// Partial files that were there after runs of all scenes.
  private(set) var partialFiles = 0

  /// Where the output of runs is kept of scenes that fail; nil where it is not.
  var kept: String?

  let stage: Stage
  private let folder: String
  private let isVerbose: Bool
  private var count = 0

  init(_ folder: String, _ stage: Stage, isVerbose: Bool) {
    self.folder = folder
    self.stage = stage
    self.isVerbose = isVerbose
  }

  /// Plays a scene; gives what is wrong, nil where nothing is.
  func play(_ scene: SceneFile) -> Failure? {
    inWorld(scene) { world in
      for line in scene.steps { try self.perform(line, world) }
      if scene.steps.last != "judge" { try self.perform("judge", world) }
    }
  }

  /// Makes a scene from a seed while it is played.
  func play(seed: Int, _ set: String, machines: Int?) -> (SceneFile, Failure?) {
    var chance = Chance(seed, 1)
    let chosen = machines ?? chance.one([1, 1, 2])
    var scene = SceneFile(steps: [], set: set, machines: chosen, title: "\(set) \(seed)")
    scene.ways = ways
    if choices.isRemoving {
      var chance = Chance(seed, 3)
      scene.ways.removal = chance.one(["local", "remote", "both", "both"])
    }
    let failure = inWorld(scene) { world in
      let generator = Generator(seed, world, self.choices(for: set))
      let take = { (line: String?) in
        guard let line else { return }
        scene.steps.append(line)
        try self.perform(line, world)
      }
      for line in generator.fill() { try take(line) }
      try take("judge")
      for _ in 0..<chance.one([1, 2, 2, 3]) {
        generator.isHeavy = chance.happens(0.35) && world.labelling == nil
        for _ in 0..<chance.number(3..<12) {
          for line in generator.steps() { try take(line) }
          if chance.happens(0.25) { try take(generator.sync()) }
          if chance.happens(self.stage.isReal ? 0.01 : 0.05) { try take("wait") }
        }
        try take(generator.sync())
        try take("judge")
      }
    }
    return (scene, failure)
  }

  private func choices(for set: String) -> Choices {
    var choices = choices
    choices.isReal = stage.isReal
    if stage.isReal { choices.without.formUnion(RealServer.missing(set)) }
    return choices
  }

  private func perform(_ line: String, _ world: World) throws {
    switch line {
    case "judge": try Verdict(world).judge()
    case "wait": world.server.wait()
    default:
      if isVerbose { say("- \(line)") }
      _ = try Step.perform(line, world)
    }
  }

  /// Where what is known of a scene that failed is kept.
  func place(_ scene: SceneFile) -> String? { kept.map { "\($0)/\(scene.label)" } }

  private func inWorld(_ scene: SceneFile, _ body: (World) throws -> Void) -> Failure? {
    count += 1
    let home = "\(folder)/\(count)"
    defer { Disk.removeTree(home) }
    let failure = play(scene, in: home, body)
    if failure != nil, let place = place(scene) { try? RunOutput.keep(home, in: place) }
    return failure
  }

  private func play(
    _ scene: SceneFile,
    in home: String,
    _ body: (World) throws -> Void
  ) -> Failure? {
    do {
      guard let abilities = Abilities.named(scene.set) else { throw BadStep(line: scene.set) }
      let side = try stage.side(scene, abilities, in: home, count)
      defer { side.discard() }
      let world = try World(home, side, abilities, machines: scene.machines, scene.ways)
      world.isTelling = isVerbose
      Mishap.note("\(scene.title) (\(scene.set), machines \(scene.machines))")
      defer { partialFiles += world.parts?.seen ?? 0 }
      try body(world)
      return nil
    } catch let failure as Failure {
      return failure
    } catch {
      return Failure(.harness, nil, "\(error)")
    }
  }
}
