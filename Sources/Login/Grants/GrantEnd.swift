package import Configuration
internal import OAuth
package import Platform
internal import Web

/// The end of a login: what the server was told, and that it is forgotten here.
package enum GrantEnd: Hashable, Sendable {
  /// There was none.
  case notLoggedIn
  /// The server has revoked it (RFC 7009), and it is forgotten.
  case revoked
  /// It is forgotten, and still holds at the server: it revokes none, or the reason why it did not.
  case forgotten(GrantProblem?)

  /// Revokes and forgets the login of an account; durable when it returns.
  ///
  /// - Throws: where it cannot be forgotten.
  package init(_ settings: OAuthSettings, interruption: Interruption) throws(SecretError) {
    let store = GrantStore(settings, interruption: interruption)
    self = try store.withLock { () throws(SecretError) in
      let grant: Grant?
      do throws(SecretError) {
        grant = try store.read()
      } catch {
        guard case .grant(_, let problem) = error.problem else { throw error }
        try store.remove()
        return .forgotten(problem)
      }
      guard let grant else { return .notLoggedIn }
      let end = Self.revoke(grant, settings, interruption)
      try store.remove()
      return end
    }
  }

  private static func revoke(
    _ grant: Grant,
    _ settings: OAuthSettings,
    _ interruption: Interruption
  ) -> GrantEnd {
    if case .ended = grant.state { return .revoked }
    guard let endpoint = grant.revocationEndpoint else { return .forgotten(nil) }
    do throws(SecretError) {
      let client = try ConfiguredClient(settings).client(registered: grant.client, interruption)
      let form = TokenRequest.revocationForm(
        token: grant.refreshToken ?? grant.access.token,
        isRefreshToken: grant.refreshToken != nil,
        client: client
      )
      let reply = try AuthorizationServer(settings, interruption)
        .send(.post(.form(form), to: endpoint))
      guard reply.status == 200 else {
        return .forgotten(.reply(.unexpected(status: reply.status), host: endpoint.host))
      }
      return .revoked
    } catch {
      guard case .grant(_, let problem) = error.problem else { return .forgotten(nil) }
      return .forgotten(problem)
    }
  }
}
