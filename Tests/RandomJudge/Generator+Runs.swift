// Runs that are chosen at random, and what happens in their midst.
extension Generator {
  /// The next run; numbers are those of requests in memory, milliseconds and octets on a real server.
  func sync() -> String {
    if choices.isWatching, chance.happens(0.5) { return watch() }
    var line = "\(machine) sync" + (choices.isReal ? realTrouble() : trouble())
    if choices.isOneWay, chance.happens(0.6) { line += chance.one([" pull", " push"]) }
    if choices.isSelecting, chance.happens(0.5) {
      line += " only=\(Step.word(chance.one(plainBoxes)))"
    }
    guard chance.happens(0.3) else { return line }
    var after = 0
    for _ in 0..<chance.number(1..<4) {
      let side = machine
      let step = chance.happens(0.6) ? there() : here(side)
      guard let step = allowed(step), !isGuard(step) else { continue }
      if choices.isReading, isBetweenReads(step, of: side) {
        line += " | @\(chance.power(0, 7)) \(step)"
        continue
      }
      after += chance.number(1..<(choices.isReal ? 40 : 12))
      line += " | \(after) \(step)"
    }
    return line
  }

  private var machine: String { chance.one(world.machines.map(\.name)) }

  /// The deletion guard is judged by a run that a person makes.
  private func isGuard(_ step: String) -> Bool { step.split(separator: " ").contains("guard") }

  /// Whether it is of one file on the machine that runs.
  private func isBetweenReads(_ step: String, of machine: String) -> Bool {
    let words = step.split(separator: " ").map { "\($0)" }
    let verbs: Set = ["move", "mutt", "copy", "remove", "flag", "edit"]
    return words[0] == machine && verbs.contains(words[1])
  }

  private func trouble() -> String {
    var line = ""
    switch chance.fraction() {
    case ..<0.30: line = " fault=\(chance.power(1, 9.5))"
    case ..<0.33: line = " kill=\(chance.power(1, 6))"
    case ..<0.36: line = " term=\(chance.power(1, 6))"
    case ..<0.41: line = " cut=\(chance.power(1, 6))"
    case ..<0.46: line = " cutafter=\(chance.power(1, 6))"
    case ..<0.50: line = error(0, 8)
    case ..<0.52: line = " scan"
    default: break
    }
    if choices.isPostponing, chance.happens(0.6) {
      line += " postpone"
    } else if chance.happens(0.3) {
      line += chance.one([" soon", " soon", " quiet"])
    }
    return line
  }

  private func realTrouble() -> String {
    switch chance.fraction() {
    case ..<0.30: " fault=\(chance.power(1, 9.5))"
    case ..<0.36: " kill=\(chance.number(2..<120))"
    case ..<0.39: " term=\(chance.number(2..<120))"
    case ..<0.45: " cut=\(chance.power(7, 14))"
    case ..<0.49: error(0, 8)
    case ..<0.51: " scan"
    default: ""
    }
  }

  private func error(_ from: Double, _ to: Double) -> String {
    " error=\(chance.power(from, to))\(chance.one(["", "+"])):ENOSPC"
  }

  /// A watch, and what is done while it is up: at once, or so that it has seen what was done before.
  private func watch() -> String {
    let linger = chance.one([chance.number(2..<400), 1500])
    var line = "\(machine) watch \(chance.one(["term", "term", "kill"]))=\(linger)"
    switch chance.fraction() {
    case ..<0.15: line += " fault=\(chance.power(3, 11))"
    case ..<0.20: line += error(2, 9)
    default: break
    }
    var after = 0
    for _ in 0..<chance.number(1..<6) {
      after += chance.one([chance.number(1..<40), chance.number(40..<700), 1400])
      guard let step = allowed(stepBesideWatch()), !isGuard(step) else { continue }
      line += " | \(after) \(step)"
    }
    return line
  }

  private func stepBesideWatch() -> String? {
    if chance.happens(0.15) { return "\(machine) sync" }
    let side = machine
    return chance.happens(0.5) ? there() : here(side)
  }
}
