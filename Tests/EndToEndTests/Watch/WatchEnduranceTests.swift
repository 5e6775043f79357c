import Glibc
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
      try watch.waitForStart()
      try scene.stage.imap.append(scene.mail("killed at \(point)"))
      try scene.stage.imap.store("\(1 + point % 9)", "+FLAGS (\\Flagged)")
      if let file = scene.stage.tree["INBOX"].last(where: { $0.flags.isEmpty }) {
        try? scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,S\"", file)
      }
      Stopwatch.sleep(1.5)
      watch.kill()
    }
    let watch = try scene.start()
    try scene.waitUntilMirrored(30)
    let subjects = (0..<9).map { "killed at \(3 + $0 * 9)" }
    #expect(subjects.allSatisfy { scene.holds($0) })
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// MAGNUM_MEASURE in the environment has it go through ten times as many.
  @Test func manyCyclesTakeNoMoreMemoryThanFew() throws {
    let scene = try WatchScene()
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    try scene.stage.imap.select()
    func cycle(_ count: Int) {
      for number in 0..<count {
        _ = try? scene.stage.imap.store("1", "\(number % 2 == 0 ? "+" : "-")FLAGS (\\Flagged)")
        Stopwatch.sleep(0.15)
      }
      Stopwatch.sleep(1)
    }
    cycle(20)
    let before = (watch.memory, watch.descriptors)
    let syncs = watch.count("\"event\":\"started\"")
    cycle(getenv("MAGNUM_MEASURE") == nil ? 40 : 400)
    let after = (watch.memory, watch.descriptors)
    #expect(watch.count("\"event\":\"started\"") - syncs > 5)
    #expect(after.1 == before.1)
    #expect(after.0 - before.0 < 8 << 20, "\(before) \(after)")
    if getenv("MAGNUM_MEASURE") != nil { print("measured: \(before) then \(after)") }
    try watch.end()
  }
}
