internal import Configuration
internal import Hashing
internal import OAuth
internal import Octets
internal import Platform
package import Web

extension PersonLogin {
  /// Seconds for a visit of the browser.
  private static let timeout = 300.0

  /// Logs in; once more, with consent, where the server gives a refresh token with the consent only (OpenID Connect Core §11).
  func inBrowser(_ target: Target) throws(LoginFailure) -> TokenResponse {
    let response = try visit(target, WebForm())
    guard response.refreshToken == nil, asksConsentAgain else { return response }
    tell(.consentNeeded)
    var form = WebForm()
    form.add("prompt", Array("consent".utf8))
    return try visit(target, form)
  }

  private var asksConsentAgain: Bool {
    switch settings.server {
    case .provider(let provider, _): provider.asksConsentAgain
    case .issuer: true
    case .endpoints: false
    }
  }

  private func visit(_ target: Target, _ more: WebForm) throws(LoginFailure) -> TokenResponse {
    guard let endpoint = target.endpoints.authorization else { throw .notOffered(way.kind) }
    let listener = try listener()
    let request = request(to: endpoint, of: target, port: listener.port, more)
    let isStarted = way.kind == .browser && way.startsBrowser && Browser.open(request.address)
    tell(.open(request.address, isStarted: isStarted, port: listener.port))
    let answer = try listener.wait(
      for: request,
      input: way.input,
      needsInput: way.kind == .paste,
      deadline: .after(seconds: Self.timeout),
      interruption: interruption
    ) { _ in tell(.notTheAddress) }
    switch answer {
    case .code(let code): return try tokens(for: code, request, target)
    case nil: throw .timedOut
    case .refused, .otherIssuer, .otherPath, .malformed:
      throw .answer(answer ?? .otherPath)
    }
  }

  private func tokens(
    for code: [UInt8],
    _ request: AuthorizationRequest,
    _ target: Target
  ) throws(LoginFailure) -> TokenResponse {
    let form = TokenRequest.form(code: code, for: request, client: target.client)
    let reply = try source { () throws(SecretError) in
      try server.send(.post(.form(form), to: target.token))
    }
    return try response(reply, target.token)
  }

  private func listener() throws(LoginFailure) -> RedirectListener {
    do throws(SystemError) {
      return try RedirectListener()
    } catch {
      throw .listen(error)
    }
  }

  private func request(
    to endpoint: WebAddress,
    of target: Target,
    port: UInt16,
    _ more: WebForm
  ) -> AuthorizationRequest {
    var (host, extra) = (RedirectHost.address, WebForm())
    if case .provider(let provider, _) = settings.server {
      (host, extra) = (provider.redirectHost, provider.extraParameters)
    }
    return AuthorizationRequest(
      to: endpoint,
      of: target.endpoints,
      client: target.client,
      scopes: target.scopes,
      loginHint: settings.loginHint,
      redirect: RedirectAddress(host, port: port),
      more: extra + more,
      randomness: AuthorizationRequest.Randomness(Hashes.random(64)),
      sha256: { Hashes.sha256($0) }
    )
  }
}

/// The user's browser.
package enum Browser {
  /// Has the browser open an address: the programs of `$BROWSER`, separated by colons, or xdg-open(1).
  ///
  /// No shell sees the address, and it begins with `https://`, so that no program takes it for an option or a file.
  ///
  /// - Returns: whether a program could be started.
  package static func open(_ address: WebAddress) -> Bool {
    let commands = Environment.value("BROWSER").map(commands) ?? (hasDisplay ? [["xdg-open"]] : [])
    let text = String(decoding: address.octets, as: UTF8.self)
    return commands.contains { words in
      (try? ChildProcess.start(.arguments(filled(words, with: text)))) != nil
    }
  }

  /// Without one, xdg-open starts browsers for terminals, which would take this one.
  private static var hasDisplay: Bool {
    Environment.value("DISPLAY") != nil || Environment.value("WAYLAND_DISPLAY") != nil
  }

  private static func commands(_ variable: String) -> [[String]] {
    variable.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// The words with the address in place of `%s`, or behind them.
  private static func filled(_ words: [String], with address: String) -> [String] {
    guard words.contains("%s") else { return words + [address] }
    return words.map { $0 == "%s" ? address : $0 }
  }
}
