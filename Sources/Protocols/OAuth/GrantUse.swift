/// What to do for an access token, decided from what is kept, the clock and what a mail server said.
package enum GrantUse: Hashable, Sendable {
  /// Use the one that is kept.
  case use([UInt8])
  /// Get a new one; `orElse` may be used where the server cannot be reached, while it is valid.
  case refresh(token: [UInt8], orElse: [UInt8]?, isAfterRefusal: Bool)
  /// There is no better one than the mail server refused.
  case nothingBetter
  /// The server is not asked before `until` (seconds since 1970): it wants that, or has just refused.
  case notYet(OAuthError?, until: Int64)
  /// A person has to log in again.
  case login(LoginNeed)

  /// Why a person has to log in.
  package enum LoginNeed: Hashable, Sendable {
    /// The server ended the login.
    case ended(at: Int64, OAuthError)
    /// The access token has ended, and there is no refresh token.
    case noRefreshToken
    /// The server no longer knows the client that it gave this program.
    case clientUnknown(OAuthError)
    /// It is bound to another authorization server or client.
    case otherServer
    /// It was not tested with this host.
    case otherHost([UInt8])
  }

  /// Seconds before its end from which an access token is renewed; half its lifetime where that is less.
  package static let margin: Int64 = 300

  /// Seconds for which a refusal counts: that of an access token by a mail server, or that of the refresh token.
  package static let refusalPause: Int64 = 240

  /// Decides.
  ///
  /// - Parameters:
  ///   - grant: what is kept.
  ///   - binding: the authorization server and the hosts as configured.
  ///   - clientID: as configured; nil where the program registers itself.
  ///   - refused: the access token that a mail server refused; nil where none did.
  ///   - now: seconds since 1970.
  package init(
    _ grant: Grant,
    for binding: Grant.Binding,
    clientID: [UInt8]?,
    refused: [UInt8]?,
    now: Int64
  ) {
    if let need = Self.need(grant, for: binding, clientID) {
      self = .login(need)
    } else {
      let use =
        refused == grant.access.token ? Self.afterRefusal(grant, now) : Self.usual(grant, now)
      self = use.delayed(by: grant, now)
    }
  }

  /// The same, without a request that comes too early.
  private func delayed(by grant: Grant, _ now: Int64) -> GrantUse {
    guard case .refresh(_, let valid, _) = self, let until = grant.pause(at: now) else {
      return self
    }
    if let valid { return .use(valid) }
    guard case .doubtful(let error) = grant.state else { return .notYet(nil, until: until) }
    return .notYet(error, until: until)
  }

  private static func need(
    _ grant: Grant,
    for binding: Grant.Binding,
    _ clientID: [UInt8]?
  ) -> LoginNeed? {
    guard grant.binding.server == binding.server,
      clientID == nil || clientID == grant.client.identifier
    else { return .otherServer }
    if let host = binding.hosts.first(where: { !grant.binding.hosts.contains($0) }) {
      return .otherHost(host)
    }
    switch grant.state {
    case .active, .doubtful: return nil
    case .ended(let time, let error): return .ended(at: time, error)
    }
  }

  private static func afterRefusal(_ grant: Grant, _ now: Int64) -> GrantUse {
    if let last = grant.renewedAfterRefusal, now >= last, now - last < refusalPause {
      return .nothingBetter
    }
    guard let token = grant.refreshToken else { return .nothingBetter }
    return .refresh(token: token, orElse: nil, isAfterRefusal: true)
  }

  private static func usual(_ grant: Grant, _ now: Int64) -> GrantUse {
    let access = grant.access
    if access.isFresh(at: now) { return .use(access.token) }
    let isValid = access.isValid(at: now)
    guard let token = grant.refreshToken else {
      return isValid ? .use(access.token) : .login(.noRefreshToken)
    }
    return .refresh(token: token, orElse: isValid ? access.token : nil, isAfterRefusal: false)
  }
}

extension Grant.Access {
  /// From when on it is to be renewed, in seconds since 1970.
  package var staleAt: Int64 { expires - margin }

  /// Whether it needs no renewal; a clock that was set back tells nothing about the end.
  func isFresh(at now: Int64) -> Bool { now >= issued - margin && now < staleAt }

  /// Whether it may still be used where a renewal fails.
  func isValid(at now: Int64) -> Bool { now >= issued - margin && now < expires - min(30, margin) }

  /// The seconds before its end from which it is to be renewed.
  private var margin: Int64 { min(GrantUse.margin, (expires - issued) / 2) }
}
