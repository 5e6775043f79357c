import Glibc

/// A program of this package, as built beside the tests, run in a home of its own.
///
/// `MAGNUM_SYNC` names another magnum-sync to test.
package final class ProgramUnderTest: Sendable {
  /// The home folder, fresh and empty except for the configuration.
  package let home: TempDirectory

  /// The path of the program.
  package let path: String

  /// Finds the program and makes a home for it.
  ///
  /// - Throws: `HarnessError` when the program is not built.
  package init(_ name: String = "magnum-sync") throws {
    let variable = name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    path = getenv(variable).map { String(cString: $0) } ?? "\(ProgramUnderTest.products)/\(name)"
    guard access(path, X_OK) == 0 else { throw HarnessError("\(path): not built") }
    home = try TempDirectory("home")
  }

  /// The folder of what was built: that of the running test program.
  package static let products: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let octets = buffer[..<max(0, count)].map(UInt8.init(bitPattern:))
    let path = String(decoding: octets, as: UTF8.self)
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
  }()

  /// Writes the configuration file where the program looks for it, and returns its path.
  ///
  /// - Parameters:
  ///   - text: The TOML.
  ///   - mode: 0600 by default, as a password in the file needs.
  /// - Returns: The path.
  /// - Throws: `HarnessError` when it cannot be written.
  @discardableResult
  package func configure(_ text: String, mode: UInt32 = 0o600) throws -> String {
    try home.write(text, to: ".config/magnum/config.toml", mode: mode)
  }

  /// Configures the account `test` without an index, for a scripted server at that URL; `more` follows in its section.
  ///
  /// - Throws: `HarnessError` when it cannot be written.
  package func configure(
    at address: String,
    secret: String = "password = \"pass\"",
    _ more: String = ""
  ) throws {
    try configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(address)"
      user = "user"
      \(secret)
      index = false
      \(more)

      """
    )
  }

  /// The command for a run.
  package func command(_ arguments: [String], _ variables: [String: String] = [:]) -> Command {
    let environment = [
      "HOME": home.path, "PATH": Command.ownEnvironment["PATH"] ?? "", "LANG": "C.UTF-8",
      "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
      // Of those that wait tests say so.
      "MAGNUM_COPY_WAIT": "-1",
    ]
    return Command(
      path,
      arguments,
      environment: environment.merging(variables) { _, given in given }
    )
  }

  /// The command for a run that trusts the fingerprints of directories as if they were two seconds old.
  ///
  /// File systems tell moments apart that are much nearer to each other than that. Waits until the last change is
  /// farther away than they tell them apart.
  package func trustingCommand(_ arguments: [String]) -> Command {
    Stopwatch.sleep(0.1)
    return command(arguments, ["MAGNUM_FINGERPRINT_AGE": "50"])
  }

  /// Runs the program to its end.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  package func run(
    _ arguments: String...,
    variables: [String: String] = [:],
    timeLimit: Double = 60
  ) throws -> Outcome {
    var command = command(arguments, variables)
    command.timeLimit = timeLimit
    return try command.run()
  }

  /// Runs the program to its end on a terminal.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  package func runOnTerminal(_ arguments: String..., variables: [String: String] = [:]) throws
    -> Outcome
  {
    var command = command(arguments, ["TERM": "xterm"].merging(variables) { _, given in given })
    command.isOnTerminal = true
    return try command.run()
  }
}
