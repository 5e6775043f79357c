import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

/// Programs that are given what strangers wrote, and do what those would have them do.
@Suite struct LimitedProcessTests {
  private static let areNamespacesAllowed: Bool = {
    do throws(LimitedProcess.Failure) {
      _ = try LimitedProcess(["true"], isConfined: true).run(on: [])
      return true
    } catch {
      if case .refused = error { return false }
      return true
    }
  }()

  private func run(
    _ words: [String],
    isConfined: Bool = true,
    input: String = "",
    seconds: Double = 20,
    output: Int = 100_000
  ) throws -> (end: LimitedProcess.End, text: String) {
    var limits = LimitedProcess.Limits()
    (limits.seconds, limits.output, limits.memory) = (seconds, output, 512 << 20)
    let process = LimitedProcess(words, isConfined: isConfined, limits: limits)
    let (end, octets) = try process.run(on: Array(input.utf8))
    return (end, String(decoding: octets, as: UTF8.self))
  }

  private func shell(_ line: String) throws -> String {
    let (end, text) = try run(["sh", "-c", line])
    #expect(end == .exited(0), "\(line)")
    return text
  }

  @Test(
    .enabled(if: areNamespacesAllowed),
    arguments: [true, false],
    [
      (["cat"], .exited(0), "given"),
      (["sh", "-c", "exit 3"], .exited(3), ""),
      (["sh", "-c", "echo some; kill -9 $$"], .signalled(SIGKILL), "some\n"),
      (["sh", "-c", "kill -SEGV $$"], .signalled(SIGSEGV), ""),
      (["/bin/echo", "$HOME", "a b"], .exited(0), "$HOME a b\n"),
      (["sh", "-c", "echo complaint >&2"], .exited(0), ""),
      (["sh", "-c", "exec 0<&- 1>&-; exit 4"], .exited(4), ""),
    ] as [([String], LimitedProcess.End, String)]
  )
  func ends(
    isConfined: Bool,
    _ call: ([String], LimitedProcess.End, String)
  ) throws {
    let (end, text) = try run(call.0, isConfined: isConfined, input: "given")
    #expect(end == call.1 && text == call.2, "\(call.0) \(end) \(text)")
  }

  @Test(.enabled(if: areNamespacesAllowed), arguments: [true, false])
  func whatHangsIsKilledWithAllThatItStarted(isConfined: Bool) throws {
    let mark = "6\(getpid()).\(isConfined ? 1 : 2)"
    let line = "trap '' TERM INT HUP; sleep \(mark) & sleep \(mark); sleep \(mark)"
    let start = Clock.monotonicNanoseconds()
    let (end, _) = try run(["sh", "-c", line], isConfined: isConfined, seconds: 0.5)
    #expect(end == .timedOut)
    #expect(Clock.monotonicNanoseconds() - start < 5_000_000_000)
    #expect(Self.isGone("sleep\0\(mark)\0"))
  }

  @Test(.enabled(if: areNamespacesAllowed), arguments: [true, false])
  func whatFloodsIsKilled(isConfined: Bool) throws {
    let (end, text) = try run(["yes"], isConfined: isConfined)
    #expect(end == .outputTooLong && text.utf8.count <= 100_001)
  }

  @Test(.enabled(if: areNamespacesAllowed)) func nothingIsLeftBehind() throws {
    let mark = "7\(getpid())"
    let (end, text) = try run(["sh", "-c", "setsid sleep \(mark) & echo done"])
    #expect(end == .exited(0) && text == "done\n")
    #expect(Self.isGone("sleep\0\(mark)\0"))
  }

