internal import Octets

/// The secret that an account offers to a server, as far as it decides what a refusal means.
package struct OfferedSecret: Hashable, Sendable {
  /// What kind of secret it is.
  package enum Kind: Hashable, Sendable {
    case password
    /// An access token of the account's login at an authorization server.
    case loginToken
    /// An access token that is got without a person.
    case machineToken
    /// An access token that a command of the user prints.
    case commandToken
    /// A client certificate of TLS.
    case certificate
    /// A client certificate, or the secret where the server does not offer a log-in by that.
    case certificateOrSecret
  }

  package private(set) var kind: Kind

  /// Seconds after which a refused secret is offered again without a command.
  ///
  /// Servers lock accounts after a few wrong passwords. A token is renewed, and servers refuse good ones for a while.
  package var refusalLifetime: Int64 {
    switch kind {
    case .password, .certificate, .certificateOrSecret: 6 * 3600
    case .loginToken, .machineToken, .commandToken: 240
    }
  }

  /// The name of the account, fit for a terminal.
  package let account: String
  private let user: String
  private let host: String?

  /// The secret that an account offers to its IMAP server.
  package init(_ account: Account) {
    self.init(
      account.secret,
      of: account.name,
      user: account.user,
      host: account.server?.host,
      hasCertificate: account.clientCertificate != nil
    )
  }

  /// The secret that an account offers to its server for sending.
  package init(_ sender: Sender) {
    self.init(
      sender.secret,
      of: sender.name,
      user: sender.user,
      host: sender.server.host,
      hasCertificate: sender.clientCertificate != nil
    )
  }

  /// The secret of an account from this source, offered with this user name to this host; nil for a command that speaks IMAP.
  ///
  /// With a certificate it is unknown which of the two is meant.
  package init(
    _ secret: SecretSource,
    of account: String,
    user: String,
    host: String?,
    hasCertificate: Bool = false
  ) {
    kind =
      switch secret {
      case .none where hasCertificate: .certificate
      case _ where hasCertificate: .certificateOrSecret
      case .oauth(let settings) where settings.machine != nil: .machineToken
      case .oauth, .accessToken: .loginToken
      case .tokenCommand: .commandToken
      case .passwordCommand, .passwordFile, .inline, .credential, .withheld, .none: .password
      }
    self.account = Printable.text(account.utf8)
    self.user = user
    self.host = host
  }

  /// The same where it is known that the certificate was offered.
  package var ofCertificate: OfferedSecret {
    var offered = self
    offered.kind = .certificate
    return offered
  }

  /// The same where it is known that the secret of this source was offered.
  package func ofSecret(_ secret: SecretSource) -> OfferedSecret {
    OfferedSecret(secret, of: account, user: user, host: host)
  }

  /// The secret in words, such as `user name or password`.
  package var name: String {
    switch kind {
    case .password: "user name or password"
    case .loginToken, .machineToken, .commandToken: "the access token"
    case .certificate: "the client certificate"
    case .certificateOrSecret: "the client certificate or the password"
    }
  }

  /// What an answer of the server is known to mean; nil where nothing is known.
  ///
  /// `isRefusal` says whether the server refused the secret.
  package func knownAnswer(_ answer: String, isRefusal: Bool) -> KnownAnswer? {
    KnownAnswer.find(answer, host: host, isPasswordRefused: isRefusal && kind == .password)
  }

  /// What a person can do about a refusal.
  ///
  /// - Parameters:
  ///   - answer: the server's words; nil where they are not known.
  ///   - command: what uses the secret again.
  /// - Returns: a hint.
  package func remedy(_ answer: String?, then command: String) -> String {
    if let known = answer.flatMap({ knownAnswer($0, isRefusal: true) }) { return known.hint }
    return switch kind {
    case .certificate: "check tls-client-certificate in the configuration, then: \(command)"
    case .certificateOrSecret:
      "check tls-client-certificate and the password in the configuration, then: \(command)"
    case .password: "correct the user name or the password in the configuration, then: \(command)"
    case .commandToken: "check the program that gets the token, then: \(command)"
    case .machineToken:
      "let the client open the mailbox of \(Printable.text(user.utf8)) at the provider, then: "
        + command
    case .loginToken:
      "is \(Printable.text(user.utf8)) the mailbox that you logged in to? to log in again: "
        + "magnum accounts login \(account)"
    }
  }
}

extension Server {
  /// The host; nil where a command speaks IMAP.
  package var host: String? {
    switch self {
    case .imaps(let host, _), .startTLS(let host, _), .plain(let host, _): host
    case .command: nil
    }
  }
}
