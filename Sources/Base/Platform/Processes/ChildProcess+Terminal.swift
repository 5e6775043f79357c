internal import CPlatform
internal import Glibc

// Programs for the person at the terminal.
extension ChildProcess {
  /// Runs a program that has the terminal until it ends; what interrupts it there does not interrupt this program.
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
}

extension ChildProcess {
  /// The name of the terminal that standard input is, such as `/dev/pts/1`; nil where it is none.
  package static var terminalOfInput: String? {
    guard isatty(0) == 1 else { return nil }
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(0, &name, name.count) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
