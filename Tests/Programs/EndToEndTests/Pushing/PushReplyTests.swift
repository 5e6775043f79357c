import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A server that refuses a command: it is said, nothing is lost, and once it is well again everything is done once.
///
/// Every sixteenth case is tried, beginning with one that the commit decides. MAGNUM_REPLY_STRIDE=1 in the environment
/// tries each.
@Suite struct PushReplyTests {
  private static let stride =
    getenv("MAGNUM_REPLY_STRIDE").flatMap { Int(String(cString: $0)) } ?? 16

  @Test func whatIsRefusedIsSaidAndDoneLater() throws {
    let cases = try Fixtures.load("Fixtures/push-replies.txt").flatMap(RefusedCase.cases)
    var worlds: [String: RefusedWorld] = [:]
    for number in Swift.stride(
      from: Turn.first(of: Self.stride),
      to: cases.count,
      by: Self.stride
    ) {
      let refused = cases[number]
      let world = try worlds[refused.world] ?? RefusedWorld(refused)
      worlds[refused.world] = world.isReusable ? world : nil
      try world.run(refused)
    }
  }
}

/// One reply to one command.
private struct RefusedCase {
  let name: String
  let command: String
  let scene: String
  let without: [String]
  let reply: String
  let exit: Int32
  let says: String

  /// The cases of a block, one a line.
  static func cases(_ block: Fixture) throws -> [RefusedCase] {
    try block.lines().map { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map {
        String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      guard parts.count == 3, let exit = Int32(parts[1]) else {
        throw HarnessError("\(block): \(line)")
      }
      return RefusedCase(
        name: block.name,
        command: try block.text("command"),
        scene: try block.text("scene"),
        without: (block["without"] ?? "").split(separator: " ").map { "\($0)" },
        reply: parts[0],
        exit: exit,
        says: parts[2]
      )
    }
  }

  /// Cases of the same name here can share what they start from.
  var world: String { "\(scene) \(without)" }

  /// What a proxy does to the command; the server hangs up once only.
  func fate() -> @Sendable (String) -> BendingProxy.Fate {
    let isDone = Atomic<Bool>(false)
    return { [command, reply] line in
      guard line == command || line.hasPrefix("\(command) ") else { return .passed }
      guard reply.hasPrefix("*") else { return .refused(reply) }
      return isDone.exchange(true, ordering: .relaxed) ? .passed : .hungUp(reply)
    }
  }
}

/// What a case starts from, and what has to be there in the end.
private struct RefusedWorld {
  /// Whether it can be put back: not where folders were renamed.
  let isReusable: Bool

  private let stage: Stage
  private let world: SavedWorld
  private let expected: [String: [String]]

  init(_ refused: RefusedCase) throws {
    var options = DovecotOptions()
    for name in refused.without { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    stage = try Stage(options)
    world = SavedWorld(stage: stage)
    guard let scene = PushScene(rawValue: refused.scene) else {
      isReusable = false
      expected = try Self.changeFolders(stage)
      return
    }
    isReusable = true
    try stage.configure(url: stage.server.clearURL)
    try PushScene.prepare(stage)
    try scene.act(stage, RawIMAP(stage.server, user: stage.user))
    try stage.imap.command("LOGOUT")
    try world.save("scene")
    try stage.expectSettled("\(scene)")
    expected = try stage.contents()
    try world.restore("scene")
  }

  /// Gives what both sides have to have afterwards.
  private static func changeFolders(_ stage: Stage) throws -> [String: [String]] {
    try stage.configure(url: stage.server.clearURL, sync: "remove = \"both\"")
    try stage.fill(other: 2)
    try stage.imap.create("Empty")
    try stage.settle()
    var expected = try stage.contents()
    expected["Attic"] = expected.removeValue(forKey: "Archive")
    expected["Empty"] = nil
    expected["Later"] = []
    try LocalFolder(stage.maildir, "Later").make()
    try Command.shell("cd \"$1\"; mv Archive Attic; rm -r Empty", [stage.maildir])
    return expected
  }

  func run(_ refused: RefusedCase) throws {
    let place = "\(refused.name), \(refused.reply)"
    if isReusable { try world.restore("scene") }
    let sync = isReusable ? "" : "remove = \"both\""
    let isSilent = refused.without.contains("UIDPLUS")
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: refused.fate(),
      reply: { isSilent ? BendingProxy.silenced($0) : $0 }
    )
    try stage.configure(url: proxy.clearURL, sync: sync)
    let outcome = try stage.sync("-v", timeLimit: 100)
    #expect(outcome.code == refused.exit, "\(place): \(outcome)")
    #expect(refused.says.isEmpty || outcome.errors.contains(refused.says), "\(place): \(outcome)")
    try stage.configure(url: stage.server.clearURL, sync: sync)
    try stage.expectSettled("\(place): \(outcome)")
    let found = try stage.contents()
    #expect(found == expected, "\(place): \(outcome)")
  }
}
