internal import JSON
internal import Octets

/// What a program states about itself, or about a user, and signs: a JSON Web Token (RFC 7519, RFC 7523 §3).
package struct ClientAssertion: Hashable, Sendable {
  /// How it is signed (RFC 7518 §3.1).
  package enum Algorithm: String, Hashable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
  }

  /// Which key signs, as the authorization server knows it (RFC 7515 §4.1).
  package struct Signer: Hashable, Sendable {
    let algorithm: Algorithm
    let keyID: [UInt8]?
    let sha1: [UInt8]?
    let sha256: [UInt8]?

    /// A key.
    ///
    /// - Parameters:
    ///   - algorithm: how it signs.
    ///   - keyID: its name; nil for none.
    ///   - sha1: that of its certificate in DER; nil for none.
    ///   - sha256: the same.
    package init(algorithm: Algorithm, keyID: [UInt8]?, sha1: [UInt8]?, sha256: [UInt8]?) {
      self.algorithm = algorithm
      self.keyID = keyID
      self.sha1 = sha1
      self.sha256 = sha256
    }

    fileprivate var header: JSONValue {
      var members = [
        ("alg", JSONValue.string(algorithm.rawValue)), ("typ", JSONValue.string("JWT")),
      ]
      if let keyID { members.append(("kid", text(keyID))) }
      if let sha1 { members.append(("x5t", text(Base64URL.encode(sha1)))) }
      if let sha256 { members.append(("x5t#S256", text(Base64URL.encode(sha256)))) }
      return .object(members.map { (name: $0.0, value: $0.1) })
    }
  }

  /// Seconds from its beginning to its end.
  package static let lifetime: Int64 = 300

  /// Seconds that it begins before now: the clock of this machine may be ahead of the server's.
  package static let allowance: Int64 = 60

  /// The octets that are signed.
  package let content: [UInt8]

  /// A statement.
  ///
  /// - Parameters:
  ///   - issuer: the client.
  ///   - subject: whom it is about: the client itself, or a user.
  ///   - audience: the token endpoint.
  ///   - scopes: what is asked for; empty where the form says so.
  ///   - signer: which key signs.
  ///   - identifier: random octets, for this statement alone.
  ///   - now: seconds since 1970.
  package init(
    issuer: [UInt8],
    subject: [UInt8],
    audience: [UInt8],
    scopes: [[UInt8]] = [],
    signer: Signer,
    identifier: [UInt8],
    now: Int64
  ) {
    let begin = now - Self.allowance
    var claims = [
      ("iss", text(issuer)), ("sub", text(subject)), ("aud", text(audience)),
      ("jti", text(Base64URL.encode(identifier))), ("iat", JSONValue.number("\(begin)")),
      ("nbf", JSONValue.number("\(begin)")), ("exp", JSONValue.number("\(begin + Self.lifetime)")),
    ]
    if let scope = Scopes.joined(scopes) { claims.append(("scope", text(scope))) }
    let body = JSONValue.object(claims.map { (name: $0.0, value: $0.1) })
    content = Base64URL.encode(signer.header.text) + [ASCII.dot] + Base64URL.encode(body.text)
  }

  /// The whole, with its signature (RFC 7515 §3.1).
  package func signed(with signature: [UInt8]) -> [UInt8] {
    content + [ASCII.dot] + Base64URL.encode(signature)
  }
}

private func text(_ octets: [UInt8]) -> JSONValue {
  .string(String(decoding: octets, as: UTF8.self))
}
