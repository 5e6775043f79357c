import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The program killed at every point where it changes something on disk or sends something; then it runs again.
///
/// Both sides have news for each other. At most points the power goes with it: what was not flushed is lost.
///
/// Every twelfth point is tried, beginning with another one each day. MAGNUM_FAULT_STRIDE=1 in the environment tries
/// each: about an hour.
@Suite(.serialized) struct PushFaultTests {
  private static let stride =
    getenv("MAGNUM_FAULT_STRIDE").flatMap { Int(String(cString: $0)) } ?? 12

  /// The ways of servers, and whether they tell the UIDs of what they took.
  struct Server: Sendable, CustomTestStringConvertible {
    var hidden: [String]
    var isSilent = false

    var testDescription: String {
      (hidden.isEmpty ? "all" : "without " + hidden.joined(separator: " "))
        + (isSilent ? ", silent" : "")
    }
  }

  private static let servers = [
    Server(hidden: []),
    Server(hidden: ["MOVE"]),
    Server(hidden: ["UIDPLUS"], isSilent: true),
    Server(hidden: ["MOVE", "UIDPLUS"], isSilent: true),
    Server(
      hidden: ["MOVE", "UIDPLUS", "MULTIAPPEND", "LITERAL+", "CONDSTORE", "QRESYNC", "ESEARCH"],
      isSilent: true
    ),
    Server(hidden: ["MULTIAPPEND", "LITERAL+"]),
  ]

  @Test(arguments: servers)
  func everyKillIsSurvived(_ server: Server) throws {
    var options = DovecotOptions()
    for name in server.hidden { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    let matrix = try PushMatrix(options, isSilent: server.isSilent)
    for scene in PushScene.allCases {
      let (points, tried) = try matrix.run(scene, every: Self.stride)
      print("fault points: \(server.testDescription): \(scene.rawValue): \(points), tried \(tried)")
    }
  }
}

/// The scenes on one server.
private struct PushMatrix {
  private let stage: Stage
  private let proxy: BendingProxy?
  private let world: SavedWorld

  init(_ options: DovecotOptions, isSilent: Bool) throws {
    stage = try Stage(options)
    proxy = isSilent ? try BendingProxy.silent(to: stage.server.ports.clear) : nil
    world = SavedWorld(stage: stage)
    let url = proxy.map { "imap+plain://127.0.0.1:\($0.port)" } ?? stage.server.clearURL
    try stage.configure(url: url)
    try PushScene.prepare(stage)
    // Its server process would hold on to files that are put back behind its back.
    try stage.imap.command("LOGOUT")
    try world.save("base")
  }

  /// Kills a run at points of the scene; gives how many there are and how many were tried.
  func run(_ scene: PushScene, every stride: Int) throws -> (points: Int, tried: Int) {
    try world.restore("base")
    try scene.act(stage, RawIMAP(stage.server, user: stage.user))
    try world.save("scene")
    let points = try count(scene)
    try #require(points > 10, "a debug build has fault points")
    try stage.expectSettled("\(scene.rawValue), not killed")
    let expected = try stage.contents()
    var tried = 0
    for point in Swift.stride(from: 1 + today % stride, through: points, by: stride) {
      tried += 1
      try world.restore("scene")
      let loss = losses[(tried + today) % losses.count]
      try kill(at: point, scene, expected, loss, isPulling: scene.allowsPulling && tried % 4 == 0)
    }
    return (points, tried)
  }

  /// What becomes of what was not flushed; nil where the power stays.
  private var losses: [PowerCut.Loss?] { [nil] + PowerCut.Loss.allCases }

  private var today: Int { time(nil) / 86_400 }

  private func count(_ scene: PushScene) throws -> Int {
    let file = stage.program.home["points"]
    let outcome = try stage.sync(variables: ["MAGNUM_FAULT_COUNT": file])
    try #require(outcome.code == 0, "\(scene.rawValue): \(outcome)")
    return Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
  }

  /// Kills one run; some times somebody who only pulls comes first.
  private func kill(
    at point: Int,
    _ scene: PushScene,
    _ expected: [String: [String]],
    _ loss: PowerCut.Loss?,
    isPulling: Bool
  ) throws {
    let (killed, lost) = try kill(at: point, loss)
    let place = "\(scene.rawValue), point \(point)\(isPulling ? ", pulling" : "")\(lost): \(killed)"
    // The points of a run vary a little: with time, and with what the server answers together.
    guard killed.end == .signalled(9) else { return #expect(killed.code == 0, "\(place)") }
    if isPulling {
      let pull = try stage.sync("--pull")
      try #require(pull.code == 0, "\(place): \(pull)")
    }
    try stage.expectSettled(place)
    let differences = Self.differences(expected, try stage.contents())
    try #require(differences == [], "\(place)")
  }

  /// Kills a run, and cuts the power; gives its outcome, and what was lost for a message.
  private func kill(at point: Int, _ loss: PowerCut.Loss?) throws -> (Outcome, String) {
    let fault = ["MAGNUM_FAULT": "\(point)"]
    guard let loss else { return (try stage.sync("-v", variables: fault), "") }
    let home = stage.program.home
    let roots = ["Mail", ".local", ".cache"].map { home[$0] }
    let cut = try PowerCut(in: roots, folder: home["changes"])
    let killed = try stage.sync("-v", variables: fault.merging(cut.variables) { own, _ in own })
    let count = try cut.happen(loss, seed: UInt64(point))
    return (killed, ", lost \(loss): \(count)")
  }

  private static func differences(
    _ expected: [String: [String]],
    _ found: [String: [String]]
  ) -> [String] {
    Set(expected.keys).union(found.keys).sorted().flatMap { mailbox -> [String] in
      var rest = found[mailbox] ?? []
      var lines: [String] = []
      for line in expected[mailbox] ?? [] {
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
