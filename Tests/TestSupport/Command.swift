import Glibc

/// A process to be run by a test: what to start, with what around it.
package struct Command: Sendable {
  /// The program: a path, or a name to be found in `PATH`.
  package var program: String

  /// The arguments after the program's name.
  package var arguments: [String]

  /// The whole environment; nothing is inherited.
  package var environment: [String: String]

  /// What the process reads from its standard input.
  package var input: [UInt8] = []

  /// Whether standard input, output and error are a terminal of 100 columns; all output is then one stream.
  package var isOnTerminal = false

  /// Seconds after which the process is killed.
  package var timeLimit: Double = 60

  /// A command with the tests' own environment.
  package init(_ program: String, _ arguments: [String] = [], environment: [String: String]? = nil)
  {
    self.program = program
    self.arguments = arguments
    self.environment = environment ?? Command.ownEnvironment
  }

  /// The environment of the test process, with the system's program folders in `PATH`.
  ///
  /// Those that all users have come first: a `python3` before them that chooses among versions starts twenty processes for each
  /// script.
  package static let ownEnvironment: [String: String] = {
    var variables: [String: String] = [:]
    for name in ["PATH", "HOME", "USER", "TMPDIR", "TZ"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    let path = variables["PATH"].map { ":" + $0 } ?? ""
    variables["PATH"] = "/usr/bin:/bin\(path):/usr/sbin:/sbin"
    return variables
  }()

  /// Starts the process and waits for its end.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  package func run() throws -> Outcome {
    try start().wait()
  }

  /// Starts the process.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  package func start() throws -> RunningCommand {
    try RunningCommand(self)
  }

  /// Starts a process that reads the end of its input when this process ends, and leaves it alone.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  func startGuarded() throws {
    try RunningCommand.startGuarded(self)
  }

  /// Runs a shell script with the tests' own environment, and returns its output.
  ///
  /// - Throws: `HarnessError` with the output when it ends with another status than 0.
  @discardableResult
  package static func shell(_ script: String, _ arguments: [String] = []) throws -> String {
    let outcome = try Command("/bin/sh", ["-euc", script, "sh"] + arguments).run()
    guard outcome.code == 0 else {
      throw HarnessError("\(script): \(outcome.code): \(outcome.output)\(outcome.errors)")
    }
    return outcome.output
  }
}
