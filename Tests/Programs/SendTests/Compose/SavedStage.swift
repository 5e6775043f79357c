import TestSupport
import Testing

/// A stage as it was before a program was killed on it: it is put back for each point.
struct SavedStage {
  let stage: ComposeStage
  private let places: String

  /// Saves these places of its home.
  init(_ stage: ComposeStage, _ places: [String] = ["mail", ".local"]) throws {
    self.stage = stage
    self.places = places.joined(separator: " ")
    try Command.shell("cd \"$1\"; mkdir -p .local saved; cp -a \(self.places) saved", [home])
  }

  private var home: String { stage.magnum.home.path }

  /// Puts them back, and forgets what was sent.
  func restore() throws {
    try Command.shell(
      "cd \"$1\"; rm -rf \(places); for place in \(places); do cp -a saved/$place .; done",
      [home]
    )
    stage.sink.clear()
  }

  func run(_ words: [String], _ variables: [String: String] = [:]) throws -> Outcome {
    try stage.magnum.command(words, variables).run()
  }

  /// How many points there are at which a run of the program can be killed.
  func points(of words: [String]) throws -> Int {
    try restore()
    let file = stage.magnum.home["points"]
    let outcome = try run(words, ["MAGNUM_FAULT_COUNT": file])
    try #require(outcome.code == 0, "\(outcome)")
    let points = (Files.text(file) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
    try #require(points > 10, "a debug build has fault points")
    return points
  }
}
