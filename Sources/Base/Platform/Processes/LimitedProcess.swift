internal import CPlatform
internal import Glibc
package import Octets

/// A program that reads untrusted input, such as an attachment, with limits.
///
/// It is confined to namespaces without a network, without a home, and without anything that it can change.
package struct LimitedProcess: Sendable {
  /// What it may use.
  package struct Limits: Hashable, Sendable {
    /// Seconds, of the clock and of the processor.
    package var seconds = 20.0
    /// Octets of memory of each of its processes, and of all together where it is confined.
    package var memory = 1 << 30
    /// Octets of standard output, which is thrown away where this is nil.
    package var output: Int? = 16 << 20

    /// 20 seconds, 1 GiB of memory, 16 MiB of output.
    package init() {}
  }

  /// How it ended.
  package enum End: Hashable, Sendable {
    /// By itself, with this exit status (0 to 255).
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)
    /// Killed, since it took longer than it was given.
    case timedOut
    /// Killed, since it wrote more than was acceptable.
    case outputTooLong
    /// Killed, since it made more processes than it may.
    case tooManyProcesses
    /// Killed, since its processes took more memory together than they may.
    case tooMuchMemory
    /// Killed, since the program was asked to end.
    case interrupted
  }

  /// Why it did not run.
  package enum Failure: Error, Hashable, Sendable {
    /// The system refuses the namespaces.
    case refused(SystemError)
    /// There is no such program, or it cannot be executed.
    case notStarted(SystemError)
  }

  private let words: [String]
  private let isConfined: Bool
  private let limits: Limits

  /// - Parameters:
  ///   - words: the program and its arguments; no shell touches them.
  ///   - isConfined: whether it has namespaces of its own. Without them it can do what the user can.
  ///   - limits: what it may use.
  package init(_ words: [String], isConfined: Bool, limits: Limits = Limits()) {
    self.words = words
    self.isConfined = isConfined
    self.limits = limits
  }

  /// Where programs are looked for that are confined.
  private static let searchPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

  /// Runs it to its end; nothing of it goes on after that, confined.
  ///
  /// - Parameters:
  ///   - input: what it reads, as a file.
  ///   - variables: what it finds in its environment besides its places and its language, each as `NAME=value`.
  ///   - interruption: ends it when requested.
  /// - Returns: how it ended, and what it wrote up to then, about the limit at most.
  /// - Throws: why it did not run.
  package func run(
    on input: any OctetSource,
    variables: [String] = [],
    interruption: Interruption? = nil
  ) throws(Failure) -> (end: End, output: [UInt8]) {
    let running = try start(input, variables)
    var collector = OutputCollector(
      process: running.process,
      sources: limits.output.map { [(running.output.raw, $0)] } ?? [],
      end: .session
    )
    let status = collector.collect(
      deadline: .after(seconds: limits.seconds),
      interruption: interruption
    )
    // What it left behind in its session; of a confined one nothing is left.
    if !isConfined { kill(-running.process, SIGKILL) }
    return (try end(status, running), collector.outputs.first ?? [])
  }

  private struct Running: ~Copyable {
    let process: Int32
    let output: Descriptor
    let report: Descriptor
  }

  private func start(
    _ input: any OctetSource,
    _ variables: [String]
  ) throws(Failure) -> Running {
    do throws(SystemError) {
      return try spawn(input, variables)
    } catch {
      throw error.operation == "clone" && isConfined ? .refused(error) : .notStarted(error)
    }
  }

  private func spawn(
    _ input: any OctetSource,
    _ variables: [String]
  ) throws(SystemError) -> Running {
    guard let program = words.first, !program.isEmpty,
      !(words + variables).contains(where: { $0.utf8.contains(0) })
    else { throw SystemError(operation: "execve", path: Path(words.first ?? ""), code: EINVAL) }
    let file = try ChildProcess.file(of: input)
    let output = try PipeEnds()
    let nowhere = try Descriptor.open(Path("/dev/null"), .update.orDevice)
    let report = try PipeEnds()
    let candidates = Self.pointers(candidates(program))
    let arguments = Self.pointers(words)
    let variables = Self.pointers(ownVariables + variables)
    defer { for pointer in candidates + arguments + variables { free(pointer) } }
    var process: Int32 = -1
    var limits = magnum_limits(
      memory: Int64(self.limits.memory),
      seconds: Int64(self.limits.seconds.rounded(.up)) + 1,
      file_size: Int64(self.limits.output ?? self.limits.memory)
    )
    let code = magnum_spawn_limited(
      &process,
      candidates,
      arguments,
      variables,
      file.raw,
      self.limits.output == nil ? nowhere.raw : output.writing.raw,
      report.writing.raw,
      isConfined ? 1 : 0,
      &limits
    )
    guard code == 0 else { throw SystemError(operation: "clone", path: nil, code: code) }
    return Running(process: process, output: output.reading, report: report.reading)
  }

  /// Where the program may be.
  private func candidates(_ program: String) -> [String] {
    guard !program.utf8.contains(UInt8(ascii: "/")) else { return [program] }
    return searchPath.split(separator: ":").map { "\($0)/\(program)" }
  }

  private var searchPath: String {
    isConfined ? Self.searchPath : Environment.value("PATH") ?? Self.searchPath
  }

  /// No variable of this process: some hold secrets.
  private var ownVariables: [String] {
    let home = isConfined ? "/tmp" : Environment.homeDirectory.display
    return ["PATH=\(searchPath)", "HOME=\(home)", "TMPDIR=/tmp", "LANG=C.UTF-8", "LC_ALL=C.UTF-8"]
  }

  /// Copies that the system can be given, with the null pointer behind them that ends them.
  private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// How it ended, by what its first process reported.
  private func end(
    _ status: ChildProcess.Status,
    _ running: borrowing Running
  ) throws(Failure) -> End {
    switch status {
    case .timedOut: return .timedOut
    case .outputTooLong: return .outputTooLong
    case .interrupted: return .interrupted
    case .exited, .signalled: break
    }
    var report = magnum_end()
    // All that could write to it have ended.
    let size = MemoryLayout<magnum_end>.size
    let count = read(running.report.raw, &report, size)
    guard count == size else { return Self.end(status) }
    let value = report.value
    let program = words.first.map { Path($0) }
    switch Int(report.kind) {
    case MAGNUM_END_NO_USERS:
      throw .refused(SystemError(operation: "user namespace", path: nil, code: value))
    case MAGNUM_END_NO_ROOT:
      throw .refused(SystemError(operation: "mount namespace", path: nil, code: value))
    case MAGNUM_END_NOT_STARTED:
      throw .notStarted(SystemError(operation: "execve", path: program, code: value))
    case MAGNUM_END_EXITED: return .exited(value)
    case MAGNUM_END_SIGNALLED: return .signalled(value)
    case MAGNUM_END_TOO_MANY: return .tooManyProcesses
    case MAGNUM_END_TOO_MUCH: return .tooMuchMemory
    default: return Self.end(status)
    }
  }

  private static func end(_ status: ChildProcess.Status) -> End {
    if case .exited(let code) = status { return .exited(code) }
    if case .signalled(let number) = status { return .signalled(number) }
    return .timedOut
  }
}
