internal import CPlatform
internal import Glibc
package import Octets

// Programs that take something over.
extension ChildProcess {
  /// A program that reads something from standard input; by its exit status it tells what became of that.
  package struct ReceivingCommand: Sendable {
    /// The program and its arguments; no shell touches them.
    package var words: [String]
    /// What it reads, as a file.
    package var input: any OctetSource
    /// Variables that it has besides those of this process, each as `NAME=value`.
    package var variables: [String]
    /// The user that it runs as; nil for that of this process.
    package var user: UInt32?
    /// In seconds; then it gets SIGTERM, and SIGKILL a second later.
    package var timeout: Double

    package init(
      _ words: [String],
      input: any OctetSource,
      variables: [String],
      user: UInt32?,
      timeout: Double
    ) {
      (self.words, self.input, self.variables) = (words, input, variables)
      (self.user, self.timeout) = (user, timeout)
    }
  }

  /// Runs such a program to its end in a process group of its own, and ends what it leaves behind in that.
  ///
  /// What it writes to standard output is thrown away. Nothing interrupts it but its time.
  ///
  /// - Returns: how it ended, nil where that is not to be known; and the last line that it wrote to standard error, nil for none.
  /// - Throws: why it could not be started.
  package static func deliver(
    _ command: ReceivingCommand
  ) throws(SystemError) -> (status: Status?, lastLine: [UInt8]?) {
    let file = try file(of: command.input)
    let pipe = try PipeEnds()
    let writing = pipe.writing
    let errors = try ErrorLines(reading: pipe.reading)
    let process = try start(command, input: file.raw, errors: writing.raw)
    _ = consume writing
    let status = end(of: process, by: .after(seconds: command.timeout))
    return (status, errors.last(waiting: 1))
  }

  /// The end of a child that is the first of its process group, all of which is gone then.
  private static func end(of process: Int32, by deadline: Deadline) -> Status? {
    var pause: UInt32 = 200
    while true {
      switch observe(process) {
      case .ended(let status):
        endRest(ofGroup: process)
        return status
      case .unknown:
        endRest(ofGroup: process)
        return nil
      case .running where deadline.isPast:
        endGroup(process)
        return .timedOut
      case .running:
        usleep(pause)
        pause = min(pause * 2, 20_000)
      }
    }
  }

  private static func start(
    _ command: ReceivingCommand,
    input: Int32,
    errors: Int32
  ) throws(SystemError) -> Int32 {
    if let user = command.user, user != getuid() {
      return try spawn(command, as: user, input: input, errors: errors)
    }
    return try spawn(
      .arguments(command.words),
      .inherited(with: command.variables),
      input: input,
      output: -1,
      errors: errors,
      isApart: true
    )
  }

  /// Starts it as a user in whose name this process only works, and which is root.
  private static func spawn(
    _ command: ReceivingCommand,
    as user: UInt32,
    input: Int32,
    errors: Int32
  ) throws(SystemError) -> Int32 {
    let program = command.words.first ?? ""
    let entry = UserEntry(of: user)
    let variables = command.variables + ownVariables(of: entry)
    guard !program.isEmpty, !(command.words + variables).contains(where: { $0.utf8.contains(0) })
    else { throw SystemError(operation: "fork", path: Path(program), code: EINVAL) }
    let arguments = command.words.map { strdup($0) } + [nil]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for pointer in arguments + environment { free(pointer) } }
    var process: Int32 = -1
    let code = magnum_spawn_as(
      &process,
      program,
      arguments,
      environment,
      input,
      errors,
      user,
      entry?.group ?? user
    )
    guard code == 0 else { throw SystemError(operation: "fork", path: Path(program), code: code) }
    return process
  }

  /// None of root's variables but those that are no secret.
  private static func ownVariables(of entry: UserEntry?) -> [String] {
    let kept = ["PATH", "LANG", "LC_ALL", "TZ"].compactMap { name in
      Environment.value(name).map { "\(name)=\($0)" }
    }
    let name = entry.map { String(decoding: $0.name, as: UTF8.self) }
    let names = name.map { ["USER=\($0)", "LOGNAME=\($0)"] } ?? []
    return kept + names + ["HOME=\((entry?.home ?? Path("/")).display)"]
  }
}
