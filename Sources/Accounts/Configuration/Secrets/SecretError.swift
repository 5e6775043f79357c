internal import Octets
package import Platform

/// Why a secret could not be had.
///
/// None of these says that the secret is wrong: only the server can.
package struct SecretError: Error, Hashable, Sendable {
  /// What went wrong.
  package enum Problem: Hashable, Sendable {
    /// The account names no source.
    case noSource
    /// The command could not be started.
    case notStarted(program: String, reason: String)
    /// The command names a program that is in no directory of PATH, which is this.
    case notFound(program: String, path: String)
    /// The command ended with this status, not 0.
    case exited(Int32)
    /// A signal ended the command.
    case signalled(Int32)
    /// The command took longer than that many seconds.
    case timedOut(Double)
    /// The command printed more than that many octets.
    case outputTooLong(limit: Int)
    /// The program was asked to end while the command ran.
    case interrupted
    /// `$CREDENTIALS_DIRECTORY` is not set: this is no systemd service with credentials.
    case noCredentials
    /// It is a directory, a pipe or a device.
    case noRegularFile(Path)
    /// The file cannot be read.
    case unreadable(Path, SystemError)
    /// Another user could have read it, written it or put it there.
    case untrusted(FileTrust.Failure)
    /// The file is not what it has to be, and why.
    case unfit(Path, reason: String)
    /// It is fetched for those only who have mail to send, and there was none before this run.
    case notFetched
    /// The first line is empty.
    case empty
    /// The first line holds a NUL.
    case containsNUL
    /// The login of the account at an authorization server gives no access token.
    case grant(account: String, GrantProblem)
  }

  /// The key of the configuration that names the source: `password-command`.
  package let key: String

  /// What went wrong.
  package let problem: Problem

  /// File and line of the configuration that name the source, `~/.config/magnum/config.toml:9`; nil where they are not known.
  package let place: String?

  package init(key: String, problem: Problem, place: String? = nil) {
    self.key = key
    self.problem = problem
    self.place = place
  }

  /// Whether it is about a login at an authorization server, which nothing but the network is needed for.
  package var isOfGrant: Bool {
    if case .grant = problem { true } else { false }
  }

  /// Whether the user may not read the file; another one, such as root, may.
  package var isOfPermissions: Bool {
    if case .unreadable(_, let error) = problem { error.isForbidden } else { false }
  }

  /// What helps.
  package enum Need: Hashable, Sendable {
    /// Trying again later, by itself: a keyring that is locked, a command that fails, a server that does not answer.
    case time
    /// Another configuration, or another file.
    case configuration
    /// Logging in again at an authorization server.
    case login
  }

  /// What helps.
  package var need: Need {
    switch problem {
    case .exited, .signalled, .timedOut, .interrupted, .empty, .notFetched: .time
    case .noSource, .notStarted, .notFound, .outputTooLong, .noCredentials, .noRegularFile,
      .unreadable, .untrusted, .unfit, .containsNUL:
      .configuration
    case .grant(_, let problem): problem.need
    }
  }
}

extension SecretError.Problem {
  /// Why a file with a secret is not read.
  package init(_ failure: TrustedFile.Failure, of path: Path) {
    self =
      switch failure {
      case .system(let error): .reading(path, error, limit: 0)
      case .tooLong(let limit): .outputTooLong(limit: limit)
      case .untrusted(let failure): .untrusted(failure)
      }
  }

  /// An error of a file whose length is limited to so many octets.
  static func reading(_ path: Path, _ error: SystemError, limit: Int) -> SecretError.Problem {
    if error.isTooLarge { return .outputTooLong(limit: limit) }
    return error.isNotAFile ? .noRegularFile(path) : .unreadable(path, error)
  }
}

extension SecretError {
  /// The place, the key and what went wrong, in one line: `password-command: exited with status 1`.
  package var message: String { (place.map { "\($0): " } ?? "") + "\(key): \(what)" }

  /// What to do about it; `nil` when the message says it all.
  package var hint: String? {
    switch problem {
    case .noSource: "set one of the keys for passwords; see magnum-config(5)"
    case .notStarted, .notFound:
      "cron and systemd have a short PATH; name the program by its whole path"
    case .exited, .signalled, .empty: "run the command by hand to see what it says"
    case .timedOut where key.hasSuffix("-command"):
      "a command that asks a person cannot be used from cron or a timer"
    case .outputTooLong, .containsNUL: "its first line must be the secret and nothing else"
    case .noCredentials: "LoadCredential= in the unit of the service sets it"
    case .untrusted(let failure): failure.remedy
    case .unreadable where key.hasSuffix("password-file"),
      .noRegularFile where key.hasSuffix("password-file"):
      "its first line is to be the password, and its mode 0600"
    case .timedOut, .interrupted, .noRegularFile, .unreadable, .unfit, .notFetched: nil
    case .grant(let account, let problem): problem.hint(account: account)
    }
  }

  private func shown(_ program: String) -> String {
    "\"\(Printable.text(program.utf8, limit: 100))\""
  }

  private var what: String {
    switch problem {
    case .noSource: "no source for a secret"
    case .notStarted(let program, let reason): "\(shown(program)) cannot be started: \(reason)"
    case .notFound(let program, let path): "\(shown(program)) is not in PATH (\(path))"
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .timedOut(let seconds): "took longer than \(Int(seconds)) s"
    case .outputTooLong(let limit): "gave more than \(limit) octets"
    case .interrupted: "interrupted"
    case .noCredentials: "CREDENTIALS_DIRECTORY is not set"
    case .noRegularFile(let path): "\(path.display): not a regular file"
    case .unreadable(let path, let error): "\(path.display): \(error.reason)"
    case .untrusted(let failure): "\(failure.path.display): \(failure.words)"
    case .unfit(let path, let reason): "\(path.display): \(Printable.text(reason.utf8))"
    case .notFetched: "left to the next run"
    case .empty: "gave an empty line"
    case .containsNUL: "gave a NUL"
    case .grant(_, let problem): problem.what
    }
  }
}
