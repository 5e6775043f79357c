import Glibc
import Synchronization

/// A process that a test started and can look at, signal and wait for.
package final class RunningCommand: Sendable {
  /// The process.
  package let identifier: Int32

  private let startedAt = Stopwatch.now()
  private let end: ChildEnd
  private let timeLimit: Double
  private let output = Mutex<[UInt8]>([])
  private let errors = Mutex<[UInt8]>([])
  private let readers = Mutex<[Background]>([])
  private let isKilled = Atomic<Bool>(false)
  private let peak = Atomic<Int>(0)
  private let terminal = Mutex<Int32?>(nil)

  /// Starts a process.
  ///
  /// - Throws: `HarnessError` when the program cannot be started.
  init(_ command: Command) throws {
    timeLimit = command.timeLimit
    if command.isOnTerminal {
      let (master, slave) = try Spawning.terminal()
      defer { close(slave) }
      identifier = try RunningCommand.spawn(command, (slave, slave, slave))
      end = try ChildEnd(of: identifier)
      terminal.withLock { $0 = master }
      follow(master, isError: false)
    } else {
      let (input, feed) = try Spawning.pipe()
      let (fromOutput, output) = try Spawning.pipe()
      let (fromErrors, errors) = try Spawning.pipe()
      defer { for end in [input, output, errors] { close(end) } }
      identifier = try RunningCommand.spawn(command, (input, output, errors))
      end = try ChildEnd(of: identifier)
      follow(fromOutput, isError: false)
      follow(fromErrors, isError: true)
      RunningCommand.feed(command.input, to: feed)
    }
  }

  /// What it wrote to standard output so far.
  package var outputSoFar: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

  /// What it wrote to standard error so far.
  package var errorsSoFar: String { errors.withLock { String(decoding: $0, as: UTF8.self) } }

  /// Types on its terminal; nothing happens where it has none any more.
  package func type(_ text: String) {
    terminal.withLock { descriptor in
      if let descriptor { try? Files.writeAll(Array(text.utf8), to: descriptor) }
    }
  }

  /// Sends a signal; nothing happens once it has ended.
  package func signal(_ number: Int32) {
    end.signal(number)
  }

  /// Whether it has ended.
  package var hasEnded: Bool { end.result != nil }

  /// Waits for the end, at most for the rest of the time limit, then kills.
  package func wait() -> Outcome {
    var pause = 0.001
    while !end.wait(upTo: pause) {
      if Stopwatch.now() - startedAt > timeLimit {
        isKilled.store(true, ordering: .relaxed)
        signal(SIGKILL)
      }
      lookAtMemory()
      pause = min(pause * 1.5, 0.01)
    }
    for reader in readers.withLock({ list in
      defer { list = [] }
      return list
    }) { reader.join() }
    let result = end.result ?? (0, 0)
    return Outcome(
      end: wayOfEnd(result.status),
      outputOctets: output.withLock { $0 },
      errorOctets: errors.withLock { $0 },
      seconds: result.seconds,
      peakMemory: peak.load(ordering: .relaxed)
    )
  }

  /// Starts a process whose standard input ends when this process does, and forgets about it.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  static func startGuarded(_ command: Command) throws {
    let (input, _) = try Spawning.pipe()  // the writing end stays open as long as this process
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for end in [input, nowhere] { close(end) } }
    _ = try ChildEnd(of: spawn(command, (input, nowhere, nowhere)))
  }

  private func wayOfEnd(_ status: Int32) -> Outcome.End {
    let signal = status & 0x7f
    return isKilled.load(ordering: .relaxed)
      ? .timedOut : signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// The high-water mark so far; what wait4 tells would begin with that of this process.
  ///
  /// All programs that tests wait for are looked at, each up to a hundred times in a second: no text is made of it.
  private func lookAtMemory() {
    guard let status = Files.read("/proc/\(identifier)/status"),
      let start = Self.end(of: Array("VmHWM:".utf8), in: status)
    else { return }
    let digits = status[start...].drop { $0 == 9 || $0 == 32 }.prefix { 48...57 ~= $0 }
    guard !digits.isEmpty else { return }
    peak.store(digits.reduce(0) { $0 * 10 + Int($1 - 48) }, ordering: .relaxed)
  }

  private static func end(of word: [UInt8], in octets: [UInt8]) -> Int? {
    octets.indices.first { octets[$0] == word[0] && octets[$0...].starts(with: word) }
      .map { $0 + word.count }
  }

  private func follow(_ descriptor: Int32, isError: Bool) {
    let reader = Background { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while end.waitForInput(descriptor) {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        let part = buffer[..<count]
        if isError { errors.withLock { $0 += part } } else { output.withLock { $0 += part } }
      }
      terminal.withLock { $0 = $0 == descriptor ? nil : $0 }
      close(descriptor)
    }
    readers.withLock { $0.append(reader) }
  }

  private static func feed(_ octets: [UInt8], to descriptor: Int32) {
    guard !octets.isEmpty else {
      close(descriptor)
      return
    }
    _ = Background {
      try? Files.writeAll(octets, to: descriptor)
      close(descriptor)
    }
  }

  private static func spawn(_ command: Command, _ streams: (Int32, Int32, Int32)) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, streams.0, 0)
    posix_spawn_file_actions_adddup2(&actions, streams.1, 1)
    posix_spawn_file_actions_adddup2(&actions, streams.2, 2)
    var attributes = freshProcess()
    defer { posix_spawnattr_destroy(&attributes) }
    let words = [command.program] + command.arguments
    let variables = command.environment.map { "\($0.key)=\($0.value)" }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for string in arguments + environment { free(string) } }
    var identifier: Int32 = 0
    let code = Spawning.withoutSpawns {
      posix_spawnp(&identifier, command.program, &actions, &attributes, &arguments, &environment)
    }
    guard code == 0 else { throw HarnessError(call: "spawn \(command.program)", code: code) }
    return identifier
  }

  /// A process group of its own and no signal blocked or ignored, whatever this process does.
  private static func freshProcess() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
  }
}
