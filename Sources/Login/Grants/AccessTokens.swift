package import Configuration
package import OAuth
package import Platform
internal import HTTP
internal import Web

/// Access tokens of a login at an authorization server, renewed where that is due.
///
/// Programs that need one at the same time renew it once: who gets the lock reads again what is kept. A new refresh token is
/// durable before the access token that came with it is used.
package struct AccessTokens: Sendable {
  private let settings: OAuthSettings
  private let store: GrantStore
  private let binding: Grant.Binding
  private let interruption: Interruption?

  /// The tokens of an account.
  ///
  /// - Parameters:
  ///   - settings: the account.
  ///   - isForAnyHost: whether the login is used although it was not tested with the hosts that are configured.
  ///   - interruption: ends all waiting when requested.
  package init(
    _ settings: OAuthSettings,
    isForAnyHost: Bool = false,
    interruption: Interruption?
  ) {
    self.settings = settings
    binding =
      isForAnyHost
      ? Grant.Binding(server: settings.binding.server, hosts: []) : settings.binding
    self.interruption = interruption
    store = GrantStore(settings)
  }

  /// A valid access token.
  ///
  /// - Throws: why there is none.
  package func current() throws(SecretError) -> Grant.Access {
    guard let access = try access(after: nil) else { throw failure(.notLoggedIn) }
    return access
  }

  /// A token in place of one that a mail server refused; nil when there is no better one.
  ///
  /// - Throws: why there is none.
  package func replacement(for refused: [UInt8]) throws(SecretError) -> Grant.Access? {
    try access(after: refused)
  }

  /// Why there is no token until a person does something, as far as that shows without asking the server; nil for nothing.
  package func obstacle() -> SecretError? {
    do throws(SecretError) {
      switch use(of: try readGrant(), nil) {
      case .use, .refresh, .nothingBetter:
        return store.isWaiting ? failure(.notHandedOver(settings.grantFile)) : nil
      case .login(let need): return failure(.login(need))
      }
    } catch {
      return error
    }
  }

  /// Has the login be for the hosts that are configured, which were tested with it; durable when it returns.
  ///
  /// - Throws: where there is no login, or it cannot be kept.
  package func acceptHosts() throws(SecretError) {
    try store.withLock(interruption: interruption) { () throws(SecretError) in
      var grant = try readGrant()
      grant.bind(to: settings.binding.hosts)
      try store.write(grant)
    }
  }

  private func access(after refused: [UInt8]?) throws(SecretError) -> Grant.Access? {
    let grant = try readGrant()
    switch use(of: grant, refused) {
    case .use: return grant.access
    case .nothingBetter: return nil
    case .login(let need): throw failure(.login(need))
    case .refresh:
      return try store.withLock(interruption: interruption) { () throws(SecretError) in
        try renewed(after: refused)
      }
    }
  }

  /// Decides anew, since another program may have renewed it while this one waited for the lock.
  private func renewed(after refused: [UInt8]?) throws(SecretError) -> Grant.Access? {
    let grant = try readGrant()
    switch use(of: grant, refused) {
    case .use: return grant.access
    case .nothingBetter: return nil
    case .login(let need): throw failure(.login(need))
    case .refresh(let token, let valid, let isAfterRefusal):
      do throws(SecretError) {
        return try refresh(grant, token, isAfterRefusal)
      } catch {
        // What is left of the old one is enough for now.
        if error.need == .time, valid != nil { return grant.access }
        throw error
      }
    }
  }

  private func use(of grant: Grant, _ refused: [UInt8]?) -> GrantUse {
    GrantUse(
      grant,
      for: binding,
      clientID: settings.clientID,
      refused: refused,
      now: Clock.now()
    )
  }

  private func refresh(
    _ grant: Grant,
    _ token: [UInt8],
    _ isAfterRefusal: Bool
  ) throws(SecretError) -> Grant.Access {
    let client = try ConfiguredClient(settings).client(registered: grant.client, interruption)
    // On a full disk it fails here, before the server takes the refresh token out of use.
    try store.checkRoom(for: grant)
    let request = WebRequest.post(
      .form(TokenRequest.form(refreshToken: token, client: client)),
      to: grant.tokenEndpoint
    )
    FaultPoint.pass("before a token is renewed")
    let reply = try AuthorizationServer(settings, interruption).send(request)
    FaultPoint.pass("after a token was renewed")
    var grant = grant
    do throws(ReplyFailure) {
      let response = try TokenResponse(reply)
      grant.renew(with: response, now: Clock.now(), isAfterRefusal: isAfterRefusal)
    } catch {
      try note(error, grant)
      throw failure(.reply(error, host: grant.tokenEndpoint.host))
    }
    try store.write(grant)
    return grant.access
  }

  /// Remembers that the login has ended, so that the server is not asked again.
  private func note(_ error: ReplyFailure, _ grant: Grant) throws(SecretError) {
    guard case .refused(let refusal) = error, refusal.meaning == .loginEnded else { return }
    var grant = grant
    grant.end(refusal, now: Clock.now())
    try store.write(grant)
  }

  private func readGrant() throws(SecretError) -> Grant {
    guard let grant = try store.read() else { throw failure(.notLoggedIn) }
    return grant
  }

  private func failure(_ problem: GrantProblem) -> SecretError {
    SecretError(key: "oauth", problem: .grant(account: settings.account, problem))
  }
}
