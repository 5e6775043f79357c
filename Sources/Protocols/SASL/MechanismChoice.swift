internal import Octets

/// The choice of a mechanism among those that a server offers.
package enum MechanismChoice {
  /// The best mechanism for the credentials, ready to begin.
  ///
  /// For passwords SCRAM-SHA-256-PLUS, SCRAM-SHA-1-PLUS, SCRAM-SHA-256, PLAIN, LOGIN, SCRAM-SHA-1 in this order; for tokens
  /// OAUTHBEARER, XOAUTH2. SCRAM-SHA-1 comes last, since many servers offer it that keep no such secret of a user.
  /// Names are compared without regard to case. The octets of the credentials are checked first.
  ///
  /// - Parameters:
  ///   - offered: the names of the server's mechanisms, in any case.
  ///   - credentials: what to log in with.
  ///   - isEncrypted: whether the connection cannot be listened to: TLS, a tunnel or loopback. If `false`, only
  ///     mechanisms that do not show the secret come into question.
  ///   - binding: what SCRAM can be bound to; nil for nothing.
  ///   - host: the server's name, for OAUTHBEARER.
  ///   - port: the server's port, for OAUTHBEARER.
  ///   - nonce: at least 16 random octets, new for each call, for SCRAM.
  ///   - cryptography: the hash functions, for SCRAM.
  /// - Returns: a mechanism that has not sent anything yet.
  /// - Throws: ``SASLError/noMechanism(offered:usable:isEncrypted:)`` when nothing fits,
  ///   ``SASLError/forbiddenOctet(_:octet:)`` when the credentials cannot be sent.
  package static func choose(
    offered: [[UInt8]],
    credentials: Credentials,
    isEncrypted: Bool,
    binding: ChannelBinding? = nil,
    host: String,
    port: UInt16,
    nonce: [UInt8],
    cryptography: Cryptography
  ) throws(SASLError) -> any Mechanism {
    try check(credentials)
    let usable: [any Mechanism]
    switch credentials {
    case .password(let user, let password):
      let scram = { hash, binding in
        Scram(
          user: user,
          password: password,
          nonce: nonce,
          hash: hash,
          binding: binding,
          cryptography: cryptography
        )
      }
      let open: [any Mechanism] =
        isEncrypted
        ? [Plain(user: user, password: password), Login(user: user, password: password)] : []
      usable = scrams(offered, binding, scram, before: open)
    case .token(let user, let token):
      let open: [any Mechanism] = [
        OAuthBearer(user: user, token: token, host: host, port: port),
        XOAuth2(user: user, token: token),
      ]
      usable = isEncrypted ? open : []
    }
    for mechanism in usable where offered.contains(where: { $0.equalsCaseless(mechanism.name) }) {
      return mechanism
    }
    throw .noMechanism(offered: offered, usable: usable.map(\.name), isEncrypted: isEncrypted)
  }

  /// All mechanisms that fit a password, best first.
  private static func scrams(
    _ offered: [[UInt8]],
    _ binding: ChannelBinding?,
    _ scram: (ScramHash, ScramBinding) -> Scram,
    before open: [any Mechanism]
  ) -> [any Mechanism] {
    guard let binding else { return [scram(.sha256, .none)] + open + [scram(.sha1, .none)] }
    // A flag that says "not offered" to a server that offered it would be taken for an attack.
    let isOffered = offered.contains { $0.suffix(5).equalsCaseless("-PLUS") }
    let flag = isOffered ? ScramBinding.none : .notOffered
    let bound = [scram(.sha256, .bound(binding)), scram(.sha1, .bound(binding))]
    return bound + [scram(.sha256, flag)] + open + [scram(.sha1, flag)]
  }

  /// NUL would end a field of PLAIN early; other controls would do so in the OAuth mechanisms.
  private static func check(_ credentials: Credentials) throws(SASLError) {
    switch credentials {
    case .password(let user, let password):
      try check(user, .user) { $0 == ASCII.null }
      try check(password, .password) { $0 == ASCII.null }
    case .token(let user, let token):
      try check(user, .user, isForbidden: ASCII.isControl)
      try check(token, .token) { ASCII.isControl($0) || $0 == ASCII.space }
    }
  }

  private static func check(
    _ octets: [UInt8],
    _ field: SASLError.Field,
    isForbidden: (UInt8) -> Bool
  ) throws(SASLError) {
    if let octet = octets.first(where: isForbidden) {
      throw .forbiddenOctet(field, octet: octet)
    }
  }
}

/// What a user logs in with.
///
/// Printing a value never shows the secret.
package enum Credentials: Hashable, Sendable {
  /// A user name and a password, octets as the server compares them (UTF-8 as a rule).
  case password(user: [UInt8], [UInt8])

  /// A user name and an OAuth 2.0 access token (RFC 6749 §1.4).
  case token(user: [UInt8], [UInt8])

  /// The user name.
  package var user: [UInt8] {
    switch self {
    case .password(let user, _), .token(let user, _): user
    }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    let name = String(decoding: user, as: UTF8.self)
    return switch self {
    case .password: "password of \(name)"
    case .token: "token of \(name)"
    }
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
