internal import OAuth
internal import Octets
package import Platform

/// How an account gets access tokens without a person (`grant`).
package enum MachineLogin: Hashable, Sendable {
  /// Client credentials by the client secret (RFC 6749 §4.4).
  case secret(ChildProcess.Command)
  /// Client credentials by a statement of the client about itself (RFC 7523 §2.2).
  case assertion(ClientKey)
  /// A statement about a user (RFC 7523 §2.1).
  case bearer(ClientKey, subject: [UInt8])

  /// The key that signs statements; nil where there are none.
  package var key: ClientKey? {
    switch self {
    case .secret: nil
    case .assertion(let key), .bearer(let key, _): key
    }
  }
}

/// The key by which a client signs.
package struct ClientKey: Hashable, Sendable {
  /// The file of the key in PEM, which no other user may read.
  package let file: Path
  /// What the authorization server calls it; nil for nothing.
  package let identifier: [UInt8]?
  /// The file of its certificate in PEM; nil where the server wants no thumbprints.
  package let certificate: Path?
}

extension SecretSource {
  /// The certificate of a client that gets tokens without a person; nil where there is none.
  package var clientCertificateFile: Path? {
    if case .oauth(let settings) = self { settings.machine?.key?.certificate } else { nil }
  }
}

/// The keys for logins without a person while they are read.
struct MachineDraft {
  /// The values of `grant`.
  enum Kind: String, CaseIterable {
    case clientCredentials = "client-credentials"
    case jwtBearer = "jwt-bearer"
  }

  var grant: Kind?
  var keyFile: Path?
  var keyID: [UInt8]?
  var certificate: Path?
  var subject: [UInt8]?

  /// The finished login; nil for that of a person.
  ///
  /// - Throws: when a key is missing, or means nothing beside the others.
  func login(
    of oauth: OAuthDraft,
    address: String?
  ) throws(IncompleteAccount) -> MachineLogin? {
    guard let grant else {
      try refuse(keyFile != nil, "client-key-file", without: "grant")
      try refuse(subject != nil, "subject", without: "grant = \"jwt-bearer\"")
      try checkKeyFile()
      return nil
    }
    try check(oauth)
    try checkKeyFile()
    switch grant {
    case .clientCredentials:
      try refuse(subject != nil, "subject", without: "grant = \"jwt-bearer\"")
      return try credentials(oauth.clientSecret)
    case .jwtBearer:
      let hasSecret = oauth.clientSecret != nil
      try refuse(hasSecret, "client-secret-command", without: "grant = \"client-credentials\"")
      guard let key else {
        throw OAuthDraft.missing("client-key-file", remedy: "it signs for the client")
      }
      guard let subject = subject ?? address.map({ [UInt8]($0.utf8) }) else {
        throw OAuthDraft.missing("subject", remedy: "it is the user whose mailbox it is")
      }
      return .bearer(key, subject: subject)
    }
  }

  private func credentials(
    _ secret: ChildProcess.Command?
  ) throws(IncompleteAccount) -> MachineLogin {
    switch (secret, key) {
    case (let secret?, nil): return .secret(secret)
    case (nil, let key?): return .assertion(key)
    case (_?, _?):
      throw IncompleteAccount(
        keys: ["oauth", "client-key-file"],
        mistake: Mistake(
          .exclusive(with: "client-secret-command"),
          remedy: "keep one of the two"
        )
      )
    case (nil, nil):
      throw OAuthDraft.missing(
        "client-secret-command",
        remedy: "set client-secret-command or client-key-file"
      )
    }
  }

  private func check(_ oauth: OAuthDraft) throws(IncompleteAccount) {
    guard oauth.clientID != nil else {
      throw OAuthDraft.missing("client-id", remedy: "a client without a person is registered there")
    }
    guard let scopes = oauth.scopes, !scopes.isEmpty else {
      throw OAuthDraft.missing(
        "scopes",
        remedy: oauth.provider.map { "set scopes = [\"\($0.machineScope)\"]" }
          ?? "set the scopes that the provider names for mail"
      )
    }
    if oauth.provider == .microsoft, oauth.tenant == nil {
      throw OAuthDraft.missing("tenant", remedy: "set the domain or identifier of the organisation")
    }
    try refuse(oauth.loginHint != nil, "login-hint", because: "with grant")
  }

  private func checkKeyFile() throws(IncompleteAccount) {
    guard keyFile == nil else { return }
    try refuse(keyID != nil, "client-key-id", without: "client-key-file")
    try refuse(certificate != nil, "client-certificate-file", without: "client-key-file")
  }

  private var key: ClientKey? {
    keyFile.map { ClientKey(file: $0, identifier: keyID, certificate: certificate) }
  }

  private func refuse(
    _ isGiven: Bool,
    _ key: String,
    without other: String
  ) throws(IncompleteAccount) {
    try refuse(isGiven, key, because: "without \(other)")
  }

  private func refuse(
    _ isGiven: Bool,
    _ key: String,
    because reason: String
  ) throws(IncompleteAccount) {
    if isGiven { throw OAuthDraft.mistake(key, .noEffect(because: reason)) }
  }
}

extension OAuthProvider {
  /// The scope that a client without a person asks for, to show what scopes look like.
  fileprivate var machineScope: String {
    self == .microsoft
      ? "https://outlook.office365.com/.default"
      : scopes.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\", \"")
  }
}
