package import Configuration
package import OAuth
package import Platform
package import Web

/// The login of a person at an authorization server, from the first address to the tokens; nothing is kept yet.
package struct PersonLogin: Sendable {
  /// What the person has to be told meanwhile.
  package enum Notice: Hashable, Sendable {
    /// To open this address; whether a browser was started with it, and the port that is listened on.
    case open(WebAddress, isStarted: Bool, port: UInt16)
    /// On which host the person logs in, and from which the tokens come, where the server says that itself.
    case servers(login: [UInt8], token: [UInt8])
    /// To type the code at this address, or to open the second, which has the code in it.
    case type(code: [UInt8], at: WebAddress, complete: WebAddress?)
    /// A pasted line is not the address.
    case notTheAddress
    /// Nothing came to renew the login with: it ends with the access token.
    case noRefreshToken
    /// Nothing came to renew the login with: the user has to log in once more, and to give consent.
    case consentNeeded
    /// These scopes were not granted.
    case missingScopes([[UInt8]])
  }

  /// How the person logs in.
  package struct Way: Hashable, Sendable {
    let kind: LoginKind
    let input: Int32?
    let startsBrowser: Bool

    /// A way.
    ///
    /// - Parameters:
    ///   - kind: where the person logs in.
    ///   - input: a descriptor on which the last address may be pasted; nil for none.
    ///   - startsBrowser: whether a browser is started, with `kind` `.browser`.
    package init(_ kind: LoginKind, input: Int32?, startsBrowser: Bool) {
      self.kind = kind
      self.input = input
      self.startsBrowser = startsBrowser
    }
  }

  /// The server, and what the program is there.
  struct Target {
    let endpoints: OAuthEndpoints
    let token: WebAddress
    let client: AuthorizationRequest.Client
    /// What is asked for; empty for the server's own choice.
    let scopes: [[UInt8]]
  }

  let settings: OAuthSettings
  let way: Way
  let interruption: Interruption
  let tell: @Sendable (Notice) -> Void

  package init(
    _ settings: OAuthSettings,
    _ way: Way,
    interruption: Interruption,
    tell: @escaping @Sendable (Notice) -> Void
  ) {
    self.settings = settings
    self.way = way
    self.interruption = interruption
    self.tell = tell
  }

  var server: AuthorizationServer { AuthorizationServer(settings, interruption) }

  /// Has the person log in.
  ///
  /// - Parameter previous: the login before, whose registered client is used again where its token is still valid, or no
  ///   other can be had: the server may have forgotten it. Nil for none.
  /// - Returns: the login, which is not kept yet.
  /// - Throws: why there is none.
  package func logIn(after previous: Grant?) throws(LoginFailure) -> Grant {
    let endpoints = try source { () throws(SecretError) in try server.endpoints() }
    guard let token = endpoints.token else { throw .notOffered(way.kind) }
    tellServers(endpoints, token)
    let scopes = settings.scopes ?? endpoints.mailScopes
    let client = try client(endpoints, previous, scopes)
    let target = Target(endpoints: endpoints, token: token, client: client, scopes: scopes)
    let response =
      switch way.kind {
      case .browser, .paste: try inBrowser(target)
      case .device: try onDevice(target)
      }
    if response.refreshToken == nil { tell(.noRefreshToken) }
    let missing = Scopes.missing(scopes, granted: response.scope)
    if !missing.isEmpty { tell(.missingScopes(missing)) }
    return Grant(
      response,
      binding: settings.binding,
      // The secret of a configured client is printed by its command each time.
      client: settings.clientID.map { AuthorizationRequest.Client(identifier: $0, secret: nil) }
        ?? client,
      tokenEndpoint: token,
      revocationEndpoint: endpoints.revocation,
      after: previous,
      now: Clock.now()
    )
  }

  private func tellServers(_ endpoints: OAuthEndpoints, _ token: WebAddress) {
    guard case .issuer = settings.server else { return }
    let login = way.kind == .device ? endpoints.device : endpoints.authorization
    if let login { tell(.servers(login: login.host, token: token.host)) }
  }

  // MARK: - Client

  private func client(
    _ endpoints: OAuthEndpoints,
    _ previous: Grant?,
    _ scopes: [[UInt8]]
  ) throws(LoginFailure) -> AuthorizationRequest.Client {
    if let identifier = settings.clientID {
      let configured = AuthorizationRequest.Client(identifier: identifier, secret: nil)
      return try source { () throws(SecretError) in
        try ConfiguredClient(settings).client(registered: configured, interruption)
      }
    }
    let known = previous.flatMap { $0.binding.server == settings.binding.server ? $0 : nil }
    if let known, known.hasKnownClient(now: Clock.now()) { return known.client }
    guard let address = endpoints.registration else {
      guard let known else { throw .noClient }
      return known.client
    }
    return try source { () throws(SecretError) in try server.register(at: address, scopes) }
  }

  // MARK: - Failures

  /// The tokens of an answer.
  func response(
    _ reply: WebReply,
    _ token: WebAddress
  ) throws(LoginFailure) -> TokenResponse {
    do throws(ReplyFailure) {
      return try TokenResponse(reply)
    } catch {
      throw failure(error, token)
    }
  }

  /// The failure that an answer from this address is.
  func failure(_ failure: ReplyFailure, _ address: WebAddress) -> LoginFailure {
    .source(
      SecretError(
        key: "oauth",
        problem: .grant(account: settings.account, .reply(failure, host: address.host))
      )
    )
  }

  /// Does something with the server; what goes wrong is a failure of the login.
  func source<Result>(
    _ body: () throws(SecretError) -> Result
  ) throws(LoginFailure) -> Result {
    do {
      return try body()
    } catch {
      if error.problem == .interrupted { throw .interrupted }
      throw .source(error)
    }
  }
}
