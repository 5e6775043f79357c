internal import JSON
internal import Octets
package import Web

/// What an authorization server says about itself (RFC 8414, OpenID Connect Discovery 1.0).
package enum ServerMetadata {
  /// Why the metadata cannot be used.
  package enum Problem: Error, Hashable, Sendable {
    /// It is no JSON object.
    case notJSON
    /// It names no issuer, or another one than was asked: the octets differ.
    case otherIssuer([UInt8]?)
    /// A member is no address that secrets can be sent to.
    case badAddress(member: String)
    /// A member that must be there is missing.
    case missing(member: String)
  }

  /// Where the metadata of an issuer may lie, in the order in which to ask.
  ///
  /// RFC 8414 §3.1 puts the well-known name before the issuer's path, OpenID Connect behind it.
  package static func addresses(of issuer: WebAddress) -> [WebAddress] {
    let path = issuer.path == [ASCII.slash] ? [] : issuer.path
    let trimmed = path.last == ASCII.slash ? [UInt8](path.dropLast()) : path
    return [
      issuer.with(path: [UInt8](ascii: "/.well-known/oauth-authorization-server") + trimmed),
      issuer.with(path: trimmed + [UInt8](ascii: "/.well-known/openid-configuration")),
    ]
  }

  /// Reads metadata.
  ///
  /// - Parameters:
  ///   - body: what the server gave.
  ///   - issuer: the issuer as the user wrote it; that of the metadata has to have the same octets (RFC 8414 §3.3).
  /// - Returns: the endpoints; the token endpoint is there.
  /// - Throws: why they cannot be used.
  package static func endpoints(
    _ body: [UInt8],
    issuer: [UInt8]
  ) throws(Problem) -> OAuthEndpoints {
    guard let json = try? JSONValue(body), case .object = json else { throw .notJSON }
    let named = json.member("issuer")?.octets
    guard named == issuer else { throw .otherIssuer(named) }
    var endpoints = OAuthEndpoints(
      issuer: issuer,
      authorization: try address("authorization_endpoint", json),
      token: try address("token_endpoint", json),
      device: try address("device_authorization_endpoint", json),
      revocation: try address("revocation_endpoint", json),
      registration: try address("registration_endpoint", json)
    )
    guard endpoints.token != nil else { throw .missing(member: "token_endpoint") }
    if case .boolean(true) = json.member("authorization_response_iss_parameter_supported") {
      endpoints.namesIssuer = true
    }
    endpoints.mailScopes = mailScopes(json)
    return endpoints
  }

  /// The scopes among those listed without which a login ends early or opens no mailbox.
  private static func mailScopes(_ json: JSONValue) -> [[UInt8]] {
    guard case .array(let listed)? = json.member("scopes_supported") else { return [] }
    let names = listed.compactMap(\.octets)
    let wanted = [
      [UInt8](ascii: "offline_access"), [UInt8](ascii: "urn:ietf:params:oauth:scope:mail"),
    ]
    return wanted.filter { names.contains($0) }
  }

  private static func address(_ name: String, _ json: JSONValue) throws(Problem) -> WebAddress? {
    switch json.member(name) {
    case nil, .null: return nil
    case .string(let text):
      guard let address = try? WebAddress(text.utf8) else { throw .badAddress(member: name) }
      return address
    case .boolean, .number, .array, .object: throw .badAddress(member: name)
    }
  }
}

/// The registration of this program at an authorization server (RFC 7591).
package enum ClientRegistration {
  /// The JSON that asks for it: a public client with redirects to this machine on any port (RFC 8252 §8.4).
  ///
  /// - Parameter scopes: as `Scopes.isScope`, so that none of them needs an escape in JSON.
  /// - Returns: an object without line ends.
  package static func body(scopes: [[UInt8]]) -> [UInt8] {
    var body = Array(
      (#"{"client_name":"Magnum","application_type":"native","#
        + #""redirect_uris":["http://127.0.0.1/","http://localhost/"],"#
        + #""grant_types":["authorization_code","refresh_token"],"response_types":["code"],"#
        + #""token_endpoint_auth_method":"none""#).utf8
    )
    if let scope = Scopes.joined(scopes) {
      body += [UInt8](ascii: #","scope":""#) + scope + [ASCII.quote]
    }
    return body + [ASCII.closeBrace]
  }

  /// Reads the answer of a registration endpoint.
  ///
  /// - Throws: why the program is not registered.
  package static func client(
    _ reply: WebReply
  ) throws(ReplyFailure) -> AuthorizationRequest.Client {
    let json = try ReplyFailure.checked(reply)
    guard let identifier = try TokenResponse.text("client_id", json, TokenResponse.isToken) else {
      throw .malformed(member: "client_id")
    }
    let secret = try TokenResponse.text("client_secret", json, TokenResponse.isToken)
    return AuthorizationRequest.Client(identifier: identifier, secret: secret)
  }
}
