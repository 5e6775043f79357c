import Synchronization
import TestSupport
import Testing

/// `magnum watch` where a server wants to be left alone: it is, for the time that the server names, and nothing is lost.
@Suite struct WatchThrottleTests {
  /// How a server says so.
  struct Way: CustomTestStringConvertible, Sendable {
    /// The command that it answers like this, once.
    let command: String
    let fate: BendingProxy.Fate
    /// Whether it does so at the next sync, not while the watch begins.
    var isLater = true

    var testDescription: String { "\(command): \(fate)" }
  }

  private static let seconds = 7.0
  private static let time = "Suggested Backoff Time: 7000 milliseconds"

  private static let ways = [
    Way(
      command: "AUTHENTICATE",
      fate: .refused("NO [UNAVAILABLE] Request is throttled. \(time)"),
      isLater: false
    ),
    Way(command: "LIST", fate: .refused("NO [LIMIT] Request is throttled. \(time)")),
    Way(command: "UID FETCH", fate: .refused("NO [THROTTLED] Not so fast. \(time)")),
    Way(command: "LIST", fate: .hungUp("* BYE [UNAVAILABLE] Too many requests. \(time)")),
    Way(
      command: "IDLE",
      fate: .hungUp("* BYE [UNAVAILABLE] Too many requests. \(time)"),
      isLater: false
    ),
  ]

  /// When the server said so, and when the next command came after that.
  private struct Moments: Sendable {
    var said: Double?
    var next: Double?
  }

  @Test(arguments: ways)
  func aServerThatThrottlesIsLeftAlone(_ way: Way) throws {
    let scene = try WatchScene()
    let moments = Mutex(Moments())
    let isArmed = Atomic(!way.isLater)
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      if line.hasPrefix(way.command), isArmed.exchange(false, ordering: .relaxed) {
        moments.withLock { $0.said = Stopwatch.now() }
        return way.fate
      }
      // What was on its way before the answer came is not counted.
      let now = Stopwatch.now()
      moments.withLock { if let said = $0.said, now > said + 0.5 { $0.next = $0.next ?? now } }
      return .passed
    }
    try scene.configure(port: proxy.port)
    let watch = try scene.start(["--poll", "3600"])
    if way.isLater {
      try watch.waitForListening()
      Stopwatch.sleep(1)
      isArmed.store(true, ordering: .relaxed)
    } else {
      let hasSaid = Stopwatch.wait(upTo: 30) { moments.withLock { $0.said != nil } }
      #expect(hasSaid)
    }
    try scene.stage.imap.append(scene.mail("meanwhile"))
    try scene.waitUntilMirrored(40)
    let seen = moments.withLock { $0 }
    let said = try #require(seen.said)
    let next = try #require(seen.next)
    #expect(next - said >= Self.seconds, "\(next - said) s")
    #expect(watch.logins == 2)
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// Nor by a watch that is started meanwhile.
  @Test func aServerThatNamesNoTimeIsLeftAloneForAMinute() throws {
    let scene = try WatchScene()
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      line.hasPrefix("LIST") ? .refused("NO [LIMIT] Rate limit hit.") : .passed
    }
    try scene.configure(port: proxy.port)
    for _ in 1...2 {
      let watch = try scene.start(["--poll", "2"], ["MAGNUM_WATCH_PACE": "4"])
      _ = try scene.measure {
      } until: {
        watch.count("\"event\":\"waiting\"") > 0
      }
      // Two of its intervals.
      Stopwatch.sleep(1)
      try watch.end()
    }
    #expect(proxy.commands.count { $0.hasPrefix("LIST") } == 1)
    #expect(proxy.commands.count { $0.hasPrefix("AUTHENTICATE") } == 1)
  }
}
