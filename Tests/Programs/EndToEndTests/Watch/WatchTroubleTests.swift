import Glibc
import TestSupport
import Testing

/// `magnum watch` where the server stands still, folders are gone for a while, or changes are not told.
@Suite struct WatchTroubleTests {
  /// Sends a signal to all processes of a scene's own server.
  private func signal(_ name: String, _ scene: WatchScene) throws {
    let script = """
      server=$(cat "$1/run/master.pid")
      for process in "$server" $(ps -o pid= --ppid "$server"); do kill -s "$2" "$process"; done
      """
    _ = try Command.shell(script, [scene.stage.server.folder, name])
  }

  /// For longer than a reply is waited for, while something is to be told, and while it is called again.
  ///
  /// MAGNUM_MEASURE in the environment has it stand still for 90 seconds, with the usual limits.
  @Test func aServerThatStandsStillIsMetAgain() throws {
    var options = DovecotOptions()
    options.lines = ["# a server of its own: it is stopped"]
    let scene = try WatchScene(options)
    let isWhole = getenv("MAGNUM_MEASURE") != nil
    let limits = isWhole ? [:] : ["MAGNUM_PATIENCE": "2000"]
    let watch = try scene.start(["--poll", "3600"], limits)
    try watch.waitForListening()
    let start = Stopwatch.now()
    try signal("STOP", scene)
    do {
      defer { try? signal("CONT", scene) }
      let file = try #require(scene.stage.tree["INBOX"].first)
      try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,F\"", file)
      let hasWaited = Stopwatch.wait(upTo: isWhole ? 90 : 30) {
        watch.count("\"event\":\"waiting\"") > 1
      }
      #expect(hasWaited)
      if isWhole { Stopwatch.sleep(max(0, start + 90 - Stopwatch.now())) }
    }
    try scene.stage.imap.append(scene.mail("after it stood still"))
    try scene.waitUntilMirrored(isWhole ? 100 : 40)
    if isWhole { print("measured: \(watch.logins) log-ins in \(Stopwatch.now() - start) s") }
    #expect(watch.logins <= 4)
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// What the server has: the messages of each mailbox by UID, with their flags.
  private func marks(_ scene: WatchScene) throws -> [String: [String]] {
    try scene.stage.imap.everything().mapValues { $0.map { "\($0.uid) \($0.flags.sorted())" } }
  }

  /// Whether all that was there is there, unchanged.
  private func holds(_ before: [String: [String]], _ after: [String: [String]]) -> Bool {
    before.allSatisfy { name, marks in Set(marks).isSubset(of: after[name] ?? []) }
  }

  @Test(arguments: ["Mail", "Mail/test"])
  func foldersThatAreAwayAreNotRemoved(_ name: String) throws {
    let scene = try WatchScene()
    let before = try marks(scene)
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    let folder = scene.stage.program.home[name]
    try Command.shell("mv \"$1\" \"$1.away\"", [folder])
    try scene.stage.imap.append(scene.mail("that wakes it"))
    _ = try scene.measure {
    } until: {
      watch.count("\"event\":\"failed\"") > 0
    }
    let byHand = try scene.stage.sync()
    #expect(byHand.code != 0, "\(byHand)")
    // Five seconds by its own clock.
    Stopwatch.sleep(1)
    #expect(holds(before, try marks(scene)))
    #expect(Files.names(in: scene.maildir).isEmpty)
    try scene.stage.imap.append(scene.mail("while it was away"))
    try Command.shell("mv \"$1.away\" \"$1\"", [folder])
    try scene.waitUntilMirrored()
    #expect(try scene.stage.imap.messages().count == 14)
    #expect(watch.logins <= 3)
    // What is changed here goes to the server again.
    let file = try #require(scene.stage.tree["INBOX"].first)
    try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,F\"", file)
    try scene.waitUntilMirrored()
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// Neither that a disk goes nor that it comes back is told by the folders.
  @Test(.enabled("needs a file system, which only root can mount") { SmallDisk.canBe })
  func foldersOnADiskThatIsNotMountedAreNotRemoved() throws {
    let scene = try WatchScene()
    let before = try marks(scene)
    let folder = scene.stage.program.home["Mail"]
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    try Command.shell("mount -t tmpfs none \"$1\"", [folder])
    do {
      defer { _ = try? Command.shell("umount \"$1\"", [folder]) }
      try scene.stage.imap.append(scene.mail("while it was away"), to: "Archive")
      try scene.stage.imap.append(scene.mail("and one more"))
      _ = try scene.measure {
      } until: {
        watch.count("\"event\":\"failed\"") > 0
      }
      #expect(Files.names(in: folder).isEmpty)
    }
    try scene.waitUntilMirrored()
    let after = try marks(scene)
    #expect(holds(before, after))
    #expect(watch.logins == 1)
    let file = try #require(scene.stage.tree["INBOX"].first)
    try scene.shell("mv \"$1/INBOX/$2/$3\" \"$1/INBOX/cur/${3%%:*}:2,F\"", file)
    try scene.waitUntilMirrored()
    try watch.end()
  }

  @Test func changesThatTheSystemForgotAreFound() throws {
    let scene = try WatchScene()
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    Stopwatch.sleep(1)
    let file = try #require(scene.stage.tree["INBOX"].first)
    watch.signal(SIGSTOP)
    let script = """
      cd "$1/Archive/cur"
      seq -f .%g "$(($(cat /proc/sys/fs/inotify/max_queued_events) / 2 + 100))" | xargs touch
      mv "$1/INBOX/$2/$3" "$1/INBOX/cur/${3%%:*}:2,F"
      """
    try scene.shell(script, file)
    watch.signal(SIGCONT)
    _ = try scene.measure {
    } until: {
      (try? scene.stage.imap.messages().contains { $0.flags.contains("\\Flagged") }) ?? false
    }
    try watch.end()
  }
}
