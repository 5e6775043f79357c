internal import JSON
internal import Octets
package import Web

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
