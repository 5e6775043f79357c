import TestSupport
import Testing

/// The program killed at every point where it changes something on disk or sends something; then it runs again.
///
/// Both sides have news for each other. At most points the power goes with it: what was not flushed is lost.
///
/// Some of the points are tried (`Turn`); all of them take about an hour. SyncEngineTests tries more of them, against a server
/// in memory.
@Suite struct PushFaultTests {
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

  @Test(arguments: Turn.part(of: servers))
  func everyKillIsSurvived(_ server: Server) throws {
    var options = DovecotOptions()
    for name in server.hidden { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try Stage(options)
    let proxy = server.isSilent ? try BendingProxy.silent(to: stage.server.ports.clear) : nil
    try stage.configure(
      url: proxy.map { "imap+plain://127.0.0.1:\($0.port)" } ?? stage.server.clearURL
    )
    try PushScene.prepare(stage)
    let matrix = try KillMatrix(stage, proxy: proxy)
    try matrix.world.save("base")
    for scene in PushScene.allCases {
      try matrix.world.restore("base")
      try scene.act(stage, RawIMAP(stage.server, user: stage.user))
      let name = "\(server.testDescription): \(scene.rawValue)"
      try matrix.run(
        KillMatrix.Scene(name: name, allowsPulling: true),
        every: Turn.stride(60)
      )
    }
  }
}
