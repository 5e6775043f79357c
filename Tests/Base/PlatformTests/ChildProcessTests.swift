import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ChildProcessTests {
  @Test(
    arguments: [
      (.arguments(["printf", "%s|", "a b", "$HOME"]), .exited(0), "a b|$HOME|"),
      (.shell("echo $((6 * 7)); exit 3"), .exited(3), "42\n"),
      (.shell("kill -9 $$"), .signalled(SIGKILL), ""),
      (.shell("cat"), .exited(0), ""),
      (.shell("exec >&-; sleep 0.1; exit 4"), .exited(4), ""),
      // A password agent that goes on in the background must not hold us up.
      (.shell("sleep 6 & echo secret"), .exited(0), "secret\n"),
    ] as [(ChildProcess.Command, ChildProcess.Status, String)]
  )
  func ends(
    _ command: ChildProcess.Command,
    _ status: ChildProcess.Status,
    _ output: String
  ) throws {
    let start = Clock.monotonicNanoseconds()
    let result = try ChildProcess.run(command, timeout: 10, outputLimit: 1000)
    #expect(result.status == status)
    #expect(String(decoding: result.output, as: UTF8.self) == output)
    #expect(Clock.monotonicNanoseconds() - start < 5_000_000_000)
  }

  @Test func signalsThatAreBlockedEndNoChild() throws {
    let line = "for name in INT TERM HUP; do kill -$name $$; done; echo there"
    let result = try ChildProcess.run(
      .shell(line),
      timeout: 10,
      outputLimit: 100,
      blocksSignals: true
    )
    #expect(result.status == .exited(0) && result.output == Array("there\n".utf8))
    // What this process ignores, as one in the background does SIGINT and SIGHUP, its children ignore too.
    let ended = try ChildProcess.run(.shell("kill -TERM $$"), timeout: 10, outputLimit: 100)
    #expect(ended.status == .signalled(SIGTERM))
  }

  @Test(
    arguments: [
      (.inherited, "  set"), (.inherited(with: ["A=1 2", "B=x=y"]), "1 2 x=y set"),
      (.inherited(with: ["HOME="]), "  "), (.only(["A=1"]), "1  "), (.only([]), "  "),
    ] as [(ChildProcess.Variables, String)]
  )
  func variables(_ variables: ChildProcess.Variables, _ expected: String) throws {
    let result = try ChildProcess.run(
      .shell("echo \"$A $B ${HOME:+set}\""),
      timeout: 10,
      outputLimit: 100,
      variables: variables
    )
    #expect(String(decoding: result.output, as: UTF8.self) == expected + "\n")
  }

  /// Nobody waits for one that reads nothing, however much there is; a grandchild that stays does not matter either.
  @Test(
    arguments: [
      ("wc -c", .exited(0), "1048579\n"), ("head -n 1", .exited(0), "aa\n"),
      ("echo", .exited(0), "\n"),
      ("exec <&-; sleep 0.1; exit 3", .exited(3), ""), ("sleep 5 & echo b", .exited(0), "b\n"),
    ] as [(String, ChildProcess.Status, String)]
  )
  func octetsAreThere(_ line: String, _ status: ChildProcess.Status, _ output: String) throws {
    let start = Clock.monotonicNanoseconds()
    let text = Array("aa\n".utf8) + [UInt8](repeating: 98, count: 1 << 20)
    let result = try ChildProcess.run(
      .shell(line),
      timeout: 10,
      outputLimit: 100,
      standardInput: .octets(text)
    )
    #expect(result.status == status)
    #expect(String(decoding: result.output, as: UTF8.self) == output)
    #expect(Clock.monotonicNanoseconds() - start < 4_000_000_000)
  }

  /// One that reads less than it is given is no failure.
  @Test(arguments: [
    ("cat >/dev/null", 0), ("read line; test \"$line\" = aa; exit", 0), ("exit 5", 5),
  ])
  func programsAreFed(_ line: String, _ status: Int32) throws {
    Signals.ignoreBrokenPipe()
    let text = Array("aa\n".utf8) + [UInt8](repeating: 98, count: 1 << 20)
    #expect(try ChildProcess.show(text, with: .shell(line)) == .exited(status))
  }

  /// The name of a file need not be UTF-8, and the last argument is it as it is.
  @Test func aFileIsNamedByItsOctets() throws {
    let directory = try TempDirectory("operand")
    let name = Path(directory.path).appending([0x61, 0xE9, 0xFF, 0x20, 0x62])
    try AtomicFile.replace(name, with: [1])
    let command = ChildProcess.Command.arguments(["sh", "-c", "test \"$#\" = 1 && rm \"$1\"", "sh"])
    #expect(try ChildProcess.runAtTerminal(command, operand: name.octets) == .exited(0))
    #expect(try FileSystem.status(name) == nil)
    #expect(throws: SystemError(operation: "posix_spawn", path: Path("sh"), code: EINVAL)) {
      try ChildProcess.runAtTerminal(command, operand: [0x61, 0])
    }
  }

  @Test func slowChildrenAreEnded() throws {
    let start = Clock.monotonicNanoseconds()
    let result = try ChildProcess.run(
      .shell("echo a; exec sleep 20"),
      timeout: 0.3,
      outputLimit: 10
    )
    #expect(result.status == .timedOut)
    #expect(result.output == [97, 10])
    #expect(Clock.monotonicNanoseconds() - start < 5_000_000_000)
  }

  @Test func stubbornChildrenAreKilled() throws {
    let result = try ChildProcess.run(
      .shell("trap '' TERM; while :; do sleep 0.1; done"),
      timeout: 0.3,
      outputLimit: 10
    )
    #expect(result.status == .timedOut)
  }

  /// What the shell has started is ended with it, whether it ends when it is asked to or not.
  @Test(arguments: ["", "trap '' TERM; "])
  func aGroupIsEndedAsAWhole(_ start: String) throws {
    let line = "\(start)sleep 20.\(getpid()) & echo $!; sleep 20 | cat"
    let result = try ChildProcess.run(
      .shell(line),
      timeout: 0.3,
      outputLimit: 100,
      group: .own
    )
    #expect(result.status == .timedOut)
    let other = try #require(Int32(String(decoding: result.output, as: UTF8.self).dropLast()))
    // Anyone who waits for it now may not have done so yet.
    let hasEnded = Stopwatch.wait(upTo: 10) {
      Files.text("/proc/\(other)/stat")?.contains(") Z ") ?? true
    }
    #expect(hasEnded)
  }

  @Test func talkativeChildrenAreEnded() throws {
    let result = try ChildProcess.run(.arguments(["yes"]), timeout: 10, outputLimit: 100_000)
    #expect(result.status == .outputTooLong)
    #expect(result.output.count == 100_001)
    let exact = try ChildProcess.run(.shell("printf 12345"), timeout: 10, outputLimit: 5)
    #expect(exact.status == .exited(0))
  }

  /// Also one that has closed its output.
  @Test(arguments: [
    ChildProcess.Command.arguments(["sleep", "20"]), .shell("exec >&-; exec sleep 20"),
  ])
  func interruptionEndsTheChild(_ command: ChildProcess.Command) throws {
    let interruption = Interruption()
    let thread = try Thread.spawn(name: "interrupt") {
      usleep(100_000)
      interruption.request()
    }
    let result = try ChildProcess.run(
      command,
      timeout: 15,
      outputLimit: 10,
      interruption: interruption
    )
    thread.join()
    #expect(result.status == .interrupted)
  }

  @Test(arguments: [
    (ChildProcess.Command.arguments(["no-such-program-here"]), ENOENT),
    (.arguments([]), EINVAL),
    (.arguments(["echo", "a\0b"]), EINVAL),
    (.arguments(["/etc"]), EACCES),
  ])
  func commandsThatCannotBeRun(_ command: ChildProcess.Command, _ code: Int32) throws {
    let error = #expect(throws: SystemError.self) {
      try ChildProcess.run(command, timeout: 10, outputLimit: 10)
    }
    #expect(error?.code == code)
    #expect(error?.operation == "posix_spawn")
  }

  /// Blocked and ignored signals would be inherited, and our files would stay open.
  @Test func childrenStartClean() async {
    await #expect(processExitsWith: .success) {
      Signals.ignoreBrokenPipe()
      Signals.ignoreFileSizeLimit()
      Interruption.shared.watchSignals()
      let file = try Descriptor.open(Path("/dev/null"), .read.orDevice)
      let script = "grep -E '^Sig(Blk|Ign):' /proc/self/status; ls -l /proc/self/fd"
      let result = try ChildProcess.run(.shell(script), timeout: 10, outputLimit: 10_000)
      let text = String(decoding: result.output, as: UTF8.self)
      let lines = text.split(separator: "\n")
      guard lines.count > 2, signals(in: lines[0]) == 0, signals(in: lines[1]) == 0,
        file.raw > 2, !text.contains(" \(file.raw) -> /dev/null")
      else { exit(1) }
      exit(0)
    }
  }

  /// How a program ends that takes something over, what it says last, and whether a process is left of it.
  @Test(
    arguments: [
      ("cat >&2; exit 3", ChildProcess.Status.exited(3), "b"),
      ("exit 0", .exited(0), nil),
      ("sleep 100 & exit 0", .exited(0), nil),
      ("(trap '' TERM; sleep 100) & echo c >&2; exit 0", .exited(0), "c"),
      ("while :; do echo d >&2; done & sleep 0.1; exit 4", .exited(4), "d"),
      ("echo e >&2; sleep 100", .timedOut, "e"),
      ("seq 1 100000 >&2; printf '\\n \\n' >&2; kill -9 $$", .signalled(9), "100000"),
    ] as [(String, ChildProcess.Status, String?)]
  )
  func programsTakeThingsOver(
    _ script: String,
    _ status: ChildProcess.Status,
    _ line: String?
  ) throws {
    let directory = try TempDirectory("delivery")
    let words = ["sh", "-c", "echo $$ > \"$1\"; \(script)", "sh", directory["group"]]
    let command = ChildProcess.ReceivingCommand(
      words,
      input: Array("a\nb\n".utf8),
      variables: [],
      user: nil,
      timeout: status == .timedOut ? 0.3 : 30
    )
    let watch = Clock.monotonicNanoseconds()
    let end = try ChildProcess.deliver(command)
    #expect(end.status == status)
    #expect(end.lastLine == line.map { Array($0.utf8) })
    #expect(Clock.monotonicNanoseconds() - watch < 20_000_000_000)
    let text = try #require(Files.text(directory["group"])).filter { $0 != "\n" }
    let group = try #require(Int32(text))
    #expect(Stopwatch.wait(upTo: 5) { kill(-group, 0) != 0 }, "nothing of it goes on")
  }

  @Test func tunnelsTalkBothWays() throws {
    let tunnel = try ChildProcess.openTunnel(.shell("read line; echo \"got $line\"; exit 5"))
    try tunnel.socket.write(all: Array("hello\n".utf8))
    #expect(try tunnel.socket.read(atMost: 100) == Array("got hello\n".utf8))
    #expect(try tunnel.socket.read(atMost: 100) == [])
    #expect(ChildProcess.end(tunnel.process, grace: 10) == .exited(5))
    let sleeper = try ChildProcess.openTunnel(.arguments(["sleep", "20"]))
    #expect(ChildProcess.end(sleeper.process, grace: 0) == .signalled(SIGTERM))
  }
}

/// The signals 1 to 31 of a line of /proc/self/status; those above are the C library's own affair.
private func signals(in line: Substring) -> UInt64 {
  (UInt64(line.suffix(16), radix: 16) ?? .max) & 0x7FFF_FFFF
}
