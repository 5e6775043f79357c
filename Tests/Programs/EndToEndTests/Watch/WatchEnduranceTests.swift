import Glibc
import Octets
import Platform
import Synchronization
import TestSupport
import Testing

/// `magnum watch` for long, killed at any moment, without a network, under a flood.
@Suite struct WatchEnduranceTests {
  /// Neither side hears that the connection is gone; what is asked in each interval gets no answer.
  @Test func aNetworkThatSwallowsAllIsNoticedAndWaitedFor() throws {
    let scene = try WatchScene()
    let proxy = try HoleProxy(to: scene.stage.server.ports.clear)
    try scene.configure(port: proxy.port)
    let watch = try scene.start(["--poll", "2"], ["MAGNUM_PATIENCE": "1500"])
    try watch.waitForListening()
    proxy.swallow(true)
    try scene.stage.imap.append(scene.mail("into the hole"))
    let file = try #require(scene.stage.tree["INBOX"].first)
    try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,F\"", file)
    _ = try scene.measure {
    } until: {
      watch.count("\"event\":\"waiting\"") > 0
    }
    #expect(!scene.holds("into the hole"))
    proxy.swallow(false)
    try scene.waitUntilMirrored(30)
    #expect(watch.logins <= 4)
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// A server that takes connections and ends them, after it has cut off the one that was open.
  @Test func connectionsThatAreCutOffAreMadeAnew() throws {
    let scene = try WatchScene()
    let proxy = try HoleProxy(to: scene.stage.server.ports.clear)
    try scene.configure(port: proxy.port)
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    proxy.hangUp(true)
    proxy.reset()
    try scene.stage.imap.append(scene.mail("while it was cut off"))
    _ = try scene.measure {
    } until: {
      watch.count("\"event\":\"waiting\"") == 1
    }
    // A sync that is asked for does not wait for the next attempt.
    let failed = try scene.stage.sync("test")
    #expect(failed.code == 75 && !scene.holds("while it was cut off"), "\(failed)")
    proxy.hangUp(false)
    try scene.stage.syncWell("test")
    #expect(scene.holds("while it was cut off"))
    #expect(try scene.deliver("after it was cut off") < 5)
    #expect(watch.logins <= 3)
    try watch.end()
    try scene.stage.expectSettled()
  }

  @Test func aFloodOfWordsIsTwoSyncs() throws {
    let scene = try WatchScene()
    let isArmed = Atomic(false)
    let proxy = try BendingProxy(
      to: scene.stage.server.ports.clear,
      reply: { line in
        guard line.hasSuffix("EXISTS"), isArmed.exchange(false, ordering: .relaxed) else {
          return line
        }
        return Array(repeating: line, count: 1000).joined(separator: "\r\n")
      }
    )
    let watch = try scene.startQuietly(port: proxy.port)
    let before = watch.count("\"event\":\"started\"")
    isArmed.store(true, ordering: .relaxed)
    try scene.stage.imap.append(scene.mail("told a thousand times"))
    try scene.waitUntilMirrored()
    Stopwatch.sleep(2)
    #expect(watch.count("\"event\":\"started\"") - before <= 2)
    #expect(watch.logins == 1)
    try watch.end()
  }

  /// Changes of both sides come while it is killed at one step after the other, until it comes past all of them.
  @Test func nothingIsLostWhereItIsKilledAtAnyStep() throws {
    let scene = try WatchScene()
    try scene.stage.imap.select()
    for point in stride(from: 3, through: 75, by: 9) {
      let watch = try scene.start([], ["MAGNUM_FAULT": "\(point)"])
      watch.waitForStartOrEnd()
      try scene.stage.imap.append(scene.mail("killed at \(point)"))
      try scene.stage.imap.store("\(1 + point % 9)", "+FLAGS (\\Flagged)")
      if let file = scene.stage.tree["INBOX"].last(where: { $0.flags.isEmpty }) {
        try? scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,S\"", file)
      }
      _ = Stopwatch.wait(upTo: 1.5) { watch.hasEnded }
      watch.kill()
    }
    let watch = try scene.start()
    try scene.waitUntilMirrored(30)
    let subjects = (0..<9).map { "killed at \(3 + $0 * 9)" }
    #expect(subjects.allSatisfy { scene.holds($0) })
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// MAGNUM_MEASURE in the environment has it go through 10,000 cycles with 2,000 mailboxes.
  @Test func manyCyclesTakeNoMoreMemoryThanFew() throws {
    let isWhole = getenv("MAGNUM_MEASURE") != nil
    let scene = try WatchScene(isSynced: false)
    for number in 1...(isWhole ? 2000 : 20) { try scene.stage.imap.create("many\(number)") }
    let watch = try scene.start(["--poll", "3600"])
    let asking = try SyncAsking(of: scene)
    try scene.stage.imap.select()
    func cycle(_ count: Int) throws {
      for number in 0..<count {
        try scene.stage.imap.store("1", "\(number % 2 == 0 ? "+" : "-")FLAGS (\\Flagged)")
        try asking.sync()
      }
    }
    try watch.waitForListening()
    try cycle(isWhole ? 200 : 15)
    let before = (memory: watch.memory, descriptors: watch.descriptors)
    try cycle(isWhole ? 10_000 : 70)
    let after = (memory: watch.memory, descriptors: watch.descriptors)
    // That of a request that has just ended may be there still.
    #expect(after.descriptors <= before.descriptors + 3, "\(before) \(after)")
    #expect(after.memory - before.memory < 2 << 20, "\(before) \(after)")
    if isWhole { print("measured: \(before) then \(after)") }
    try scene.waitUntilMirrored()
    try watch.end()
  }
}

/// Asks a watch for syncs as magnum-sync does.
private struct SyncAsking {
  private let socket: Path
  private let line: [UInt8]

  init(of scene: WatchScene) throws {
    let home = scene.stage.program.home
    socket = Path(home[".local/state/magnum/accounts/test/socket"])
    var checksum = Hash64()
    checksum.update(try #require(Files.read(home[".config/magnum/config.toml"])))
    let words = "sync 2 \(String(checksum.value, radix: 16)) quiet unattended unnamed none\n"
    line = Array(words.utf8)
  }

  /// Has one made, and waits for its end.
  func sync() throws {
    let connection = try LocalSocket.connect(to: socket)
    try connection.write(all: line)
    var answer: [UInt8] = []
    while !answer.suffix(7).elementsEqual("done 0\n".utf8) {
      let piece = try connection.read(atMost: 100)
      try #require(!piece.isEmpty, "\(String(decoding: answer, as: UTF8.self))")
      answer += piece
    }
  }
}
