internal import OAuth
internal import Octets
internal import Platform
internal import Web

/// The keys of `[account.NAME.oauth]` while they are read.
struct OAuthDraft {
  var provider: OAuthProvider?
  var tenant: [UInt8]?
  var issuer: (address: WebAddress, octets: [UInt8])?
  var endpoints = OAuthEndpoints()
  var clientID: [UInt8]?
  var clientSecret: ChildProcess.Command?
  var scopes: [[UInt8]]?
  var loginHint: [UInt8]?
  var machine = MachineDraft()
  var read: ChildProcess.Command?
  var write: ChildProcess.Command?

  /// The finished settings.
  ///
  /// - Parameters:
  ///   - account: the name of the account.
  ///   - address: the mail address of the account, for who is to log in.
  ///   - hosts: the hosts that get the token.
  ///   - proxy: how the authorization server is reached.
  ///   - stateHome: where Magnum remembers things.
  /// - Returns: the settings.
  /// - Throws: when a key is missing, or means nothing beside the others.
  func settings(
    account: String,
    address: String?,
    hosts: [[UInt8]],
    proxy: ProxyRule,
    stateHome: Path
  ) throws(IncompleteAccount) -> OAuthSettings {
    let server = try server()
    let machine = try machine.login(of: self, address: address)
    if machine == nil { try checkClient(server) }
    return OAuthSettings(
      account: account,
      server: server,
      clientID: clientID,
      clientSecret: clientSecret,
      scopes: scopes ?? provider?.scopes,
      loginHint: loginHint ?? address.map { [UInt8]($0.utf8) },
      machine: machine,
      binding: Grant.Binding(
        server: server.identity + (machine?.identity(clientID, scopes) ?? []),
        hosts: hosts
      ),
      store: try commands(),
      proxy: proxy,
      directory: AccountMemory.path(of: account, in: stateHome)
    )
  }

  private func commands() throws(IncompleteAccount) -> GrantCommands? {
    switch (read, write) {
    case (let read?, let write?): return GrantCommands(read: read, write: write)
    case (nil, nil): return nil
    case (let read, _):
      throw IncompleteAccount(
        keys: ["oauth", "store", read == nil ? "read" : "write"],
        mistake: Mistake(.missing, remedy: "read prints what write got")
      )
    }
  }

  private func server() throws(IncompleteAccount) -> OAuthSettings.Server {
    if tenant != nil, provider != .microsoft {
      throw Self.mistake("tenant", .noEffect(because: "without provider = \"microsoft\""))
    }
    if let provider { return .provider(provider, tenant: tenant) }
    if let issuer { return .issuer(issuer.address, octets: issuer.octets) }
    guard endpoints != OAuthEndpoints() else {
      throw Self.missing(
        "provider",
        remedy: "set provider, or issuer, or token-endpoint and authorization-endpoint"
      )
    }
    guard endpoints.token != nil else {
      throw Self.missing("token-endpoint", remedy: "it is where access tokens are got")
    }
    guard endpoints.authorization != nil || endpoints.device != nil || machine.grant != nil else {
      throw Self.missing("authorization-endpoint", remedy: "it is what a browser opens to log in")
    }
    return .endpoints(endpoints)
  }

  private func checkClient(_ server: OAuthSettings.Server) throws(IncompleteAccount) {
    guard clientID == nil else { return }
    if clientSecret != nil {
      throw Self.mistake("client-secret-command", .noEffect(because: "without client-id"))
    }
    switch server {
    case .issuer: return
    case .provider, .endpoints:
      throw Self.missing(
        "client-id",
        remedy: "register a program of your own there, see magnum-oauth(7)"
          + (provider?.hasAppPasswords == true
            ? "; an app password in password-command is simpler" : "")
      )
    }
  }

  static func missing(_ key: String, remedy: String) -> IncompleteAccount {
    IncompleteAccount(keys: ["oauth", key], mistake: Mistake(.missing, remedy: remedy))
  }

  static func mistake(_ key: String, _ problem: ConfigurationProblem) -> IncompleteAccount {
    IncompleteAccount(keys: ["oauth", key], mistake: Mistake(problem, remedy: "remove it"))
  }
}

extension OAuthSettings.Server {
  /// The text that a login at this server is bound to.
  fileprivate var identity: [UInt8] {
    switch self {
    case .provider(let provider, let tenant):
      [UInt8](provider.rawValue.utf8) + (tenant.map { [ASCII.slash] + $0 } ?? [])
    case .issuer(_, let octets): octets
    case .endpoints(let endpoints): endpoints.token?.octets ?? []
    }
  }
}

extension MachineLogin {
  /// All that a token of it is bound to besides the server: a token that is kept is not used for anything else.
  fileprivate func identity(_ clientID: [UInt8]?, _ scopes: [[UInt8]]?) -> [UInt8] {
    let (grant, subject): (StaticString, [UInt8]) =
      switch self {
      case .secret: ("client-secret", [])
      case .assertion: ("client-assertion", [])
      case .bearer(_, let subject): ("jwt-bearer", subject)
      }
    let parts =
      [[UInt8](ascii: grant), clientID ?? [], subject, key?.identifier ?? []] + (scopes ?? [])
    return parts.flatMap { [ASCII.lineFeed] + $0 }
  }
}

extension OAuthProvider {
  /// Whether users can make passwords for single programs.
  fileprivate var hasAppPasswords: Bool {
    switch self {
    case .google, .fastmail, .yahoo, .aol, .yandex, .mailru: true
    case .microsoft, .seznam, .comcast: false
    }
  }
}

extension AccountDraft {
  /// Where the secret comes from: the login at an authorization server, or what a key says.
  ///
  /// - Throws: when a key of `[account.NAME.oauth]` is missing.
  func secretSource(named name: String) throws(IncompleteAccount) -> SecretSource {
    guard let oauth else { return secret }
    return .oauth(
      try oauth.settings(
        account: name,
        address: address,
        hosts: tokenHosts,
        proxy: proxy.rule,
        stateHome: environment?.stateHome ?? Environment.stateHome
      )
    )
  }

  /// The hosts that get the token: those of IMAP, and of SMTP where it has no secret of its own.
  private var tokenHosts: [[UInt8]] {
    var hosts: [String] = []
    switch server {
    case .imaps(let host, _), .startTLS(let host, _), .plain(let host, _): hosts.append(host)
    case .command(let words): hosts.append("command: " + words.joined(separator: " "))
    case nil: break
    }
    // A command gets no secret that is not for sending.
    if let host = sending.server?.host, sending.secret == nil, sending.login != .none,
      !hosts.contains(host)
    {
      hosts.append(host)
    }
    return hosts.map { [UInt8]($0.utf8) }
  }
}
