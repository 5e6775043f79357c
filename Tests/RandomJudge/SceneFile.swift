/// A scene: a set of capabilities, a number of machines and a list of steps; it is played, made from a seed, and shrunk.
struct SceneFile {
  var steps: [String]
  var set: String
  var machines: Int
  var title: String
  /// The name of its file, with a number where that has several; nil for one that a seed made.
  var name: String?
  var ways = AccountWays()
  /// The rules that it proves, by their names: without one of them it fails.
  var rules: [String] = []

  /// What a file says: one scene in the form of `Tests/judge/scenes`, or several, each below a line "=== TITLE".
  static func read(_ text: String) -> [SceneFile] {
    guard text.hasPrefix("=== ") || text.contains("\n=== ") else { return variants(text) }
    return "\n\(text)".split(separator: "\n=== ").flatMap { part in
      part.hasPrefix("\n") ? [] : variants("# " + part)
    }
  }

  /// One scene; "%" in its steps stands for each fault point of a range.
  private static func variants(_ text: String) -> [SceneFile] {
    var scene = SceneFile(steps: [], set: "full", machines: 1, title: "")
    var faults: [Int] = []
    for line in text.split(separator: "\n").map({ "\($0)" }) {
      if line.hasPrefix("# caps: ") {
        scene.set = String(line.dropFirst(8))
      } else if line.hasPrefix("# machines: ") {
        scene.machines = Int(line.dropFirst(12)) ?? 1
      } else if line.hasPrefix("# rule: ") {
        scene.rules.append(String(line.dropFirst(8)))
      } else if scene.ways.take(line) {
        continue
      } else if line.hasPrefix("# faults: ") {
        faults = line.dropFirst(10).split(separator: " ").compactMap { Int($0) }
      } else if line.hasPrefix("# "), scene.title.isEmpty {
        scene.title = String(line.dropFirst(2))
      } else if !line.hasPrefix("#") {
        scene.steps.append(line)
      }
    }
    guard faults.count == 3 else { return [scene] }
    return stride(from: faults[0], to: faults[1], by: faults[2]).map { point in
      var variant = scene
      variant.steps = scene.steps.map { $0.replacing("%", with: "\(point)") }
      variant.title += ", fault point \(point)"
      return variant
    }
  }

  /// What a directory is called for it.
  var label: String {
    String((name ?? title).prefix(200).map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }

  var text: String {
    let head = ["# \(title)", "# caps: \(set)", "# machines: \(machines)"]
    return (head + ways.lines + rules.map { "# rule: \($0)" } + steps).joined(separator: "\n")
      + "\n"
  }
}
