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
    /// Others than the owner can read or write the file.
    case openToOthers(Path, mode: UInt32)
    /// The file belongs to neither this user nor root.
    case foreignOwner(Path, user: UInt32)
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

  /// The failure of the source that the key names.
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
    case .exited, .signalled, .timedOut, .interrupted, .empty: .time
    case .noSource, .notStarted, .notFound, .outputTooLong, .noCredentials, .noRegularFile,
      .unreadable, .openToOthers, .foreignOwner, .containsNUL:
      .configuration
    case .grant(_, let problem): problem.need
    }
  }
}