  /// The C library knows of threads that are being made while this process is copied, and would wait for them in the copy.
  @Test(.enabled(if: areNamespacesAllowed)) func threadsThatAreBeingMadeHoldUpNone() throws {
    let isOver = Mutex(false)
    let makers = (0..<2).map { _ in
      Background { while !isOver.withLock({ $0 }) { Background {}.join() } }
    }
    defer {
      isOver.withLock { $0 = true }
      for maker in makers { maker.join() }
    }
    for _ in 0..<60 { #expect(try run(["true"]).end == .exited(0)) }
  }

  /// An ordinary user's are not even made: there the shell gives up.
  @Test(.enabled(if: areNamespacesAllowed)) func processesWithoutEndAreKilled() throws {
    let mark = "8\(getpid())"
    let (end, _) = try run(["sh", "-c", "while :; do sleep \(mark) & done"])
    #expect([.tooManyProcesses, .exited(2)].contains(end))
    #expect(Self.isGone("sleep\0\(mark)\0"))
  }

  @Test(.enabled(if: areNamespacesAllowed)) func memoryHasALimit() throws {
    let script = "my $x = 'a' x (1 << 30); print length $x"
    #expect(try run(["perl", "-e", script]).end != .exited(0))
    #expect(try run(["perl", "-e", script.replacing("30", with: "20")]).text == "1048576")
  }

  /// Ways to more memory than one process may have; what is held without being mapped is refused; SIZE is a part of the limit.
  private static let attacks = [
    // Several processes with a part each.
    """
    import os, time
    for _ in range(6):
      if os.fork() == 0:
        x = bytearray(SIZE << 20)
        for i in range(0, len(x), 4096): x[i] = 1
        time.sleep(28); os._exit(0)
    time.sleep(28)
    """,
    // Memory of several that none of them shows.
    """
    import mmap, os, time
    for _ in range(8):
      m = mmap.mmap(-1, SIZE << 19)
      for i in range(0, len(m), 4096): m[i] = 1
      if os.fork() == 0: time.sleep(28); os._exit(0)
      m.close()
    """,
    """
    import ctypes, os
    c = ctypes.CDLL(None, use_errno=True)
    for _ in range(8):
      i = c.shmget(0, 256 << 20, 0o1600)
      if i < 0: os._exit(9)
      c.shmat.restype = ctypes.c_void_p
      a = c.shmat(i, None, 0); ctypes.memset(a, 1, 256 << 20); c.shmdt(ctypes.c_void_p(a))
    """,
    """
    import os
    for _ in range(130):
      f = os.memfd_create("x")
      for _ in range(15): os.write(f, b"x" * (1 << 20))
    """,
    """
    import socket
    all = []
    for _ in range(100):
      a, b = socket.socketpair(); a.setblocking(False); all += [a, b]
      try:
        while True: a.send(b"x" * 65536)
      except BlockingIOError: pass
    """,
    "for i in range(100000): open(f'/tmp/{i}', 'w').close()",
  ]

  @Test(.enabled(if: areNamespacesAllowed), arguments: attacks)
  func memoryHasALimitAsAWhole(_ script: String) throws {
    let start = Clock.monotonicNanoseconds()
    let script = script.replacing("SIZE", with: "200")
    let (end, text) = try run(["python3", "-c", "\(script)\nprint('held')"], seconds: 40)
    #expect(end != .exited(0) && !text.contains("held"), "\(end) \(text)")
    #expect(Clock.monotonicNanoseconds() - start < 35_000_000_000)
  }

  /// With the limits that filters have, no attack comes far beyond them before it is ended.
  @Test(.enabled(if: areNamespacesAllowed && runsLongTests), arguments: attacks)
  func noAttackComesFarBeyondTheLimit(_ script: String) throws {
    let mark = "held-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    let script = script.replacing("SIZE", with: "400") + "\nprint('\(mark)')"
    let process = LimitedProcess(["python3", "-c", script], isConfined: true)
    let isOver = Mutex(false)
    let before = Self.sharedMemory
    let watcher = Background {
      var peak = 0
      while !isOver.withLock({ $0 }) {
        peak = max(peak, Self.memory(of: mark) + max(0, Self.sharedMemory - before))
        usleep(2000)
      }
      print("at most \(peak >> 20) MiB: \(script.prefix(60))")
      #expect(peak < 1200 << 20)
    }
    let (end, output) = try process.run(on: [])
    isOver.withLock { $0 = true }
    watcher.join()
    #expect(end != .exited(0) && output.isEmpty, "\(end)")
  }

  /// Octets of their own that processes hold whose command lines have that mark.
  private static func memory(of mark: String) -> Int {
    Files.names(in: "/proc").reduce(0) { sum, name in
      let place = "/proc/\(String(decoding: name, as: UTF8.self))"
      guard name.first.map({ (48...57).contains($0) }) ?? false,
        Files.text("\(place)/cmdline")?.contains(mark) ?? false
      else { return sum }
      return sum + kilobytes("RssAnon:", in: "\(place)/status") * 1024
    }
  }

  /// Octets of all shared memory of the machine, mapped or not.
  private static var sharedMemory: Int { kilobytes("Shmem:", in: "/proc/meminfo") * 1024 }

  private static func kilobytes(_ field: String, in file: String) -> Int {
    let line = (Files.text(file) ?? "").split(separator: "\n").first { $0.hasPrefix(field) }
    return line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
  }

  /// What attacks on the kernel begin with.
  @Test(
    .enabled(if: areNamespacesAllowed),
    arguments: [
      "c.unshare(0x10000000)", "c.syscall(435, 0, 0)", "c.syscall(425, 8, 0)", "c.socket(17, 3, 0)",
      "c.socket(2, 1, 0)", "c.mount(b'x', b'/tmp', b'tmpfs', 0, None)", "c.chroot(b'/tmp')",
      "c.ptrace(16, 1, 0, 0)", "c.syscall(\(keyctl), 0, -3, 0)",
      "c.syscall(\(perf), 0, 0, -1, -1, 0)",
    ]
  )
  func callsThatNoFilterNeedsAreRefused(_ call: String) throws {
    let script = "import ctypes\nc = ctypes.CDLL(None)\nprint(\(call))"
    let (end, text) = try run(["python3", "-c", script])
    #expect(end == .exited(0) && text == "-1\n", "\(end) \(text)")
  }

  #if arch(x86_64)
  private static let (keyctl, perf) = (250, 298)
  #else
  private static let (keyctl, perf) = (219, 241)
  #endif

  /// What only root may read is not for what strangers wrote.
  @Test(.enabled(if: areNamespacesAllowed && geteuid() == 0)) func rootsFilterIsNobody() throws {
    let secret = "/etc/magnum-test-\(getpid())"
    let file = open(secret, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(file >= 0 && write(file, "secret", 6) == 6)
    close(file)
    defer { unlink(secret) }
    #expect(try shell("cat \(secret) /etc/shadow 2>/dev/null || true") == "")
    #expect(try shell("cat /etc/passwd | head -c 4") == "root")
    #expect(try run(["cat", "/dev/stdin"], input: "given").text == "given")
    #expect(geteuid() == 0 && getegid() == 0)
  }

  /// A text is made of what the usual filter for PDF reads.
  @Test(.enabled("needs pdftotext") { areNamespacesAllowed && hasPDF }) func pdftotextWorks() throws
  {
    let pdf = """
      %PDF-1.1
      1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
      3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
      4 0 obj<</Length 40>>stream
      BT /F1 24 Tf 10 50 Td (apple pear) Tj ET
      endstream endobj
      5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
      trailer<</Root 1 0 R>>
      """
    let (end, text) = try run(["pdftotext", "-", "-"], input: pdf)
    #expect(end == .exited(0) && text.contains("apple pear"), "\(end) \(text)")
  }

  private static let hasPDF = (try? Command("pdftotext", ["-v"]).run().code) == 0

  @Test(.enabled(if: areNamespacesAllowed)) func whatFiltersAreMadeOfWorks() throws {
    #expect(
      try run([
        "python3", "-c",
        "import subprocess; print(subprocess.run(['cat'], input=b'a', capture_output=True).stdout)",
      ]).text == "b'a'\n"
    )
    #expect(try shell("cat /etc/passwd | grep -c . >/tmp/n; sort /tmp/n | wc -l") == "1\n")
  }

  @Test(.enabled(if: areNamespacesAllowed)) func thereIsNoNetwork() throws {
    let listener = try Loopback.listen()
    defer { close(listener.descriptor) }
    let line = "exec 3<>/dev/tcp/127.0.0.1/\(listener.port) && echo open || echo closed"
    #expect(try run(["bash", "-c", line], isConfined: false).text == "open\n")
    let (end, text) = try run(["bash", "-c", line])
    #expect(text == "closed\n", "\(end)")
  }

  @Test(.enabled(if: areNamespacesAllowed)) func nothingCanBeWrittenButWhatGoesWithIt() throws {
    let places = "/ /usr /usr/local/bin /etc /opt /dev /proc/sys/kernel"
    let line = "for place in \(places); do (echo x >$place/magnum-test) && echo $place; done 2>&1"
    #expect(try !shell("\(line) | grep -v 'cannot create' || true").contains("/"))
    #expect(try shell("echo y >/tmp/file; cat /tmp/file; ls -A /tmp") == "y\nfile\n")
    #expect(try shell("ls -A /tmp") == "")
    #expect(
      try run([
        "sh", "-c", "yes | head -c 100000000 >/tmp/large; [ $(wc -c </tmp/large) = 100000000 ]",
      ]).end != .exited(0)
    )
  }

