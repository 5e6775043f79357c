internal import CPlatform
internal import Glibc

/// Another program, run for its output or as a tunnel to a server.
///
/// The child inherits the environment and the standard error, starts with no signal blocked, and gets none of the
/// descriptors that this room opened.
package enum ChildProcess {
  /// What to run.
  package enum Command: Hashable, Sendable {
    /// A program, looked up in PATH, and its arguments; the first is the program. No shell touches them.
    case arguments([String])

    /// A line for `sh -c`.
    case shell(String)

    /// The same with more variables in its environment, each as `NAME=value`; env(1) sets them.
    package func with(_ variables: [String]) -> Command {
      .arguments(["env"] + variables + words)
    }

    /// The program that is started.
    package var program: String { words.first ?? "" }

    /// The arguments as the system gets them.
    var words: [String] {
      switch self {
      case .arguments(let words): words
      case .shell(let line): ["sh", "-c", line]
      }
    }
  }

  /// How a child ended.
  package enum Status: Hashable, Sendable {
    /// By itself, with this exit status (0 to 255).
    case exited(Int32)

    /// By this signal.
    case signalled(Int32)

    /// Killed, since it took longer than it was given.
    case timedOut

    /// Killed, since it wrote more than was acceptable.
    case outputTooLong

    /// Killed, since the program was asked to end.
    case interrupted
  }

  /// What the child reads.
  package enum Input: Hashable, Sendable {
    /// Nothing: /dev/null.
    case null

    /// What this process would read; for programs that ask the user.
    case inherited
  }

  /// Runs a program to its end and collects its standard output.
  ///
  /// - Parameters:
  ///   - command: what to run.
  ///   - timeout: in seconds; then the child gets SIGTERM, and SIGKILL a second later.
  ///   - outputLimit: the greatest number of octets that is acceptable.
  ///   - standardInput: what the child reads.
  ///   - interruption: ends the child when requested.
  /// - Returns: how it ended, and what it wrote up to then.
  /// - Throws: the error of posix_spawn(3): ENOENT where there is no such program.
  package static func run(
    _ command: Command,
    timeout: Double,
    outputLimit: Int,
    standardInput: Input = .null,
    interruption: Interruption? = nil
  ) throws(SystemError) -> (status: Status, output: [UInt8]) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("pipe", nil) { magnum_pipe(&ends) }
    let reading = Descriptor(adopting: ends[0])
    let writing = Descriptor(adopting: ends[1])
    let input: Int32 = standardInput == .inherited ? 0 : -1
    let process = try spawn(command, input: input, output: writing.raw)
    _ = consume writing
    var collector = OutputCollector(process: process, source: reading.raw, limit: outputLimit)
    let deadline = Deadline.after(seconds: timeout)
    let status = collector.collect(deadline: deadline, interruption: interruption)
    return (status, collector.output)
  }

  /// Starts a program whose standard input and output are one end of a socket.
  ///
  /// - Returns: the other end, which the caller closes, and the number of the process, which the caller gives to
  ///   ``end(_:grace:)``.
  /// - Throws: the error of socketpair(2) or posix_spawn(3).
  package static func openTunnel(
    _ command: Command
  ) throws(SystemError) -> (socket: Int32, process: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("socketpair", nil) { magnum_socket_pair(&ends) }
    let ours = Descriptor(adopting: ends[0])
    let theirs = Descriptor(adopting: ends[1])
    let process = try spawn(command, input: theirs.raw, output: theirs.raw)
    return (ours.release(), process)
  }

  /// Waits for the end of a child, and hastens it after a while.
  ///
  /// - Parameters:
  ///   - process: the child; its number is free for others on return.
  ///   - grace: seconds before SIGTERM; SIGKILL follows a second later.
  /// - Returns: how it ended.
  @discardableResult
  package static func end(_ process: Int32, grace: Double) -> Status {
    if let status = wait(for: process, deadline: .after(seconds: grace)) { return status }
    kill(process, SIGTERM)
    if let status = wait(for: process, deadline: .after(seconds: 1)) { return status }
    kill(process, SIGKILL)
    return wait(for: process, deadline: .never) ?? .signalled(SIGKILL)
  }

  /// Waits for a child; nil if the deadline came first.
  ///
  /// Looks again and again, at first often: a child that has closed its output is about to end, and neither a
  /// handler for SIGCHLD nor a descriptor for processes can be counted on everywhere.
  static func wait(for process: Int32, deadline: Deadline) -> Status? {
    var pause: UInt32 = 200
    while true {
      if let status = look(at: process) { return status }
      guard !deadline.isPast else { return nil }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }

  /// How a child has ended; nil while it runs.
  static func look(at process: Int32) -> Status? {
    var raw: Int32 = 0
    let result = waitpid(process, &raw, WNOHANG)
    guard result != 0 else { return nil }
    guard result == process else { return errno == EINTR ? nil : .exited(0) }
    let signal = raw & 0x7f
    return signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
  }

  private static func spawn(
    _ command: Command,
    input: Int32,
    output: Int32
  ) throws(SystemError) -> Int32 {
    let words = command.words
    guard let program = words.first, !words.contains(where: { $0.utf8.contains(0) }) else {
      throw SystemError(operation: "posix_spawn", path: words.first.map { Path($0) }, code: EINVAL)
    }
    var arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = -1
    let code = magnum_spawn(&process, program, arguments, input, output)
    guard code == 0 else {
      throw SystemError(operation: "posix_spawn", path: Path(program), code: code)
    }
    return process
  }
}
