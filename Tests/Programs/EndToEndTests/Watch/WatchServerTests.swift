import Glibc
import Synchronization
import TestSupport
import Testing

/// `magnum watch` with servers that lack something, and with lines of which each command is seen.
@Suite struct WatchServerTests {
  private static let lacking = [
    DovecotOptions().hiding("IDLE"),
    DovecotOptions().hiding("UNSELECT"),
    DovecotOptions().hiding("LIST-STATUS"),
    DovecotOptions().hiding("IDLE", "LIST-STATUS", "CONDSTORE", "QRESYNC", "UNSELECT"),
  ]

  @Test(arguments: lacking)
  func whatAServerLacksIsDoneWithout(_ options: DovecotOptions) throws {
    let scene = try WatchScene(options)
    let watch = try scene.start(["--poll", "2"])
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("in the inbox"))
    try scene.stage.imap.append(scene.mail("elsewhere"), to: "Archive")
    try scene.stage.imap.select()
    try scene.stage.imap.store("1", "+FLAGS (\\Flagged)")
    let file = try #require(scene.stage.tree["Archive"].last)
    try scene.shell("mv \"$1/Archive/$2/$3\" \"$1/Archive/cur/${3%%:*}:2,FRS\"", file)
    try scene.waitUntilMirrored()
    #expect(watch.logins == 1)
    try watch.end()
    try scene.stage.expectSettled()
  }

  @Test func aServerThatRefusesIdleIsAskedInItsPlace() throws {
    let scene = try WatchScene()
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      line.hasPrefix("IDLE") ? .refused("NO not here") : .passed
    }
    try scene.configure(port: proxy.port)
    let watch = try scene.start(["--poll", "2"])
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("without idle"))
    try scene.waitUntilMirrored()
    #expect(proxy.commands.count { $0.hasPrefix("IDLE") } == 1)
    #expect(watch.logins == 1)
    try watch.end()
  }

  /// From the third time on it is asked for news over the connection that is open.
  @Test(.enabled(if: runsLongTests))
  func aServerThatEndsConnectionsOverIdleIsAskedInItsPlace() throws {
    let scene = try WatchScene()
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      line.hasPrefix("IDLE") ? .hungUp("* BYE closing down") : .passed
    }
    try scene.configure(port: proxy.port)
    let watch = try scene.start(["--poll", "2"])
    #expect(Stopwatch.wait(upTo: 90) { proxy.commands.count { $0.hasPrefix("IDLE") } == 3 })
    for subject in ["one", "two"] {
      try scene.stage.imap.append(scene.mail(subject))
      try scene.waitUntilMirrored(60)
    }
    #expect(proxy.commands.count { $0.hasPrefix("IDLE") } == 3)
    #expect(watch.logins == 4, "\(watch.output)")
    try watch.end()
  }

  /// What waits in the queue for its time goes then, long before the next look at all mailboxes.
  @Test func anEntryOfTheQueueGoesWhenItIsDue() throws {
    let scene = try WatchScene()
    let port = try Loopback.freePort()
    let account = "address = \"me@x.test\"\nsmtp = \"smtp+plain://127.0.0.1:\(port)\"\n"
    try scene.stage.configure(account: account + "retry-after = [\"4s\"]\nsent-copy = \"never\"")
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    var send = scene.stage.program.command(["-i", "a@x.test"])
    send.program = "\(ProgramUnderTest.products)/magnum-send"
    send.input = Array("Subject: later\n\nText.\n".utf8)
    let sent = try send.run()
    #expect(sent.code == 0, "\(sent)")
    var options = SMTPSink.Options()
    options.extensions.append("AUTH PLAIN")
    let sink = try SMTPSink(options, port: port)
    #expect(Stopwatch.wait(upTo: 30) { !sink.messages.isEmpty }, "\(watch.output)")
    try watch.end()
  }

  @Test func aServerThatSaysGoodbyeIsMetAgain() throws {
    let scene = try WatchScene()
    let isDone = Atomic(false)
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      guard line.hasPrefix("IDLE"), !isDone.exchange(true, ordering: .relaxed) else {
        return .passed
      }
      return .hungUp("* BYE closing down")
    }
    let watch = try watchNewMail(scene, through: proxy, WatchScene.fast)
    #expect(watch.logins == 2)
    try watch.end()
  }

  /// A watch through a proxy, during which a message came in.
  private func watchNewMail(
    _ scene: WatchScene,
    through proxy: BendingProxy,
    _ variables: [String: String] = [:]
  ) throws -> RunningWatch {
    try scene.configure(port: proxy.port)
    let watch = try scene.start([], variables)
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("meanwhile"))
    try scene.waitUntilMirrored()
    return watch
  }

  /// A sync goes on over another connection where the kept one breaks over what is asked first.
  @Test func aKeptConnectionThatBreaksIsReplacedAtOnce() throws {
    let scene = try WatchScene()
    let lists = Atomic(0)
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      guard line.hasPrefix("LIST"), lists.add(1, ordering: .relaxed).newValue == 2 else {
        return .passed
      }
      return .hungUp("* BYE closing down")
    }
    let watch = try watchNewMail(scene, through: proxy)
    #expect(watch.logins == 2)
    #expect(watch.count("\"event\":\"waiting\"") == 0, "\(watch.output)")
    try watch.end()
  }

  /// The connection goes on where the server names a limit for what is asked with the list.
  @Test func aKeptConnectionOnWhichALimitIsNamedGoesOn() throws {
    let scene = try WatchScene()
    let lists = Atomic(0)
    let isDone = Atomic(false)
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      if line.hasPrefix("LIST") { lists.add(1, ordering: .relaxed) }
      guard line.hasPrefix("SELECT"), lists.load(ordering: .relaxed) == 2,
        !isDone.exchange(true, ordering: .relaxed)
      else { return .passed }
      return .refused("NO [LIMIT] too many commands")
    }
    let watch = try watchNewMail(scene, through: proxy)
    #expect(watch.logins == 1)
    #expect(watch.count("\"event\":\"waiting\"") == 0, "\(watch.output)")
    let wasLimited = isDone.load(ordering: .relaxed)
    #expect(wasLimited)
    try watch.end()
  }

  /// DONE, UNSELECT, LIST, SELECT and FETCH go together, with new messages; INBOX once more, and IDLE.
  @Test func aMessageTakesOneRoundTripFromTheWordToTheFile() throws {
    let scene = try WatchScene()
    let proxy = try FlightProxy(to: scene.stage.server.ports.clear)
    let watch = try scene.startQuietly(port: proxy.port)
    _ = proxy.takeFlights()
    try scene.stage.imap.append(scene.mail("counted"))
    try scene.waitUntilMirrored()
    Stopwatch.sleep(1)
    let flights = proxy.takeFlights()
    #expect(flights == 3, "\(flights)")
    try watch.end()
  }

  /// With 50 ms for a round trip, from the moment in which the server tells of the message.
  @Test func aMessageIsHereAFewRoundTripsAfterTheWord() throws {
    let scene = try WatchScene()
    let told = Mutex(0.0)
    let near = try BendingProxy(
      to: scene.stage.server.ports.clear,
      reply: { line in
        if line.hasSuffix("EXISTS") { told.withLock { $0 = $0 > 0 ? $0 : Stopwatch.now() } }
        return line
      }
    )
    let proxy = try DelayProxy(to: near.port, .delayed(0.05))
    let watch = try scene.startQuietly(port: proxy.port)
    told.withLock { $0 = 0 }
    try scene.stage.imap.append(scene.mail("timed"))
    _ = try scene.measure {
    } until: {
      scene.holds("timed")
    }
    let seconds = Stopwatch.now() - told.withLock { $0 }
    #expect(seconds < 2, "\(seconds) s")
    if getenv("MAGNUM_MEASURE") != nil { print("measured: \(seconds) s from EXISTS to the file") }
    try watch.end()
  }

  @Test func nothingIsSentWhileNothingHappens() throws {
    let scene = try WatchScene()
    let proxy = try FlightProxy(to: scene.stage.server.ports.clear)
    let watch = try scene.startQuietly(port: proxy.port, ["MAGNUM_WATCH_PACE": "10"])
    _ = proxy.takeFlights()
    let before = watch.wakeUps
    // Half a minute by its own clock; in the long tier 20 seconds by any other, too.
    Stopwatch.sleep(runsLongTests ? 20 : 3)
    #expect(proxy.takeFlights() == 0)
    #expect(watch.wakeUps - before <= 2)
    if getenv("MAGNUM_MEASURE") != nil { print("measured: \(watch.memory >> 20) MB when idle") }
    try watch.end()
  }
}
