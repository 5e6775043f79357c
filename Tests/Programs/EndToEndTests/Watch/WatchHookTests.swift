import Glibc
import TestSupport
import Testing

/// The commands that follow the syncs of `magnum watch`.
@Suite struct WatchHookTests {
  private func scene(_ command: String) throws -> WatchScene {
    let scene = try WatchScene()
    try scene.stage.configure(sync: "post-sync = \"\"\"\n\(command)\"\"\"")
    return scene
  }

  /// The first call lasts until it may end; what comes meanwhile is told to the second.
  @Test func theyDoNotHoldTheSyncs() throws {
    let scene = try scene(
      "n=$(cat | wc -l); while [ ! -e ~/go ]; do sleep 0.1; done; echo $n $MAGNUM_NEW >> ~/told"
    )
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    for number in 1...4 {
      let seconds = try scene.deliver("while it runs \(number)")
      #expect(seconds < 4, "\(seconds) s")
    }
    #expect(watch.becomesQuiet())
    let told = scene.stage.program.home["told"]
    #expect(Files.text(told) == nil)
    try scene.stage.program.home.write("", to: "go", mode: 0o600)
    _ = try scene.measure {
    } until: {
      (Files.text(told) ?? "").split(separator: "\n").count == 2
    }
    #expect(Files.text(told) == "1 1\n3 3\n")
    try watch.end()
  }

  @Test func oneThatFailsIsReported() throws {
    let scene = try scene("exit 3")
    let watch = try scene.start()
    try watch.waitForListening()
    _ = try scene.measure {
      try scene.stage.imap.append(scene.mail("for nothing"))
    } until: {
      watch.output.contains("exited with 3") || watch.output.contains("status 3")
    }
    try watch.end()
  }

  /// It ignores SIGTERM, and is killed before the program ends.
  @Test(arguments: [SIGTERM, SIGINT])
  func oneThatHangsDoesNotKeepTheProgram(_ number: Int32) throws {
    let scene = try scene("echo $$ > ~/pid; trap '' TERM; while :; do sleep 1; done")
    let watch = try scene.start()
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("held"))
    let pid = scene.stage.program.home["pid"]
    _ = try scene.measure {
    } until: {
      Files.text(pid)?.hasSuffix("\n") ?? false
    }
    let start = Stopwatch.now()
    watch.signal(number)
    _ = watch.wait()
    #expect(Stopwatch.now() - start < 2.5)
    let process = try #require(Int32((Files.text(pid) ?? "").dropLast()))
    #expect(kill(process, 0) != 0)
  }

  @Test func oneThatRunsSurvivesAHangUp() throws {
    let scene = try scene(
      "echo > ~/begun; while [ ! -e ~/go ]; do sleep 0.1; done; echo $MAGNUM_NEW >> ~/told"
    )
    let watch = try scene.start()
    try watch.waitForListening()
    try scene.deliver("before")
    let hasBegun = Stopwatch.wait(upTo: 30) { Files.exists(scene.stage.program.home["begun"]) }
    #expect(hasBegun)
    watch.signal(SIGHUP)
    _ = try scene.measure {
    } until: {
      watch.output.contains("\"event\":\"reloaded\"")
    }
    try scene.deliver("after")
    Stopwatch.sleep(0.5)
    try scene.stage.program.home.write("", to: "go", mode: 0o600)
    let told = scene.stage.program.home["told"]
    _ = try scene.measure {
    } until: {
      Files.text(told) == "1\n1\n"
    }
    try watch.end()
  }
}