  @Test(.enabled(if: areNamespacesAllowed)) func nothingOfTheUserIsThere() throws {
    let directory = try TempDirectory()
    let secret = try directory.write("secret", to: "file")
    #expect(try run(["cat", secret]).text == "")
    #expect(try run(["cat", secret], isConfined: false).text == "secret")
    #expect(try shell("ls -Ad /home /root /var /run /mnt /srv /work 2>/dev/null || true") == "")
    #expect(try shell("id -u; pwd; echo $HOME") == "65534\n/tmp\n/tmp\n")
  }

  @Test(.enabled(if: areNamespacesAllowed), arguments: [true, false])
  func noVariableIsInherited(isConfined: Bool) throws {
    setenv("MAGNUM_TEST_SECRET", "1", 1)
    let (_, text) = try run(["env"], isConfined: isConfined)
    let names = text.split(separator: "\n").map { $0.prefix { $0 != "=" } }.sorted()
    #expect(names == ["HOME", "LANG", "LC_ALL", "PATH", "TMPDIR"])
  }

  @Test(.enabled(if: areNamespacesAllowed), arguments: [true, false])
  func noDescriptorIsInherited(isConfined: Bool) throws {
    let directory = try TempDirectory()
    let file = open(try directory.write("x", to: "file"), O_RDONLY)
    defer { close(file) }
    #expect(fcntl(file, F_GETFD) >= 0)
    let (_, text) = try run(["sh", "-c", "echo /proc/self/fd/*"], isConfined: isConfined)
    // The shell itself has the directory open while it looks.
    let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap {
      Int($0.split(separator: "/").last ?? "")
    }
    #expect(numbers.allSatisfy { $0 <= 3 || $0 == 10 } && numbers.contains(0), "\(text)")
  }

