package import Configuration
package import OAuth
package import Platform
package import Web

/// The authorization server of an account, asked over the network.
package struct AuthorizationServer: Sendable {
  private let settings: OAuthSettings
  private let interruption: Interruption?
  private let proxy: WebProxyKeeper

  package init(_ settings: OAuthSettings, _ interruption: Interruption?) {
    self.settings = settings
    self.interruption = interruption
    proxy = WebProxyKeeper(settings.proxy, interruption)
  }

  /// Sends a request and waits for the answer, whatever its status.
  ///
  /// - Throws: where there is none.
  package func send(_ request: WebRequest) throws(SecretError) -> WebReply {
    let proxy = try proxy.get()
    do throws(WebFailure) {
      var reply = try WebClient.send(request, through: proxy, interruption: interruption)
      reply.secrets = TokenRequest.secrets(in: request)
      return reply
    } catch {
      if error == .interrupted { throw SecretError(key: "oauth", problem: .interrupted) }
      throw failure(.web(error, host: request.address.host))
    }
  }

  /// Its endpoints: known ones, or those that it says itself.
  ///
  /// - Throws: where its metadata cannot be had or used.
  package func endpoints() throws(SecretError) -> OAuthEndpoints {
    switch settings.server {
    case .provider(let provider, let tenant): return provider.endpoints(tenant: tenant)
    case .endpoints(let endpoints): return endpoints
    case .issuer(let address, let octets): return try metadata(of: address, octets)
    }
  }

  private func metadata(
    of issuer: WebAddress,
    _ octets: [UInt8]
  ) throws(SecretError) -> OAuthEndpoints {
    var (status, isJSON) = (404, true)
    for address in ServerMetadata.addresses(of: issuer) {
      let reply = try send(.get(address))
      guard reply.status == 200 else {
        status = reply.status
        if status == 429 || status >= 500 { break }
        continue
      }
      do throws(ServerMetadata.Problem) {
        return try ServerMetadata.endpoints(reply.body, issuer: octets)
      } catch .notJSON {
        // A page for people, which some servers have at every address.
        isJSON = false
      } catch {
        throw failure(.metadata(error, host: issuer.host))
      }
    }
    let isForNow = status == 429 || status >= 500
    if !isJSON, !isForNow { throw failure(.metadata(.notJSON, host: issuer.host)) }
    throw failure(
      .reply(
        isForNow ? .notNow(status: status, retryAfter: nil) : .unexpected(status: status),
        host: issuer.host
      )
    )
  }

  /// Registers this program for these scopes.
  ///
  /// - Throws: where the server does not do that.
  package func register(
    at address: WebAddress,
    _ scopes: [[UInt8]]
  ) throws(SecretError) -> AuthorizationRequest.Client {
    let body = ClientRegistration.body(scopes: scopes)
    let reply = try send(.post(.json(body), to: address))
    do throws(ReplyFailure) {
      return try ClientRegistration.client(reply)
    } catch {
      throw failure(.reply(error, host: address.host))
    }
  }

  private func failure(_ problem: GrantProblem) -> SecretError {
    SecretError(key: "oauth", problem: .grant(account: settings.account, problem))
  }
}

/// The client of an account as it is configured.
package struct ConfiguredClient: Sendable {
  private let settings: OAuthSettings

  package init(_ settings: OAuthSettings) {
    self.settings = settings
  }

  /// The client with its secret, which its command prints; the registered one where none is configured.
  ///
  /// - Throws: where the command does not print one.
  package func client(
    registered: AuthorizationRequest.Client,
    _ interruption: Interruption?
  ) throws(SecretError) -> AuthorizationRequest.Client {
    guard let identifier = settings.clientID else { return registered }
    return AuthorizationRequest.Client(identifier: identifier, secret: try secret(interruption))
  }

  private func secret(_ interruption: Interruption?) throws(SecretError) -> [UInt8]? {
    guard let command = settings.clientSecret else { return nil }
    do throws(SecretError) {
      return try SecretSource.passwordCommand(command).fetch(interruption: interruption)
    } catch {
      throw SecretError(key: "client-secret-command", problem: error.problem)
    }
  }
}
