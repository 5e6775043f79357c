import Glibc
import TestSupport
import Testing

/// No open can hang: whatever lies under a name that a sync and a watch use in the state, the cache, the Maildir and as a socket,
/// they come to their end.
@Suite struct WatchHangTests {
  /// What is put there: a pipe, a link to one, a directory, a socket without a listener, and for root a device.
  private static let traps =
    [
      "mkfifo \"$1\"", "mkfifo \"$1.pipe\"; ln -s \"$1.pipe\" \"$1\"", "mkdir \"$1\"",
      "python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' \"$1\"",
    ] + (getuid() == 0 ? ["mknod \"$1\" c 1 5"] : [])

  private let scene: WatchScene
  private var home: String { scene.stage.program.home.path }

  init() throws { scene = try WatchScene(isIndexed: true) }

  /// A sync, a watch that is asked for another one, and what shows how things stand; none of it may take long.
  private func useAll(_ place: String) throws {
    try run([], place)
    let watch = try scene.command(["--poll", "3600"]).start()
    _ = Stopwatch.wait(upTo: 15) {
      watch.hasEnded || watch.outputSoFar.contains("\"event\":\"listening\"")
    }
    try run([], "\(place), beside a watch")
    watch.signal(SIGTERM)
    #expect(Stopwatch.wait(upTo: 30) { watch.hasEnded }, "\(place): the watch does not end")
    watch.signal(SIGKILL)
    _ = watch.wait()
    for words in [["status"], ["index"]] { try run(words, place) }
  }

  private func run(_ words: [String], _ place: String) throws {
    var command = scene.stage.program.command(words)
    if !words.isEmpty { command.program = "\(ProgramUnderTest.products)/magnum" }
    command.timeLimit = 40
    let outcome = try command.run()
    #expect(outcome.end != .timedOut, "\(place): \(words): \(outcome)")
  }

  /// The files that these programs have made, the socket of a watch that was killed among them.
  private func names() throws -> [String] {
    let watch = try scene.start(["--poll", "3600"])
    try watch.waitForListening()
    watch.kill()
    return try Command.shell(
      "cd \"$1\"; find . \\( -type f -o -type s \\) ! -path '*/cur/*' ! -path '*/new/*' ! -path './.config/*' | sort",
      [home]
    ).split(separator: "\n").map { "\($0)" }
  }

  /// Of all but the socket only some, beginning with one that the commit decides.
  @Test func whateverLiesUnderAName() throws {
    try useAll("as it is")
    let names = try names()
    for place in [".local/state/magnum/accounts/", "socket", ".magnum/index/"] {
      try #require(names.contains { $0.contains(place) }, "\(names)")
    }
    try Command.shell("cp -a \"$1\" \"$1.saved\"", [home])
    defer { Files.removeTree("\(home).saved") }
    let all = names.flatMap { name in Self.traps.map { (name, $0) } }
    let chosen = Set(Turn.chosen(of: all.count, every: runsLongTests ? 1 : 40))
    for (number, (name, trap)) in all.enumerated()
    where chosen.contains(number + 1) || name.hasSuffix("/socket") {
      try Command.shell(
        "cd /; find \"$1\" -mindepth 1 -delete; cp -a \"$1.saved/.\" \"$1/\"; set -- \"$1/$2\"; rm -f \"$1\"; \(trap)",
        [home, name]
      )
      try useAll("\(name), \(trap)")
    }
  }
}