  @Test(.enabled(if: areNamespacesAllowed), arguments: [true, false])
  func aProgramThatIsNotThereIsSaid(isConfined: Bool) throws {
    for (program, code) in [("magnum-no-such-program", ENOENT), ("/etc/passwd", EACCES)] {
      do throws(LimitedProcess.Failure) {
        let result = try LimitedProcess([program], isConfined: isConfined).run(on: [])
        Issue.record("\(program) was started: \(result)")
      } catch {
        guard case .notStarted(let error) = error else { throw error }
        #expect(error.code == code, "\(program)")
      }
    }
  }

  @Test(.enabled(if: areNamespacesAllowed)) func anInterruptionEndsIt() throws {
    let interruption = Interruption()
    interruption.request()
    let process = LimitedProcess(["sleep", "60"], isConfined: true)
    #expect(try process.run(on: [], interruption: interruption).end == .interrupted)
  }

  /// Whether no process has this command line, or soon has not.
  private static func isGone(_ line: String) -> Bool {
    for _ in 0..<50 {
      let found = Files.names(in: "/proc").contains { name in
        let name = String(decoding: name, as: UTF8.self)
        return Int(name) != nil && Files.read("/proc/\(name)/cmdline") == Array(line.utf8)
      }
      guard found else { return true }
      usleep(20_000)
    }
    return false
  }
}
