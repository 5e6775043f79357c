internal import Octets
package import Platform

/// Where an account's password or token comes from.
package enum SecretSource: Hashable, Sendable {
  /// A command that prints the password (`password-command`).
  case passwordCommand(ChildProcess.Command)

  /// A command that prints an OAuth 2 access token (`token-command`).
  case tokenCommand(ChildProcess.Command)

  /// A login at an authorization server (`[account.NAME.oauth]`), which gives access tokens.
  case oauth(OAuthSettings)

  /// An OAuth 2 access token that is there already.
  case accessToken([UInt8])

  /// A file whose first line is the password (`password-file`), which no other user may read, and the place in the
  /// configuration that names it, for messages.
  case passwordFile(Path, namedAt: String?)

  /// The password itself (`password`), from a configuration file that no other user may read.
  case inline([UInt8])

  /// One that is not to be had, and why: a password in a file that others can read, or one that could not be fetched before.
  case withheld(SecretError)

  /// A systemd credential of that name (`password-credential`).
  case credential(String)

  /// None: a plain Maildir, or a tunnel that needs no log-in.
  case none

  /// Whether what comes is an OAuth 2 token and not a password.
  package var isToken: Bool {
    switch self {
    case .tokenCommand, .oauth, .accessToken: true
    case .passwordCommand, .passwordFile, .inline, .credential, .withheld, .none: false
    }
  }

  /// Whether it is a file, which is read without a limit of time.
  package var isFile: Bool {
    switch self {
    case .passwordFile, .credential: true
    case .passwordCommand, .tokenCommand, .oauth, .accessToken, .inline, .withheld, .none: false
    }
  }

  /// Whether it may give another token when one was refused.
  package var canBeRenewed: Bool {
    switch self {
    case .tokenCommand, .oauth: true
    case .accessToken, .passwordCommand, .passwordFile, .inline, .credential, .withheld, .none:
      false
    }
  }

  /// The key of the file that names this source; `nil` where none does.
  package var key: String? {
    switch self {
    case .passwordCommand: "password-command"
    case .tokenCommand: "token-command"
    case .oauth: "oauth"
    case .passwordFile: "password-file"
    case .inline: "password"
    case .credential: "password-credential"
    case .withheld(let error): error.key
    case .accessToken, .none: nil
    }
  }
}

extension SecretSource {
  /// The greatest length of what a command prints or a file holds, in octets: 64 KiB.
  package static let lengthLimit = 65_536

  /// Gets the password or token: the first line, without its line end.
  ///
  /// Blocks while a command runs; commands read nothing (their standard input is empty) and may
  /// complain on standard error.
  ///
  /// - Parameters:
  ///   - environment: who the user is and where credentials lie.
  ///   - timeout: seconds a command may take; 60 leaves time to unlock a keyring.
  ///   - interruption: ends a running command when requested.
  ///   - accessToken: gets the token of a login at an authorization server; without it there is none.
  /// - Returns: at least one octet, no NUL, no line end.
  /// - Throws: why there is none.
  package func fetch(
    environment: ConfigurationEnvironment = .current,
    timeout: Double = 60,
    interruption: Interruption? = nil,
    accessToken: (OAuthSettings) throws(SecretError) -> [UInt8] = { (_) throws(SecretError) in
      throw SecretError(key: "oauth", problem: .noSource)
    }
  ) throws(SecretError) -> [UInt8] {
    switch self {
    case .oauth(let settings): try accessToken(settings)
    case .accessToken(let token): token
    case .passwordCommand(let command), .tokenCommand(let command):
      try firstLine(of: runCommand(command, timeout: timeout, interruption: interruption))
    case .passwordFile(let path, _):
      try firstLine(of: read(path, checkedFor: environment))
    case .inline(let secret):
      try firstLine(of: secret)
    case .credential(let name):
      try firstLine(of: credential(name, in: environment))
    case .withheld(let error):
      throw error
    case .none:
      throw error(.noSource)
    }
  }

  private func firstLine(of octets: [UInt8]) throws(SecretError) -> [UInt8] {
    var line = octets.prefix { $0 != ASCII.lineFeed }
    if line.last == ASCII.carriageReturn { line.removeLast() }
    guard !line.isEmpty else { throw error(.empty) }
    guard !line.contains(ASCII.null) else { throw error(.containsNUL) }
    return Array(line)
  }

  private func runCommand(
    _ command: ChildProcess.Command,
    timeout: Double,
    interruption: Interruption?
  ) throws(SecretError) -> [UInt8] {
    let result: (status: ChildProcess.Status, output: [UInt8])
    do {
      result = try ChildProcess.run(
        command,
        timeout: timeout,
        outputLimit: Self.lengthLimit,
        interruption: interruption,
        group: .ownInBackground
      )
    } catch {
      throw self.error(notStarted(command, error))
    }
    switch result.status {
    case .exited(0): return result.output
    case .exited(let status): throw error(.exited(status))
    case .signalled(let signal): throw error(.signalled(signal))
    case .timedOut: throw error(.timedOut(timeout))
    case .outputTooLong: throw error(.outputTooLong(limit: Self.lengthLimit))
    case .interrupted: throw error(.interrupted)
    }
  }

  private func notStarted(
    _ command: ChildProcess.Command,
    _ error: SystemError
  ) -> SecretError.Problem {
    let program = command.program
    guard error.isNotFound, !program.utf8.contains(ASCII.slash) else {
      return .notStarted(program: program, reason: error.reason)
    }
    return .notFound(program: program, path: Environment.value("PATH") ?? "")
  }

  private func credential(
    _ name: String,
    in environment: ConfigurationEnvironment
  ) throws(SecretError) -> [UInt8] {
    guard let directory = environment.credentialsDirectory else { throw error(.noCredentials) }
    let path = directory.appending(name)
    do throws(SystemError) {
      // systemd guards credentials, and their modes and owners are its own.
      return try FileSystem.readExistingFile(path, limit: Self.lengthLimit)
    } catch {
      throw self.error(.reading(path, error, limit: Self.lengthLimit))
    }
  }

  /// The content of a file that no other user can see or have put there.
  private func read(
    _ path: Path,
    checkedFor environment: ConfigurationEnvironment
  ) throws(SecretError) -> [UInt8] {
    var rules = TrustedFile.Rules(limit: Self.lengthLimit)
    (rules.user, rules.isSecret) = (environment.user, true)
    do throws(TrustedFile.Failure) {
      return try TrustedFile.read(path, rules).octets
    } catch {
      throw self.error(SecretError.Problem(error, of: path))
    }
  }

  /// It took longer than so many seconds.
  package func slow(after seconds: Double) -> SecretError { error(.timedOut(seconds)) }

  private func error(_ problem: SecretError.Problem) -> SecretError {
    let place: String? = if case .passwordFile(_, let place) = self { place } else { nil }
    return SecretError(key: key ?? "password-command", problem: problem, place: place)
  }
}
