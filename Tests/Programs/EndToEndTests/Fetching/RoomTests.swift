import Platform
import TestSupport
import Testing

/// Attachments for which there is no room: said before anything is fetched, and with how much it is.
@Suite(.enabled("needs small file systems, which only root can mount") { SmallDisk.canBe })
struct RoomTests {
  /// A home in which some directories have little room.
  private final class Scene {
    let stage: Stage
    let proxy: DelayProxy
    let disks: [String: SmallDisk]

    /// Three messages of 702 kB, mirrored without their attachments.
    init(_ sizes: [String: String]) throws {
      let stage = try Stage()
      self.stage = stage
      proxy = try DelayProxy(to: stage.server.ports.clear, DelayProxy.Link())
      var disks: [String: SmallDisk] = [:]
      for (name, size) in sizes {
        disks[name] = try SmallDisk(at: stage.program.home[name], size)
      }
      self.disks = disks
      for number in 1...3 {
        let octets = SizeLimitTests.large("large\(number)", lines: 9000)
        try stage.imap.append(octets, flags: "\\Seen")
      }
      try configure(isLimited: true)
      try stage.syncWell()
    }

    func configure(isLimited: Bool) throws {
      let url = "imap+plain://127.0.0.1:\(proxy.port)"
      try stage.configure(url: url, sync: isLimited ? "size-limit = \"100kB\"" : "")
    }

    var partial: [String] {
      let path = "\(stage.maildir)/INBOX/cur/"
      return Files.names(in: path).map { path + String(decoding: $0, as: UTF8.self) }
        .filter { Files.text($0)?.contains("access-type=\"x-magnum\"") == true }.sorted()
    }

    /// How many messages are here without their attachments, seen or not.
    var partialEverywhere: Int {
      ["cur", "new"].reduce(0) { count, folder in
        let path = "\(stage.maildir)/INBOX/\(folder)/"
        return count
          + Files.names(in: path).count {
            Files.text(path + String(decoding: $0, as: UTF8.self))?
              .contains("access-type=\"x-magnum\"") == true
          }
      }
    }

    func magnum(_ words: String..., environment: [String: String] = [:]) throws -> Outcome {
      var command = stage.program.command(words, environment)
      command.program = "\(ProgramUnderTest.products)/magnum"
      return try command.run()
    }
  }

  /// 64 MB stay free.
  @Test func withoutALimitWhatFitsIsFetched() throws {
    let scene = try Scene(["Mail": "63m"])
    #expect(scene.partial.count == 3)
    try scene.configure(isLimited: false)
    let dry = try scene.stage.sync("--dry-run")
    #expect(dry.output.contains("fetch attachments of message 1, 702 kB"), "\(dry)")
    let before = scene.proxy.counters.down
    let outcome = try scene.stage.sync("-v")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(
      outcome.errors.contains("test/INBOX: fetching the attachments of 2 messages, 1.4 MB"),
      "\(outcome)"
    )
    let words = "test/INBOX: there is no room for the attachments of 1 message, 702 kB"
    #expect(outcome.errors.ranges(of: words).count == 1, "\(outcome)")
    #expect(scene.partial.count == 1)
    #expect(scene.proxy.counters.down - before < 1_500_000)
    // One that is asked for is no exception; and what stands is said once a day.
    let file = try #require(scene.partial.first)
    let fetched = try scene.magnum("attachments", "fetch", file)
    #expect(fetched.code == 73, "\(fetched)")
    #expect(fetched.errors.contains("no room for the attachments of 1 message"), "\(fetched)")
    let alone = [try scene.stage.sync(), try scene.stage.sync()]
    #expect(alone.allSatisfy { $0.code == 1 }, "\(alone)")
    #expect(alone[0].errors.contains(words) && alone[1].errors.isEmpty, "\(alone)")
    try scene.disks["Mail"]?.resize("80m")
    let rest = try scene.stage.syncWell("-v")
    #expect(rest.output.contains("1 completed (702 kB)"), "\(rest)")
    try scene.stage.expectMirrored()
  }

  /// The disk is filled meanwhile, by whomever.
  @Test func roomIsLookedAtAgainBeforeMoreIsAskedFor() throws {
    let scene = try Scene(["Mail": "110m"])
    for number in 4...40 {
      try scene.stage.imap.append(SizeLimitTests.large("large\(number)", lines: 9000))
    }
    try scene.stage.syncWell()
    #expect(scene.partialEverywhere == 40)
    let filler = scene.stage.program.home["Mail/filler"]
    let wasFilled = Monitor(false)
    let proxy = try BendingProxy(
      to: scene.stage.server.ports.clear,
      command: { line in
        guard line.hasSuffix("BODY.PEEK[])") else { return .passed }
        let isFilled = wasFilled.withLock { wasFilled in
          defer { wasFilled = true }
          return wasFilled
        }
        guard !isFilled else { return .passed }
        return .after { _ = try? Command.shell("head -c 40M /dev/zero >\"$1\"", [filler]) }
      }
    )
    try scene.stage.configure(url: proxy.clearURL)
    let outcome = try scene.stage.sync("-v")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("attachments of 40 messages, 28 MB"), "\(outcome)")
    #expect(outcome.errors.contains("there is no room for the attachments of"), "\(outcome)")
    #expect((1...30).contains(scene.partialEverywhere), "\(scene.partialEverywhere)")
    Files.removeTree(filler)
    try scene.stage.syncWell()
    try scene.stage.expectMirrored()
  }

  @Test func aCacheWithoutRoomKeepsNothing() throws {
    let scene = try Scene([".cache": "1m"])
    let out = scene.stage.program.home["out"]
    try Files.makeDirectories(out)
    let file = try #require(scene.partial.first)
    let outcome = try scene.magnum("attachments", "save", "--part", "2", "--to", out, file)
    #expect(outcome.code == 0 && outcome.errors.contains("is not kept"), "\(outcome)")
    #expect(Files.names(in: out).count == 1)
    #expect(Files.names(in: scene.stage.program.home[".cache/magnum/test/attachments"]).isEmpty)
  }

  @Test func withoutRoomNothingIsFetched() throws {
    let scene = try Scene([".cache": "1m", "tmp": "256k"])
    let home = scene.stage.program.home
    try Files.makeDirectories(home["out"])
    let before = scene.proxy.counters.connections
    let file = try #require(scene.partial.first)
    let words = ["attachments", "save", "--part", "2", "--to", home["out"], file]
    var command = scene.stage.program.command(words, ["TMPDIR": home["tmp"]])
    command.program = "\(ProgramUnderTest.products)/magnum"
    let outcome = try command.run()
    #expect(outcome.code == 73 && outcome.errors.contains("No space left"), "\(outcome)")
    #expect(outcome.errors.contains("make room, or set TMPDIR"), "\(outcome)")
    #expect(Files.names(in: home["out"]).isEmpty && scene.proxy.counters.connections == before)
  }
}
