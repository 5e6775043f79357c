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
