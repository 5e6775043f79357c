internal import CPlatform
internal import Glibc
internal import Octets

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
    package var words: [String] {
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
    /// One of its own, also at a terminal.
    case own
    /// One of its own, but where this process is in the foreground of a terminal: there the child may have to ask.
    case ownInBackground

    var isOwn: Bool {
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
      sources: [(reading.raw, outputLimit)],
      end: isApart ? .group : .process
    )
    let deadline = Deadline.after(seconds: timeout)
    let status = collector.collect(deadline: deadline, interruption: interruption)
    return (status, collector.outputs[0])
  }

  /// A file in memory with these octets, to be read from its beginning.
  static func file(of octets: any OctetSource) throws(SystemError) -> Descriptor {
    let raw = try SystemCall.read("memfd_create", nil) { magnum_memory_file() }
    let file = Descriptor(adopting: raw)
    var pieces = octets.pieces
    while let piece = try SystemError.reading({ () throws(SourceError) in try pieces.next() }) {
      try file.write(all: piece)
    }
    try rewind(file.raw)
    return file
  }

  static func rewind(_ file: Int32) throws(SystemError) {
    _ = try SystemCall.read("lseek", nil) { lseek(file, 0, SEEK_SET) }
  }

  /// Starts a program; gives the number of the process.
  static func spawn(
    _ command: Command,
    operand: [UInt8]? = nil,
    _ variables: Variables,
    input: Int32,
    output: Int32,
    errors: Int32 = 2,
    report: Int32 = -1,
    other: Int32 = -1,
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
        report,
        other,
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

/// A pipe whose ends a child process gets only if it is given them.
struct PipeEnds: ~Copyable {
  let reading: Descriptor
  let writing: Descriptor

  /// - Throws: the error of pipe2(2).
  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemCall.read("pipe", nil) { magnum_pipe(&ends) }
    reading = Descriptor(adopting: ends[0])
    writing = Descriptor(adopting: ends[1])
  }
}
