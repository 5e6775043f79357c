package import Configuration
package import OAuth
package import Platform
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
    store = GrantStore(settings, interruption: interruption)
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

  /// Why there is no token until a person does something; nil where nothing is known.
  ///
  /// Neither the server is asked, nor the user's commands, which may wait for the user.
  package func obstacle() -> SecretError? {
    if let machine { return machine.obstacle() }
    do throws(SecretError) {
      switch try store.content() {
      case nil: return failure(.notLoggedIn)
      case .refused: return failure(.notLoggedIn)
      case .handedOver: return settings.store == nil ? failure(.notLoggedIn) : nil
      case .grant(let grant):
        if case .login(let need) = use(of: grant, nil) { return failure(.login(need)) }
        return settings.store == nil ? nil : failure(.notHandedOver(settings.grantFile))
      }
    } catch {
      return error
    }
  }

  /// That the login is about to end, as far as its file tells; nil for nothing.
  package func forecast() -> LoginForecast? {
    guard let content = try? store.content(), case .grant(let grant) = content else { return nil }
    return LoginForecast(grant, now: Clock.now())
  }

  /// Has the login be for the hosts that are configured, which were tested with it; durable when it returns.
  ///
  /// - Throws: where there is no login, or it cannot be kept.
  package func acceptHosts() throws(SecretError) {
    // What is got without a person is got anew for other hosts.
    guard settings.machine == nil else { return }
    try store.withLock { () throws(SecretError) in
      var grant = try readGrant()
      grant.bind(to: settings.binding.hosts)
      try store.write(grant)
    }
  }

  /// Has the server be asked again although it has refused the client.
  ///
  /// - Throws: where that cannot be forgotten.
  package func forgetRefusal() throws(SecretError) { try machine?.forgetRefusal() }

  private var machine: MachineTokens? {
    settings.machine.map { MachineTokens(settings, $0, store, interruption) }
  }

  private func access(after refused: [UInt8]?) throws(SecretError) -> Grant.Access? {
    if let machine { return try machine.access(after: refused) }
    let grant = try readGrant()
    switch use(of: grant, refused) {
    case .use: return grant.access
    case .nothingBetter: return nil
    case .notYet(let error, let until): throw failure(.paused(error, until: until))
    case .login(let need): throw failure(.login(need))
    case .refresh:
      return try store.withLock { () throws(SecretError) in
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
    case .notYet(let error, let until): throw failure(.paused(error, until: until))
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
    let result = try ProcessEnd.postponed { () throws(SecretError) in
      try renewal(of: grant, request, isAfterRefusal)
    }
    guard let result else { throw Self.interrupted }
    store.handOver(result.grant)
    if let problem = result.failure { throw failure(self.problem(problem, result.grant)) }
    return result.grant.access
  }

  /// What the user can do about an answer: where the client is none of the configuration, a login registers another.
  private func problem(_ failure: ReplyFailure, _ grant: Grant) -> GrantProblem {
    if case .doubtful(let error) = grant.state, case .refused = failure,
      let until = grant.pausedUntil
    {
      return .paused(error, until: until)
    }
    if settings.clientID == nil, case .refused(let refusal) = failure, refusal.isAboutClient {
      return .login(.clientUnknown(refusal))
    }
    return .reply(failure, host: grant.tokenEndpoint.host)
  }

  /// A login as it is kept after a request for new tokens, and why none came; nil where they did.
  private typealias Renewal = (grant: Grant, failure: ReplyFailure?)

  /// Sends a request for new tokens, and keeps what comes.
  ///
  /// Once the server has the request, the old refresh token may be invalid, and the new one is only in the answer. So nothing
  /// is interrupted from here on, and the process does not end before the answer is kept.
  private func renewal(
    of grant: Grant,
    _ request: WebRequest,
    _ isAfterRefusal: Bool
  ) throws(SecretError) -> Renewal {
    if interruption?.isRequested ?? false { throw Self.interrupted }
    FaultPoint.pass("before a token is renewed")
    let reply = try AuthorizationServer(settings, nil).send(request)
    FaultPoint.pass("after a token was renewed")
    var (grant, problem) = (grant, ReplyFailure?.none)
    do throws(ReplyFailure) {
      let response = try TokenResponse(reply)
      grant.renew(with: response, now: Clock.now(), isAfterRefusal: isAfterRefusal)
    } catch {
      problem = error
      guard Self.recordFailure(error, reply, in: &grant) else { return (grant, error) }
    }
    try store.keep(grant)
    return (grant, problem)
  }

  /// Records what an answer without an access token says about the login: a refusal, a pause, or another refresh token.
  ///
  /// Returns whether it says such a thing.
  private static func recordFailure(
    _ failure: ReplyFailure,
    _ reply: WebReply,
    in grant: inout Grant
  ) -> Bool {
    if case .refused(let refusal) = failure, refusal.meaning == .loginEnded {
      grant.refuse(refusal, now: Clock.now())
      return true
    }
    if case .notNow(_, let seconds?) = failure {
      grant.pause(seconds: seconds, now: Clock.now())
      return true
    }
    guard let token = TokenResponse.refreshToken(in: reply) else { return false }
    grant.renew(refreshToken: token)
    return true
  }

  private func readGrant() throws(SecretError) -> Grant {
    guard let grant = try store.read() else { throw failure(.notLoggedIn) }
    return grant
  }

  private static let interrupted = SecretError(key: "oauth", problem: .interrupted)

  private func failure(_ problem: GrantProblem) -> SecretError {
    SecretError(key: "oauth", problem: .grant(account: settings.account, problem))
  }
}
