internal import CPlatform
internal import Glibc

/// Another program, run for its output, as a tunnel to a server, or for the person at the terminal.
///
/// The child gets the standard error of this process, starts with no signal blocked but where that is asked for, and has no
/// other descriptor but its standard input and output.
package enum ChildProcess {
  /// What to run.
  package enum Command: Hashable, Sendable {
    /// A program, looked up in PATH, and its arguments; the first is the program. No shell touches them.
    case arguments([String])

    /// A line for `sh -c`.
    case shell(String)

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

    /// These octets, as a file: it is not waited until the child has read them, which it need not.
    case octets([UInt8])

    /// A file to be read from its beginning; nil where the child gets a descriptor that there is already.
    fileprivate var file: Int32? {
      get throws(SystemError) {
        guard case .octets(let octets) = self else { return nil }
        return try ChildProcess.file(of: octets).release()
      }
    }
  }

  /// The process group of the child: a group of its own is ended as a whole, with all that the child has started.
  package enum Group: Hashable, Sendable {
    /// That of this process: what interrupts it at a terminal interrupts the child too, which can ask there.
    case shared
    /// One of its own.
    case own
    /// One of its own, but where this process is in the foreground of a terminal: there the child may have to ask.
    case ownInBackground

    fileprivate var isOwn: Bool {
      switch self {
      case .shared: false
      case .own: true
      case .ownInBackground: !magnum_is_in_foreground()
      }
    }
  }

  /// What the child finds in its environment.
  package enum Variables: Hashable, Sendable {
    /// The variables of this process, and these with them or in their place, each as `NAME=value`.
    case inherited(with: [String])

    /// These and no others.
    case only([String])

    /// The variables of this process.
    package static var inherited: Variables { .inherited(with: []) }

    /// All of them as the system gets them; nil for those of this process.
    var all: [[CChar]]? {
      switch self {
      case .inherited(with: []): nil
      case .inherited(let more): Self.inherited(without: more) + more.map { Array($0.utf8CString) }
      case .only(let variables): variables.map { Array($0.utf8CString) }
      }
    }

    private static func inherited(without others: [String]) -> [[CChar]] {
      let names = Set(others.map { Array($0.utf8.prefix { $0 != UInt8(ascii: "=") }) })
      return Environment.all.filter { !names.contains($0.name) }.map { $0.entry }
    }
  }

  /// Runs a program to its end and collects its standard output.
  ///
  /// - Parameters:
  ///   - command: what to run.
  ///   - timeout: in seconds; then the child gets SIGTERM, and SIGKILL a second later.
  ///   - outputLimit: the greatest number of octets that is acceptable.
  ///   - standardInput: what the child reads.
  ///   - variables: what it finds in its environment.
  ///   - interruption: ends the child when requested.
  ///   - blocksSignals: whether the child is not ended by SIGINT, SIGTERM and SIGHUP, which terminals and service managers
  ///     send to all processes of a group.
  ///   - group: the process group that the child is in.
  /// - Returns: how it ended, and what it wrote up to then.
  /// - Throws: the error of posix_spawn(3): ENOENT where there is no such program.
  package static func run(
    _ command: Command,
    timeout: Double,
    outputLimit: Int,
    standardInput: Input = .null,
    variables: Variables = .inherited,
    interruption: Interruption? = nil,
    blocksSignals: Bool = false,
    group: Group = .shared
  ) throws(SystemError) -> (status: Status, output: [UInt8]) {
    let pipe = try PipeEnds()
    let reading = pipe.reading
    let writing = pipe.writing
    let file = Descriptor(adopting: try standardInput.file ?? -1)
    let input = standardInput == .inherited ? 0 : file.raw
    let isApart = group.isOwn
    let process = try spawn(
      command,
      variables,
      input: input,
      output: writing.raw,
      blocksSignals: blocksSignals,
      isApart: isApart
    )
    _ = consume file
    _ = consume writing
    var collector = OutputCollector(
      process: process,
      source: reading.raw,
      limit: outputLimit,
      end: isApart ? .group : .process
    )
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
    let process = try spawn(command, .inherited, input: theirs.raw, output: theirs.raw)
    return (ours.release(), process)
  }

  /// As ``openTunnel(_:)``, but what the program says on standard error goes to a pipe.
  ///
  /// - Returns: besides, the end of the pipe to be read, which the caller closes.
  /// - Throws: the error of socketpair(2), pipe(2) or posix_spawn(3).
  package static func openReportingTunnel(
    _ command: Command
  ) throws(SystemError) -> (socket: Int32, errors: Int32, process: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("socketpair", nil) { magnum_socket_pair(&ends) }
    let ours = Descriptor(adopting: ends[0])
    let theirs = Descriptor(adopting: ends[1])
    let pipe = try PipeEnds()
    let process = try spawn(
      command,
      .inherited,
      input: theirs.raw,
      output: theirs.raw,
      errors: pipe.writing.raw
    )
    let reading = pipe.reading
    return (ours.release(), reading.release(), process)
  }

  /// Runs a program for the person at the terminal, which it gets for as long as it likes: what interrupts it there does not
  /// interrupt this program.
  ///
  /// - Parameters:
  ///   - command: what to run.
  ///   - operand: one more argument, the last, as octets: the name of a file need not be text. Nil for none.
  /// - Returns: how it ended.
  /// - Throws: the error of posix_spawn(3); EINVAL where an argument has a NUL in it.
  package static func runAtTerminal(
    _ command: Command,
    operand: [UInt8]? = nil
  ) throws(SystemError) -> Status {
    // Handlers, since what is ignored would be ignored by the program too.
    let before = (signal(SIGINT) { _ in }, signal(SIGQUIT) { _ in })
    defer {
      signal(SIGINT, before.0)
      signal(SIGQUIT, before.1)
    }
    let process = try spawn(command, operand: operand, .inherited, input: 0, output: 1)
    return waitForEnd(of: process)
  }

  /// Runs a program that shows the person at the terminal what it reads.
  ///
  /// - Parameters:
  ///   - octets: what it reads; it need not read all.
  ///   - command: what to run.
  ///   - variables: what it finds in its environment.
  /// - Returns: how it ended.
  /// - Throws: the error of posix_spawn(3).
  package static func show(
    _ octets: [UInt8],
    with command: Command,
    variables: Variables = .inherited
  ) throws(SystemError) -> Status {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("pipe", nil) { magnum_pipe(&ends) }
    let reading = Descriptor(adopting: ends[0])
    let writing = Descriptor(adopting: ends[1])
    let process = try spawn(command, variables, input: reading.raw, output: 1)
    _ = consume reading
    try? writing.write(all: octets)
    _ = consume writing
    return waitForEnd(of: process)
  }

  /// Starts a program that goes on by itself, such as a browser: it reads nothing, and what it writes goes to standard error.
  ///
  /// - Returns: the number of the process.
  /// - Throws: the error of posix_spawn(3).
  @discardableResult
  package static func start(_ command: Command) throws(SystemError) -> Int32 {
    try spawn(command, .inherited, input: -1, output: 2)
  }

  /// A file in memory with these octets, to be read from its beginning.
  static func file(of octets: [UInt8]) throws(SystemError) -> Descriptor {
    let raw = try SystemCall.read("memfd_create", nil) { magnum_memory_file() }
    let file = Descriptor(adopting: raw)
    try file.write(all: octets)
    _ = try SystemCall.read("lseek", nil) { lseek(file.raw, 0, SEEK_SET) }
    return file
  }

  private static func waitForEnd(of process: Int32) -> Status {
    var raw: Int32 = 0
    while waitpid(process, &raw, 0) < 0 { guard errno == EINTR else { return .exited(0) } }
    return Status(raw: raw)
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

  /// Ends a process group, the first process of which is a child: by SIGTERM, and by SIGKILL what is left after a second.
  static func endGroup(_ process: Int32) {
    kill(-process, SIGTERM)
    let deadline = Deadline.after(seconds: 1)
    let hasEnded = wait(for: process, deadline: deadline) != nil
    while kill(-process, 0) == 0, !deadline.isPast { usleep(5000) }
    kill(-process, SIGKILL)
    if !hasEnded { _ = wait(for: process, deadline: .never) }
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
    return Status(raw: raw)
  }

  private static func spawn(
    _ command: Command,
    operand: [UInt8]? = nil,
    _ variables: Variables,
    input: Int32,
    output: Int32,
    errors: Int32 = 2,
    blocksSignals: Bool = false,
    isApart: Bool = false
  ) throws(SystemError) -> Int32 {
    let program = command.program
    let words = command.words.map { Array($0.utf8) } + (operand.map { [$0] } ?? [])
    guard !program.isEmpty, !words.contains(where: { $0.contains(0) }) else {
      throw SystemError(operation: "posix_spawn", path: Path(program), code: EINVAL)
    }
    let arguments = duplicates(words.map { $0.map { CChar(bitPattern: $0) } + [0] })
    let environment = variables.all.map(duplicates)
    defer { for pointer in arguments + (environment ?? []) { free(pointer) } }
    var process: pid_t = -1
    let start = { (environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?) in
      magnum_spawn(
        &process,
        program,
        arguments,
        environment,
        input,
        output,
        errors,
        blocksSignals,
        isApart
      )
    }
    let code = environment.map { start($0) } ?? start(nil)
    guard code == 0 else {
      throw SystemError(operation: "posix_spawn", path: Path(program), code: code)
    }
    return process
  }

  /// Copies that the system can be given, with the null pointer behind them that ends them.
  private static func duplicates(_ texts: [[CChar]]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}

extension ChildProcess.Status {
  /// What waitpid(2) gave.
  init(raw: Int32) {
    let signal = raw & 0x7f
    self = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
  }
}
