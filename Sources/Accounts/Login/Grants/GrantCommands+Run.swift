internal import Configuration
internal import OAuth
internal import Platform

extension GrantCommands {
  /// Seconds that a command may take, as those for passwords.
  static let timeout = 60.0

  /// What the command for that prints; `interruption` ends it.
  ///
  /// - Throws: where it fails.
  func readLogin(
    of account: String,
    _ interruption: Interruption?
  ) throws(SecretError) -> [UInt8] {
    try runCommand(read, "oauth.store.read", account, .null, interruption)
  }

  /// Has the command for that keep a login, which it reads on standard input.
  ///
  /// Nothing interrupts it: half a login would be kept then.
  ///
  /// - Throws: where it fails.
  func write(_ octets: [UInt8], loginOf account: String) throws(SecretError) {
    _ = try runCommand(write, "oauth.store.write", account, .octets(octets), nil)
  }

  private func runCommand(
    _ command: ChildProcess.Command,
    _ key: String,
    _ account: String,
    _ input: ChildProcess.Input,
    _ interruption: Interruption?
  ) throws(SecretError) -> [UInt8] {
    let result: (status: ChildProcess.Status, output: [UInt8])
    do throws(SystemError) {
      result = try ChildProcess.run(
        command,
        timeout: Self.timeout,
        outputLimit: GrantFile.lengthLimit,
        standardInput: input,
        variables: .inherited(with: ["MAGNUM_ACCOUNT=\(account)"]),
        interruption: interruption,
        group: .ownInBackground
      )
    } catch {
      throw SecretError(
        key: key,
        problem: .notStarted(program: command.program, reason: error.reason)
      )
    }
    switch result.status {
    case .exited(0): return result.output
    case .exited(let status): throw SecretError(key: key, problem: .exited(status))
    case .signalled(let signal): throw SecretError(key: key, problem: .signalled(signal))
    case .timedOut: throw SecretError(key: key, problem: .timedOut(Self.timeout))
    case .outputTooLong:
      throw SecretError(key: key, problem: .outputTooLong(limit: GrantFile.lengthLimit))
    case .interrupted: throw SecretError(key: key, problem: .interrupted)
    }
  }
}
