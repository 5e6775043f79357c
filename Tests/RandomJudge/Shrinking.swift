/// Makes the steps of a scene that fails as few as still fail in the same way.
struct Shrinking {
  private let player: Player
  private let scene: SceneFile
  private let kind: Failure.Kind
  private var left: Int

  init(_ player: Player, _ scene: SceneFile, _ kind: Failure.Kind) {
    self.player = player
    self.scene = scene
    self.kind = kind
    // A real server takes its time.
    left = player.stage.isReal ? 200 : 600
  }

  /// The shortest scene that was found, and how it fails; nil where it does not fail again.
  static func shrink(
    _ scene: SceneFile,
    _ kind: Failure.Kind,
    _ player: Player
  ) -> (SceneFile, Failure)? {
    var shrinking = Shrinking(player, scene, kind)
    // Where something has to come at the right moment, the first attempt may miss it.
    guard (1...3).contains(where: { _ in shrinking.fails(scene) }) else { return nil }
    var shorter = shrinking.fewer()
    shorter = shrinking.simpler(shorter)
    if shorter.machines > 1, !shorter.steps.contains(where: { $0.contains("m2 ") }) {
      var alone = shorter
      alone.machines = 1
      if shrinking.fails(alone) { shorter = alone }
    }
    guard let failure = player.play(shorter) else { return nil }
    return (shorter, failure)
  }

  private mutating func fails(_ scene: SceneFile) -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return player.play(scene)?.kind == kind
  }

  /// Leaves out as many steps as can be.
  private mutating func fewer() -> SceneFile {
    var best = scene
    var size = max(1, best.steps.count / 2)
    while true {
      var (start, hasChanged) = (0, false)
      while start < best.steps.count {
        var shorter = best
        shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
        if !shorter.steps.isEmpty, fails(shorter) {
          best = shorter
          hasChanged = true
        } else {
          start += size
        }
      }
      if size > 1 { size /= 2 } else if !hasChanged || left <= 0 { return best }
    }
  }

  /// Makes runs without their trouble where it fails all the same.
  private mutating func simpler(_ scene: SceneFile) -> SceneFile {
    var best = scene
    for index in scene.steps.indices {
      let words = scene.steps[index].split(separator: " ").map { "\($0)" }
      guard words.count > 2, words[1] == "sync" || words[1] == "watch" else { continue }
      let parts = scene.steps[index].split(separator: "|").map { "\($0)" }
      let plain = words.prefix(words[1] == "sync" ? 2 : 3).joined(separator: " ")
      var shorter = [plain, ([plain + " "] + parts[1...]).joined(separator: "|")]
      for number in parts.indices.dropFirst() {
        shorter.append((parts[..<number] + parts[(number + 1)...]).joined(separator: "|"))
      }
      for line in shorter where line != best.steps[index] {
        var candidate = best
        candidate.steps[index] = line
        if fails(candidate) {
          best = candidate
          break
        }
      }
    }
    return best
  }
}
