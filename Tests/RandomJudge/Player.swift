/// Plays scenes, each in a folder of its own.
final class Player {
  /// Whether each run is made in a process of its own, be it to end by itself or not.
  var isApart = false
  /// What scenes that are made from seeds have more than others.
  var choices = Choices()
  /// What the accounts of scenes that are made from seeds are set to.
  var ways = AccountWays()

  /// Partial files that were there after runs of all scenes.
  private(set) var partialFiles = 0

  private let folder: String
  private let mail: SharedMail
  private let isVerbose: Bool
  private var count = 0

  init(_ folder: String, _ mail: SharedMail, isVerbose: Bool) {
    self.folder = folder
    self.mail = mail
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
      let generator = Generator(seed, world, self.choices)
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
          try take(generator.step())
          if chance.happens(0.25) { try take(generator.sync()) }
          if chance.happens(0.05) { try take("wait") }
        }
        try take(generator.sync())
        try take("judge")
      }
    }
    return (scene, failure)
  }

  private func perform(_ line: String, _ world: World) throws {
    switch line {
    case "judge": try Verdict(world).judge()
    case "wait": world.wait()
    default:
      if isVerbose { say("- \(line)") }
      _ = try Step.perform(line, world)
    }
  }

  private func inWorld(_ scene: SceneFile, _ body: (World) throws -> Void) -> Failure? {
    count += 1
    let home = "\(folder)/\(count)"
    defer { Disk.removeTree(home) }
    do {
      guard let abilities = Abilities.named(scene.set) else { throw BadStep(line: scene.set) }
      let world = try World(
        home,
        abilities,
        machines: scene.machines,
        scene.ways,
        mail
      )
      world.isTelling = isVerbose
      world.isApart = isApart
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
