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
  case forgotten(SecretError?)

  /// Revokes and forgets the login of an account; durable when it returns.
  ///
  /// One that has ended is revoked too: its access token, or the user's consent, may still hold.
  ///
  /// - Throws: where it cannot be forgotten, or was not since the program is to end.
  package init(_ settings: OAuthSettings, interruption: Interruption) throws(SecretError) {
    let store = GrantStore(settings, interruption: interruption)
    self = try store.withLock { () throws(SecretError) in
      let grant: Grant?
      do throws(SecretError) {
        grant = try store.read()
      } catch {
        guard error.isOfGrant else { throw error }
        try store.remove()
        return .forgotten(error)
      }
      guard let grant else { return .notLoggedIn }
      let end = try Self.revoke(grant, settings, interruption)
      try store.remove()
      return end
    }
  }

  private static func revoke(
    _ grant: Grant,
    _ settings: OAuthSettings,
    _ interruption: Interruption
  ) throws(SecretError) -> GrantEnd {
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
        let problem = GrantProblem.reply(.unexpected(status: reply.status), host: endpoint.host)
        return .forgotten(
          SecretError(key: "oauth", problem: .grant(account: settings.account, problem))
        )
      }
      return .revoked
    } catch {
      if error.problem == .interrupted { throw error }
      return .forgotten(error)
    }
  }
}
