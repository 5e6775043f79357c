internal import Octets
package import Web

/// A login at an authorization server as it is kept: what it is for, and the tokens.
package struct Grant: Hashable, Sendable {
  /// What a grant was made with; for anything else it is not used.
  package struct Binding: Hashable, Sendable {
    /// The authorization server: the provider's name with its tenant, the issuer, or the token endpoint.
    package let server: [UInt8]
    /// The hosts that the access token is sent to.
    package let hosts: [[UInt8]]

    package init(server: [UInt8], hosts: [[UInt8]]) {
      self.server = server
      self.hosts = hosts
    }
  }

  /// An access token and when it is valid, in seconds since 1970 by the local clock.
  package struct Access: Hashable, Sendable {
    package let token: [UInt8]
    /// When it was got.
    package let issued: Int64
    /// When it ends.
    package let expires: Int64

    /// The access token of an answer that came at this moment.
    package init(_ response: TokenResponse, now: Int64) {
      self.init(token: response.accessToken, issued: now, expires: now + response.lifetime)
    }

    init(token: [UInt8], issued: Int64, expires: Int64) {
      self.token = token
      self.issued = issued
      self.expires = expires
    }
  }

  /// Whether the login still holds.
  package enum State: Hashable, Sendable {
    /// It does, as far as is known.
    case active
    /// The server refused to renew it once; some servers do so for a while.
    case doubtful(OAuthError)
    /// The server said at this moment that it no longer does (seconds since 1970).
    case ended(at: Int64, OAuthError)
  }

  package private(set) var binding: Binding
  /// The client that it was made for; a secret only where registration gave one.
  package let client: AuthorizationRequest.Client
  /// Where tokens are got.
  package let tokenEndpoint: WebAddress
  /// Where they are revoked; nil where the server has no such place.
  package let revocationEndpoint: WebAddress?
  /// When the person logged in, in seconds since 1970.
  package let loggedIn: Int64
  /// When it will end, since the one before did after as long, in seconds since 1970; nil where that is not known.
  package let expectedEnd: Int64?
  /// What is granted; nil where the server did not say.
  package private(set) var scope: [UInt8]?
  /// The refresh token; nil where the server gave none.
  package private(set) var refreshToken: [UInt8]?
  /// The access token.
  package private(set) var access: Access
  /// Whether the login still holds.
  package private(set) var state = State.active
  /// When an access token was last renewed because a mail server had refused it; nil for never.
  package private(set) var renewedAfterRefusal: Int64?
  /// Before when it is not renewed, in seconds since 1970; nil for no pause.
  package private(set) var pausedUntil: Int64?

  /// The longest pause, in seconds.
  static let longestPause: Int64 = 3600

  /// The grant that a login just gave.
  ///
  /// What is remembered of a login goes by its time, which is therefore later than that of the login before, `previous`.
  package init(
    _ response: TokenResponse,
    binding: Binding,
    client: AuthorizationRequest.Client,
    tokenEndpoint: WebAddress,
    revocationEndpoint: WebAddress?,
    after previous: Grant? = nil,
    now: Int64
  ) {
    self.binding = binding
    self.client = client
    self.tokenEndpoint = tokenEndpoint
    self.revocationEndpoint = revocationEndpoint
    loggedIn = max(now, previous.map { $0.loggedIn + 1 } ?? now)
    expectedEnd = LoginForecast.expectedEnd(of: loggedIn, after: previous, binding)
    scope = response.scope
    refreshToken = response.refreshToken
    access = Access(response, now: now)
  }

  init(
    binding: Binding,
    client: AuthorizationRequest.Client,
    tokenEndpoint: WebAddress,
    revocationEndpoint: WebAddress?,
    loggedIn: Int64,
    expectedEnd: Int64?,
    scope: [UInt8]?,
    refreshToken: [UInt8]?,
    access: Access,
    state: State,
    renewedAfterRefusal: Int64?,
    pausedUntil: Int64?
  ) {
    self.binding = binding
    self.client = client
    self.tokenEndpoint = tokenEndpoint
    self.revocationEndpoint = revocationEndpoint
    self.loggedIn = loggedIn
    self.expectedEnd = expectedEnd
    self.scope = scope
    self.refreshToken = refreshToken
    self.access = access
    self.state = state
    self.renewedAfterRefusal = renewedAfterRefusal
    self.pausedUntil = pausedUntil
  }

  /// Whether the server gave the client a token that is still valid, so that it knows the client.
  package func hasKnownClient(now: Int64) -> Bool {
    state == .active && now >= access.issued && now < access.expires
  }

  /// Takes new tokens; a refresh token that is not in the answer stays.
  package mutating func renew(with response: TokenResponse, now: Int64, isAfterRefusal: Bool) {
    access = Access(response, now: now)
    if let token = response.refreshToken { refreshToken = token }
    if let granted = response.scope { scope = granted }
    if isAfterRefusal { renewedAfterRefusal = now }
    state = .active
    pausedUntil = nil
  }

  /// Takes a new refresh token that came without an access token.
  package mutating func renew(refreshToken token: [UInt8]) {
    refreshToken = token
  }

  /// Has it be for other hosts from now on.
  package mutating func bind(to hosts: [[UInt8]]) {
    binding = Binding(server: binding.server, hosts: hosts)
  }

  /// Records that the server refused to renew it: the second refusal in a row ends it.
  package mutating func refuse(_ error: OAuthError, now: Int64) {
    switch state {
    case .active:
      state = .doubtful(error)
      pause(seconds: GrantUse.refusalPause, now: now)
    case .doubtful, .ended: state = .ended(at: now, error)
    }
  }

  /// Until when the server wants no request; nil for no pause.
  ///
  /// A clock that was set back tells nothing about it.
  func pause(at now: Int64) -> Int64? {
    guard let pausedUntil, now < pausedUntil, pausedUntil - now <= Self.longestPause else {
      return nil
    }
    return pausedUntil
  }

  /// Records that the server wants no request for so many seconds; at most an hour counts.
  package mutating func pause(seconds: Int64, now: Int64) {
    pausedUntil = now + min(max(seconds, 0), Self.longestPause)
  }
}
