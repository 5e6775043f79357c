import TestSupport
import Testing

extension Stage {
  /// Kills a program wherever it changes something, each time with both sides as they are now.
  ///
  /// - Parameters:
  ///   - name: what is killed, as it is printed.
  ///   - stride: every how many fault points long tests try.
  ///   - least: the program has more fault points than these.
  ///   - run: runs the program with these variables; nil for a sync.
  ///   - check: goes on behind a kill, and checks what comes of it.
  /// - Throws: what the closures throw; `ExpectationFailedError` where the program fails or has too few fault points.
  func killEverywhere(
    _ name: String,
    every stride: Int,
    moreThan least: Int,
    run: ((_ variables: [String: String]) throws -> Outcome)? = nil,
    check: (_ place: String) throws -> Void
  ) throws {
    let run = run ?? { variables in try self.sync(variables: variables) }
    try imap.command("LOGOUT")
    let world = SavedWorld(stage: self)
    try world.save("base")
    let counted = program.home["points"]
    let whole = try run(["MAGNUM_FAULT_COUNT": counted])
    try #require(whole.code == 0, "\(whole)")
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > least)
    for point in Turn.chosen(of: points, every: Turn.stride(stride)) {
      try world.restore("base")
      _ = try run(["MAGNUM_FAULT": "\(point)"])
      try check("\(name): point \(point) of \(points)")
    }
    print("fault points: \(name): \(points)")
  }
}
