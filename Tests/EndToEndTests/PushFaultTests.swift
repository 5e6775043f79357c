import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The program killed at every point where it changes something on disk or sends something, while both sides have
/// news for each other; then it runs again.
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
  private let proxy: SilentProxy?
  private let world: SavedWorld

  init(_ options: DovecotOptions, isSilent: Bool) throws {
    stage = try Stage(options)
    proxy = isSilent ? try SilentProxy(to: stage.server.ports.clear) : nil
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
    try finish("\(scene.rawValue), not killed")
    let expected = try contents()
    var tried = 0
    for point in Swift.stride(from: 1 + today % stride, through: points, by: stride) {
      tried += 1
      try world.restore("scene")
      try kill(at: point, scene, expected, isPulling: scene.allowsPulling && tried % 4 == 0)
    }
    return (points, tried)
  }

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
    isPulling: Bool
  ) throws {
    let killed = try stage.sync("-v", variables: ["MAGNUM_FAULT": "\(point)"])
    let place = "\(scene.rawValue), point \(point)\(isPulling ? ", pulling" : ""): \(killed)"
    // The points of a run vary a little: with time, and with what the server answers together.
    guard killed.end == .signalled(9) else { return #expect(killed.code == 0, "\(place)") }
    if isPulling {
      let pull = try stage.sync("--pull")
      try #require(pull.code == 0, "\(place): \(pull)")
    }
    try finish(place)
    let differences = Self.differences(expected, try contents())
    try #require(differences == [], "\(place)")
  }

  /// Runs until all is done, two times at most; then both sides hold the same, and another run changes no mail.
  private func finish(_ place: String) throws {
    var last = try stage.sync("-v")
    try #require(last.code == 0, "\(place): then: \(last)")
    last = try stage.sync("-v")
    try #require(last.code == 0, "\(place): then: \(last)")
    let imap = try RawIMAP(stage.server, user: stage.user)
    let server = try imap.everything()
    try #require(stage.tree.differences(from: server) == [], "\(place): then: \(last)")
    try #require(leftovers == [], "\(place)")
    let files = TreeSnapshot(stage.maildir)
    let further = try stage.sync()
    try #require(further.code == 0, "\(place): a further run: \(further)")
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    try #require(changed.filter { !$0.contains("/.magnum") } == [], "\(place): a further run")
    try #require(try imap.everything() == server, "\(place): a further run")
  }

  /// Files that a broken run left in a tmp directory and the next one did not clear away.
  private var leftovers: [OctetName] {
    stage.tree.mailboxes.keys.filter { !Files.names(in: "\(stage.maildir)/\($0)/tmp").isEmpty }
  }

  /// What the server has, whatever the UIDs.
  private func contents() throws -> [String: [String]] {
    let imap = try RawIMAP(stage.server, user: stage.user)
    return try imap.everything().mapValues { messages in
      messages.map { message in
        let subject = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
          .first { $0.hasPrefix("Subject:") }
        return "\(message.flags) \(TreeSnapshot.hash(message.body)) \(subject ?? "")"
      }.sorted()
    }
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
