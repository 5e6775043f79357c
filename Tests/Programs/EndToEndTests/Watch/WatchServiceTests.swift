import Glibc
import TestSupport
import Testing

/// What `magnum watch` tells the service manager that started it.
@Suite struct WatchServiceTests {
  /// A socket of which each message becomes a line of a file.
  private func listen(_ home: TempDirectory) throws -> RunningCommand {
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1])
      with open(sys.argv[2], "w", buffering=1) as log:
          while True: log.write(s.recv(1000).decode().replace("\\n", " ") + "\\n")
      """
    let running = try Command("python3", ["-c", script, home["manager"], home["told"]]).start()
    try #require(Stopwatch.wait(upTo: 30) { Files.exists(home["told"]) })
    return running
  }

  @Test func theServiceManagerKnowsHowItStands() throws {
    let scene = try WatchScene()
    let home = scene.stage.program.home
    let manager = try listen(home)
    defer { manager.signal(SIGKILL) }
    func hasTold(_ words: String, _ count: Int = 1) -> Bool {
      Stopwatch.wait(upTo: 30) {
        (Files.text(home["told"]) ?? "").ranges(of: words).count >= count
      }
    }
    let watch = try scene.start(
      [],
      ["NOTIFY_SOCKET": home["manager"], "WATCHDOG_USEC": "400000"]
    )
    #expect(hasTold("READY=1"))
    #expect(hasTold("STATUS=1 of 1 accounts connected"))
    #expect(hasTold("WATCHDOG=1", 3))
    watch.signal(SIGHUP)
    #expect(hasTold("RELOADING=1 MONOTONIC_USEC="))
    #expect(hasTold("READY=1", 2))
    try watch.end()
    #expect(hasTold("STOPPING=1"))
  }
}
