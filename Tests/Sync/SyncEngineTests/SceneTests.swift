import Glibc
import MemoryStore
import TestSupport
import Testing

/// The engine against a server in memory: scenes as tables, each on servers that lack nothing, something or everything, and
/// each with one sync killed at fault points.
@Suite struct SceneTests {
  /// A server, with a name for people.
  struct Server: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let abilities: MemoryAbilities

    init(_ name: String, _ change: (inout MemoryAbilities) -> Void) {
      testDescription = name
      var abilities = MemoryAbilities()
      change(&abilities)
      self.abilities = abilities
    }
  }

  static let servers = [
    Server("full") { _ in },
    Server("no MOVE") { $0.movesAtOnce = false },
    Server("no UIDPLUS") { $0.hasUIDPlus = false },
    Server("no CONDSTORE") {
      $0.hasModSequences = false
      $0.tellsVanished = false
    },
    Server("bare") { $0 = .bare },
  ]

  /// Servers for those scenes alone that say so.
  static let oddServers = [
    Server("no UIDNEXT") {
      $0.hidesNext = true
      $0.hasModSequences = false
      $0.tellsVanished = false
    },
    Server("other copies") {
      $0.movesAtOnce = false
      $0.hasUIDPlus = false
      $0.changesCopies = true
    },
    Server("other uploads") { $0.changesUploads = true },
  ]

  /// Every so many points are tried, from one on that the commit decides: MAGNUM_FAULT_STRIDE in the environment.
  private static let stride = Turn.stride(32)

  @Test(arguments: Turn.part(of: servers), try Fixtures.load("Fixtures/scenes.txt"))
  func ends(_ server: Server, _ fixture: Fixture) throws {
    guard !fixture.lines("not on").contains(server.testDescription) else { return }
    let scene = try Scene(server.abilities)
    for line in fixture.lines() { try scene.perform(line) }
    try expectEnd(of: scene, fixture)
  }

  @Test(arguments: oddServers, try Fixtures.load("Fixtures/scenes.txt"))
  func endsOnOddServers(_ server: Server, _ fixture: Fixture) throws {
    guard fixture.lines("also on").contains(server.testDescription) else { return }
    let scene = try Scene(server.abilities)
    for line in fixture.lines() { try scene.perform(line) }
    try expectEnd(of: scene, fixture)
  }

  /// The run that is killed is followed by one that takes up what it left, and by one that finds nothing to do.
  @Test(arguments: Turn.part(of: servers), try Fixtures.load("Fixtures/scenes.txt"))
  func survivesKills(_ server: Server, _ fixture: Fixture) throws {
    guard !fixture.lines("not on").contains(server.testDescription) else { return }
    let before = try Scene(server.abilities)
    let steps = fixture.lines()
    let last = steps.last == "sync" ? steps.indices.last : nil
    guard let cut = steps.firstIndex(of: "sync killed") ?? last else { return }
    for line in steps[..<cut] { try before.perform(line) }
    let points = try Scene(copying: before).points()
    try #require(points > 0, "a debug build has fault points")
    var kills = 0
    for point in Turn.chosen(of: points, every: Self.stride) {
      let scene = try Scene(copying: before)
      let killed = try scene.run(["MAGNUM_FAULT": "\(point)"])
      guard killed.code == 128 + 9 else { break }
      kills += 1
      for line in steps[(cut + 1)...] { try scene.perform(line) }
      let after = try scene.run()
      let last = try scene.run()
      let (there, here) = (try scene.serverLines(), try scene.localLines())
      let story = "point \(point): there \(there), here \(here): \(killed) \(after) \(last)"
      #expect(last.code == 0, "\(story)")
      #expect(there == fixture.lines("server"), "\(story)")
      #expect(here == fixture.lines("server"), "\(story)")
    }
    #expect(kills > 0, "none of \(points) points killed the run")
  }

  /// Where mailboxes are labels: what is behind "--- here" is what the folders have in the end.
  @Test(arguments: try Fixtures.load("Fixtures/label-scenes.txt"))
  func endsWithLabels(_ fixture: Fixture) throws {
    var abilities = MemoryAbilities()
    abilities.hasLabels = true
    let scene = try Scene(abilities)
    for line in fixture.lines() { try scene.perform(line) }
    #expect(try scene.serverLines() == fixture.lines("server"))
    #expect(try scene.localLines() == fixture.lines("here"))
  }

  private func expectEnd(of scene: Scene, _ fixture: Fixture) throws {
    let (there, here) = (try scene.serverLines(), try scene.localLines())
    #expect(there == fixture.lines("server"), "\(there)")
    #expect(here == fixture.lines("server"), "\(here)")
    // A server that does not tell UIDs is asked for the flags of what went up.
    try scene.perform("sync")
    let again = try scene.run()
    #expect(again.code == 0 && again.output.isEmpty, "nothing is left to do: \(again)")
  }
}
