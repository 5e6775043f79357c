internal import Configuration
internal import OAuth
internal import Platform
internal import Web

/// Access tokens of an account without a person: kept until they end, and got anew under the lock of the account.
struct MachineTokens {
  private let settings: OAuthSettings
  private let login: MachineLogin
  private let store: GrantStore
  private let interruption: Interruption?

  init(
    _ settings: OAuthSettings,
    _ login: MachineLogin,
    _ store: GrantStore,
    _ interruption: Interruption?
  ) {
    self.settings = settings
    self.login = login
    self.store = store
    self.interruption = interruption
  }

  /// A valid token, in place of one that a mail server refused where that is given; nil where there is no better one.
  ///
  /// - Throws: why there is none.
  func access(after refused: [UInt8]?) throws(SecretError) -> Grant.Access? {
    let use = use(of: try kept(), refused)
    guard case .get = use else { return try access(use) }
    return try store.withLock { () throws(SecretError) in
      // Another program may have got one while this one waited for the lock.
      let kept = try kept()
      let use = self.use(of: kept, refused)
      guard case .get(let valid, let isAfterRefusal) = use else { return try access(use) }
      do throws(SecretError) {
        return try get(after: kept, isAfterRefusal)
      } catch {
        // What is left of the old one is enough for now.
        if error.need == .time, error.problem != .interrupted, let valid { return valid }
        throw error
      }
    }
  }

  private func access(_ use: MachineUse) throws(SecretError) -> Grant.Access? {
    switch use {
    case .use(let access): return access
    case .get, .nothingBetter: return nil
    case .refused(let error): throw failure(.clientRefused(error))
    case .notYet(let until): throw failure(.paused(nil, until: until))
    }
  }

  /// That the server refused the client; nil where it may be asked.
  ///
  /// Neither it nor a command of the user is asked.
  func obstacle() -> SecretError? {
    do throws(SecretError) {
      guard case .refused(let error) = use(of: try store.content(), nil) else { return nil }
      return failure(.clientRefused(error))
    } catch {
      return error
    }
  }

  /// Has the server be asked again although it has refused the client.
  ///
  /// - Throws: where that cannot be forgotten.
  func forgetRefusal() throws(SecretError) {
    guard case .refused? = try store.content() else { return }
    try store.withLock { () throws(SecretError) in
      guard case .refused? = try store.content() else { return }
      try store.remove()
    }
  }

  /// What is kept, also where commands of the user keep it; nil for nothing, or nothing that can be used.
  private func kept() throws(SecretError) -> GrantFile.Content? {
    do throws(SecretError) {
      let content = try store.content()
      guard case .handedOver? = content else { return content }
      return try store.read().map { .grant($0) }
    } catch {
      // A token can be got anew, unlike a login.
      guard case .grant(_, .damaged) = error.problem else { throw error }
      return nil
    }
  }

  private func use(of kept: GrantFile.Content?, _ refused: [UInt8]?) -> MachineUse {
    MachineUse(
      kept,
      for: settings.binding,
      key: keyFingerprint,
      refused: refused,
      now: Clock.now()
    )
  }

  /// What changes with the files of the key: what was refused may be right then.
  private var keyFingerprint: [UInt8] {
    let files = [login.key?.file, login.key?.certificate].compactMap(\.self)
    let texts = files.map { file -> String in
      guard let print = ((try? FileSystem.status(file)) ?? nil)?.fingerprint else { return "-" }
      return "\(print.inode):\(print.modified)"
    }
    return Array(texts.joined(separator: " ").utf8)
  }

  // MARK: - Requests

  /// Asks for a token, and keeps what comes.
  private func get(
    after kept: GrantFile.Content?,
    _ isAfterRefusal: Bool
  ) throws(SecretError) -> Grant.Access {
    let server = AuthorizationServer(settings, interruption)
    guard let endpoint = try server.endpoints().token else {
      throw failure(.reply(.malformed(member: "token_endpoint"), host: []))
    }
    let request = MachineRequest(settings, login, interruption)
    let form = try request.form(to: endpoint)
    FaultPoint.pass("before a token is got")
    let reply = try server.send(.post(.form(form), to: endpoint))
    FaultPoint.pass("after a token was got")
    let response: TokenResponse
    do throws(ReplyFailure) {
      response = try TokenResponse(reply).withoutRefreshToken
    } catch {
      throw try problem(error, endpoint, kept)
    }
    return try keep(response, endpoint, kept, isAfterRefusal)
  }

  private func keep(
    _ response: TokenResponse,
    _ endpoint: WebAddress,
    _ kept: GrantFile.Content?,
    _ isAfterRefusal: Bool
  ) throws(SecretError) -> Grant.Access {
    let now = Clock.now()
    var grant = Grant(
      response,
      binding: settings.binding,
      client: AuthorizationRequest.Client(identifier: settings.clientID ?? [], secret: nil),
      tokenEndpoint: endpoint,
      revocationEndpoint: nil,
      now: now
    )
    if case .grant(let last)? = kept, last.binding == settings.binding {
      grant = last
      grant.renew(with: response, now: now, isAfterRefusal: isAfterRefusal)
    }
    try store.keep(grant)
    store.handOver(grant)
    return grant.access
  }

  /// What an answer without a token means; a refusal and a pause are kept.
  private func problem(
    _ problem: ReplyFailure,
    _ endpoint: WebAddress,
    _ kept: GrantFile.Content?
  ) throws(SecretError) -> SecretError {
    let now = Clock.now()
    switch problem {
    case .refused(let error):
      let refusal = MachineRefusal(
        error,
        for: settings.binding.server,
        key: keyFingerprint,
        after: kept,
        now: now
      )
      try store.keep(refusal)
      return failure(.clientRefused(error))
    case .notNow(_, let seconds?):
      if case .grant(var grant)? = kept {
        grant.pause(seconds: seconds, now: now)
        try store.keep(grant)
      }
    case .notNow(_, nil), .unexpected, .malformed: break
    }
    return failure(.reply(problem, host: endpoint.host))
  }

  private func failure(_ problem: GrantProblem) -> SecretError {
    SecretError(key: "oauth", problem: .grant(account: settings.account, problem))
  }
}
