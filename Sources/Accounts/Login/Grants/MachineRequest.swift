internal import Configuration
internal import Hashing
internal import OAuth
internal import Platform
internal import Web

/// What an authorization server is asked for a token without a person.
struct MachineRequest {
  private let settings: OAuthSettings
  private let login: MachineLogin
  private let interruption: Interruption?

  init(_ settings: OAuthSettings, _ login: MachineLogin, _ interruption: Interruption?) {
    self.settings = settings
    self.login = login
    self.interruption = interruption
  }

  /// The form.
  ///
  /// - Throws: where there is no secret, or no key that signs.
  func form(to endpoint: WebAddress) throws(SecretError) -> WebForm {
    let scopes = settings.scopes ?? []
    switch login {
    case .secret:
      let client = try ConfiguredClient(settings).client(registered: client, interruption)
      return TokenRequest.form(clientCredentials: client, assertion: nil, scopes: scopes)
    case .assertion(let key):
      return TokenRequest.form(
        clientCredentials: client,
        assertion: try assertion(key, subject: client.identifier, to: endpoint),
        scopes: scopes
      )
    case .bearer(let key, let subject):
      let assertion = try assertion(key, subject: subject, to: endpoint, scopes: scopes)
      // Google takes the scopes from the statement alone.
      let isGoogle = settings.server == .provider(.google, tenant: nil)
      return TokenRequest.form(assertion: assertion, scopes: isGoogle ? [] : scopes)
    }
  }

  private func assertion(
    _ key: ClientKey,
    subject: [UInt8],
    to endpoint: WebAddress,
    scopes: [[UInt8]] = []
  ) throws(SecretError) -> [UInt8] {
    let signer = try ClientSigner(key)
    return try signer.sign(
      ClientAssertion(
        issuer: client.identifier,
        subject: subject,
        audience: endpoint.octets,
        scopes: scopes,
        signer: signer.facts,
        identifier: Hashes.random(16),
        now: Clock.now()
      )
    )
  }

  private var client: AuthorizationRequest.Client {
    AuthorizationRequest.Client(identifier: settings.clientID ?? [], secret: nil)
  }
}
