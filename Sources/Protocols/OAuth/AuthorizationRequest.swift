internal import Octets
package import Web

/// A login in a browser: authorization code with PKCE S256 and a state (RFC 6749 §4.1, RFC 7636, RFC 8252).
package struct AuthorizationRequest: Hashable, Sendable {
  /// What the program is to the authorization server.
  package struct Client: Hashable, Sendable {
    /// The client id.
    package let identifier: [UInt8]
    /// The client secret; nil for a public client.
    package let secret: [UInt8]?

    package init(identifier: [UInt8], secret: [UInt8]?) {
      self.identifier = identifier
      self.secret = secret
    }
  }

  /// Random octets for one login, 32 for each part.
  package struct Randomness: Hashable, Sendable {
    fileprivate let state: [UInt8]
    fileprivate let verifier: [UInt8]

    /// The randomness of 64 octets.
    package init(_ octets: [UInt8]) {
      state = Base64URL.encode(octets.prefix(32))
      verifier = Base64URL.encode(octets.dropFirst(32))
    }
  }

  /// The address to be opened in a browser.
  package let address: WebAddress
  /// What comes back with the answer, 43 characters.
  package let state: [UInt8]
  /// What proves to the token endpoint who asked, 43 characters.
  package let verifier: [UInt8]
  /// Where the browser is sent back to.
  package let redirect: RedirectAddress
  /// The issuer that the answer has to name.
  package let issuer: ExpectedIssuer

  /// A request.
  ///
  /// - Parameters:
  ///   - endpoint: where people log in.
  ///   - endpoints: what else is known of the server.
  ///   - client: its identifier is sent, its secret is not.
  ///   - scopes: what is asked for; empty for the server's own choice.
  ///   - loginHint: who is to log in; nil to leave that open.
  ///   - redirect: where the browser is sent back to.
  ///   - more: parameters of this provider alone.
  ///   - randomness: new for each login.
  ///   - sha256: the hash function.
  package init(
    to endpoint: WebAddress,
    of endpoints: OAuthEndpoints,
    client: Client,
    scopes: [[UInt8]],
    loginHint: [UInt8]?,
    redirect: RedirectAddress,
    more: WebForm = WebForm(),
    randomness: Randomness,
    sha256: ([UInt8]) -> [UInt8]
  ) {
    state = randomness.state
    verifier = randomness.verifier
    self.redirect = redirect
    issuer = ExpectedIssuer(endpoints)
    var form = WebForm()
    form.add("response_type", [UInt8](ascii: "code"))
    form.add("client_id", client.identifier)
    form.add("redirect_uri", redirect.octets)
    form.add("scope", ifPresent: Scopes.joined(scopes))
    form.add("state", state)
    form.add("code_challenge", Base64URL.encode(sha256(verifier)))
    form.add("code_challenge_method", [UInt8](ascii: "S256"))
    form.add("login_hint", ifPresent: loginHint)
    address = endpoint.adding(form).adding(more)
  }
}

/// What the answer to a browser has to say about the issuer (RFC 9207).
package enum ExpectedIssuer: Hashable, Sendable {
  /// Nothing is known of it: whatever is said does not count.
  case unknown
  /// This one, where one is named.
  case ifNamed([UInt8])
  /// This one, and it must be named.
  case always([UInt8])

  init(_ endpoints: OAuthEndpoints) {
    self =
      endpoints.issuer.map { endpoints.namesIssuer ? .always($0) : .ifNamed($0) } ?? .unknown
  }

  /// Whether what was named fits.
  func fits(_ named: [UInt8]?) -> Bool {
    switch self {
    case .unknown: true
    case .ifNamed(let issuer): named == nil || named == issuer
    case .always(let issuer): named == issuer
    }
  }
}

/// The address that a browser is sent back to: `http` to this machine.
package struct RedirectAddress: Hashable, Sendable {
  /// Which name of this machine.
  package let host: RedirectHost
  /// The port that is listened on.
  package let port: UInt16

  package init(_ host: RedirectHost, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Host and port, as a browser names them.
  var authority: [UInt8] {
    switch host {
    case .address: [UInt8](ascii: "127.0.0.1:") + [UInt8](decimal: port)
    case .localhost: [UInt8](ascii: "localhost:") + [UInt8](decimal: port)
    }
  }

  /// The address as a text.
  package var octets: [UInt8] {
    [UInt8](ascii: "http://") + authority + [ASCII.slash]
  }
}

/// Base64 for addresses, without padding (RFC 4648 §5).
enum Base64URL {
  static func encode(_ octets: some Collection<UInt8>) -> [UInt8] {
    Base64.encode(octets).filter { $0 != ASCII.equals }.map { octet in
      switch octet {
      case ASCII.plus: ASCII.minus
      case ASCII.slash: ASCII.underscore
      default: octet
      }
    }
  }
}

/// Lists of scopes (RFC 6749 §3.3).
package enum Scopes {
  /// The scopes with a space between them; nil for none.
  static func joined(_ scopes: [[UInt8]]) -> [UInt8]? {
    scopes.isEmpty ? nil : [UInt8](scopes.joined(separator: [ASCII.space]))
  }

  /// Whether octets are one scope.
  package static func isScope(_ octets: some Collection<UInt8>) -> Bool {
    !octets.isEmpty
      && octets.allSatisfy { octet in
        switch octet {
        case ASCII.quote, ASCII.backslash: false
        default: octet > ASCII.space && octet < ASCII.delete
        }
      }
  }

  /// What was asked for and not granted, without what servers do not repeat.
  ///
  /// - Parameters:
  ///   - wanted: what was asked for.
  ///   - granted: what the server says is granted; nil: as asked for (RFC 6749 §5.1).
  /// - Returns: those scopes, in the order of `wanted`.
  package static func missing(_ wanted: [[UInt8]], granted: [UInt8]?) -> [[UInt8]] {
    guard let granted else { return [] }
    let names = granted.split(separator: ASCII.space)
    return wanted.filter { scope in
      !unrepeated.contains(scope) && !names.contains { $0.equalsCaseless(scope) }
    }
  }

  private static let unrepeated = [
    [UInt8](ascii: "offline_access"), [UInt8](ascii: "openid"), [UInt8](ascii: "email"),
    [UInt8](ascii: "profile"),
  ]
}
