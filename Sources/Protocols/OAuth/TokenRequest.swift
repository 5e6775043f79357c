internal import Octets
package import Web

/// The forms that are sent to an authorization server for tokens.
package enum TokenRequest {
  /// The fields with secret values.
  private static let secretFields: [StaticString] = [
    "code", "code_verifier", "device_code", "refresh_token", "token", "client_secret",
    "client_assertion", "assertion",
  ]

  /// What is secret in a request with such a form.
  package static func secrets(in request: WebRequest) -> [[UInt8]] {
    guard case .form(let form) = request.body else { return [] }
    return secretFields.flatMap { form.values($0) }
  }

  /// A code of the browser for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
  package static func form(
    code: [UInt8],
    for request: AuthorizationRequest,
    client: AuthorizationRequest.Client
  ) -> WebForm {
    form("authorization_code", client) { form in
      form.add("code", code)
      form.add("redirect_uri", request.redirect.octets)
      form.add("code_verifier", request.verifier)
    }
  }

  /// A refresh token for an access token (RFC 6749 §6).
  package static func form(
    refreshToken: [UInt8],
    client: AuthorizationRequest.Client
  ) -> WebForm {
    form("refresh_token", client) { $0.add("refresh_token", refreshToken) }
  }

  /// The client's own credentials for an access token (RFC 6749 §4.4): its secret, or a signed statement about itself in place of
  /// one (RFC 7523 §2.2).
  package static func form(
    clientCredentials client: AuthorizationRequest.Client,
    assertion: [UInt8]?,
    scopes: [[UInt8]]
  ) -> WebForm {
    form("client_credentials", client) { form in
      form.add("scope", ifPresent: Scopes.joined(scopes))
      guard let assertion else { return }
      form.add(
        "client_assertion_type",
        [UInt8](ascii: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      )
      form.add("client_assertion", assertion)
    }
  }

  /// A signed statement about a user for an access token (RFC 7523 §2.1); it names the client itself.
  package static func form(assertion: [UInt8], scopes: [[UInt8]]) -> WebForm {
    var form = WebForm()
    form.add("grant_type", [UInt8](ascii: "urn:ietf:params:oauth:grant-type:jwt-bearer"))
    form.add("assertion", assertion)
    form.add("scope", ifPresent: Scopes.joined(scopes))
    return form
  }

  /// A question whether the person has logged in on the other device (RFC 8628 §3.4).
  package static func form(
    deviceCode: [UInt8],
    client: AuthorizationRequest.Client
  ) -> WebForm {
    form("urn:ietf:params:oauth:grant-type:device_code", client) {
      $0.add("device_code", deviceCode)
    }
  }

  /// The beginning of a login on another device (RFC 8628 §3.1).
  package static func deviceForm(
    scopes: [[UInt8]],
    client: AuthorizationRequest.Client
  ) -> WebForm {
    var form = WebForm()
    form.add("client_id", client.identifier)
    form.add("scope", ifPresent: Scopes.joined(scopes))
    return form
  }

  /// The end of a token (RFC 7009 §2.1).
  package static func revocationForm(
    token: [UInt8],
    isRefreshToken: Bool,
    client: AuthorizationRequest.Client
  ) -> WebForm {
    var form = WebForm()
    form.add("token", token)
    form.add(
      "token_type_hint",
      isRefreshToken ? [UInt8](ascii: "refresh_token") : [UInt8](ascii: "access_token")
    )
    add(client, to: &form)
    return form
  }

  /// What asks for tokens.
  private static func form(
    _ grantType: StaticString,
    _ client: AuthorizationRequest.Client,
    _ fill: (inout WebForm) -> Void
  ) -> WebForm {
    var form = WebForm()
    form.add("grant_type", [UInt8](ascii: grantType))
    fill(&form)
    add(client, to: &form)
    return form
  }

  private static func add(_ client: AuthorizationRequest.Client, to form: inout WebForm) {
    form.add("client_id", client.identifier)
    form.add("client_secret", ifPresent: client.secret)
  }
}
