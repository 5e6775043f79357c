import OAuth
import Octets
import TestSupport
import Testing
import Web

/// What is kept of a login, and when a token is renewed.
@Suite struct GrantTests {
  private static func response(_ text: String) throws -> TokenResponse {
    try TokenResponse(WebReply(status: 200, body: Array(text.utf8)))
  }

  private static let binding = Grant.Binding(
    server: [UInt8](ascii: "google"),
    hosts: [[UInt8](ascii: "imap.a.example"), [UInt8](ascii: "smtp.a.example")]
  )

  /// A grant that was got at 1,000,000 and whose access token A is valid for an hour.
  private static func grant(lifetime: Int = 3600, refreshToken: String = "R") throws -> Grant {
    Grant(
      try response(
        #"{"access_token":"A","token_type":"Bearer","expires_in":\#(lifetime),"#
          + #""refresh_token":"\#(refreshToken)","scope":"a b"}"#
      ),
      binding: binding,
      client: AuthorizationRequest.Client(identifier: [UInt8](ascii: "id"), secret: nil),
      tokenEndpoint: try WebAddress([UInt8](ascii: "https://as.example/token?x")),
      revocationEndpoint: nil,
      now: 1_000_000
    )
  }

  private static func login(
    _ server: String,
    at now: Int64,
    after previous: Grant? = nil
  ) throws -> Grant {
    Grant(
      try response(#"{"access_token":"A","token_type":"Bearer","refresh_token":"R"}"#),
      binding: Grant.Binding(server: Array(server.utf8), hosts: []),
      client: AuthorizationRequest.Client(identifier: [UInt8](ascii: "id"), secret: nil),
      tokenEndpoint: try WebAddress([UInt8](ascii: "https://as.example/token")),
      revocationEndpoint: nil,
      after: previous,
      now: now
    )
  }

  /// A login at Google after one that ended after seven days ends so too, which is said in the last two.
  @Test(arguments: [(6.0, false), (6.9, true), (7.2, true), (9.0, false)])
  func loginsThatEndAfterSevenDays(days: Double, isExpected: Bool) throws {
    let day: Int64 = 86_400
    var first = try Self.login("google", at: 0)
    let error = OAuthError(code: [UInt8](ascii: "invalid_grant"), description: nil)
    first.refuse(error, now: Int64(days * 86_400) - 300)
    #expect(first.state == .doubtful(error))
    first.refuse(error, now: Int64(days * 86_400))
    let next = try Self.login("google", at: 10 * day, after: first)
    #expect(LoginForecast(next, now: 14 * day) == nil)
    let expected = isExpected ? LoginForecast.ends(at: 17 * day) : nil
    #expect(LoginForecast(next, now: 16 * day) == expected)
    #expect(LoginForecast(next, now: 18 * day) == nil)
    let octets = GrantFile.octets(of: next)
    #expect(try GrantFile.grant(octets).expectedEnd == next.expectedEnd)
    // It still ends so where the person logs in again before.
    let third = try Self.login("google", at: 16 * day, after: next)
    #expect((LoginForecast(third, now: 22 * day) != nil) == isExpected)
    let elsewhere = try Self.login("microsoft", at: 10 * day, after: first)
    #expect(elsewhere.expectedEnd == nil)
  }

  /// Microsoft ends a login that is not used for 90 days.
  @Test func loginsThatAreNotUsed() throws {
    let day: Int64 = 86_400
    for server in ["microsoft", "microsoft/contoso"] {
      let grant = try Self.login(server, at: 0)
      #expect(LoginForecast(grant, now: 79 * day) == nil)
      #expect(LoginForecast(grant, now: 81 * day) == .unused(since: 0, ends: 90 * day))
      #expect(LoginForecast(grant, now: 91 * day) == nil)
    }
    #expect(LoginForecast(try Self.login("google", at: 0), now: 81 * day) == nil)
  }

  private static func use(
    _ grant: Grant,
    at now: Int64,
    refused: String? = nil,
    clientID: String? = "id",
    hosts: [String] = ["imap.a.example"],
    server: String = "google"
  ) -> GrantUse {
    GrantUse(
      grant,
      for: Grant.Binding(server: Array(server.utf8), hosts: hosts.map { Array($0.utf8) }),
      clientID: clientID.map { Array($0.utf8) },
      refused: refused.map { Array($0.utf8) },
      now: now
    )
  }

  private static let token = [UInt8](ascii: "A")
  private static let refresh = [UInt8](ascii: "R")

  @Test func tokensAreRenewedFiveMinutesBeforeTheirEnd() throws {
    let grant = try Self.grant()
    let usual = GrantUse.refresh(token: Self.refresh, orElse: nil, isAfterRefusal: false)
    let early = GrantUse.refresh(token: Self.refresh, orElse: Self.token, isAfterRefusal: false)
    #expect(Self.use(grant, at: 1_000_000) == .use(Self.token))
    #expect(Self.use(grant, at: 1_003_299) == .use(Self.token))
    #expect(Self.use(grant, at: 1_003_300) == early)
    #expect(Self.use(grant, at: 1_003_569) == early)
    #expect(Self.use(grant, at: 1_003_570) == usual)
    #expect(Self.use(grant, at: 2_000_000) == usual)
    // The clock was set back: nothing is known of the end.
    #expect(Self.use(grant, at: 999_699) == usual)
    #expect(Self.use(grant, at: 999_700) == .use(Self.token))
  }

  @Test func shortTokensAreRenewedAtHalfTheirLife() throws {
    let grant = try Self.grant(lifetime: 2)
    #expect(Self.use(grant, at: 1_000_000) == .use(Self.token))
    #expect(
      Self.use(grant, at: 1_000_001)
        == .refresh(token: Self.refresh, orElse: nil, isAfterRefusal: false)
    )
  }

  @Test func withoutARefreshTokenItEndsWithTheAccessToken() throws {
    let grant = try Self.grant(refreshToken: "")
    #expect(Self.use(grant, at: 1_003_500) == .use(Self.token))
    #expect(Self.use(grant, at: 1_003_600) == .login(.noRefreshToken))
    #expect(Self.use(grant, at: 1_000_000, refused: "A") == .nothingBetter)
  }

  @Test func afterARefusalItIsRenewedOnceInTenMinutes() throws {
    var grant = try Self.grant()
    let forced = GrantUse.refresh(token: Self.refresh, orElse: nil, isAfterRefusal: true)
    #expect(Self.use(grant, at: 1_000_100, refused: "A") == forced)
    // Another program has renewed it already.
    #expect(Self.use(grant, at: 1_000_100, refused: "old") == .use(Self.token))
    let next = try Self.response(#"{"access_token":"B","token_type":"Bearer"}"#)
    grant.renew(with: next, now: 1_000_100, isAfterRefusal: true)
    #expect(grant.refreshToken == Self.refresh && grant.scope == [UInt8](ascii: "a b"))
    #expect(Self.use(grant, at: 1_000_339, refused: "A") == .use([0x42]))
    #expect(Self.use(grant, at: 1_000_339, refused: "B") == .nothingBetter)
    #expect(Self.use(grant, at: 1_000_340, refused: "B") == forced)
  }

  @Test func whatItIsNotForDoesNotGetIt() throws {
    var grant = try Self.grant()
    #expect(Self.use(grant, at: 1_000_000, server: "microsoft") == .login(.otherServer))
    #expect(Self.use(grant, at: 1_000_000, clientID: "other") == .login(.otherServer))
    #expect(Self.use(grant, at: 1_000_000, clientID: nil) == .use(Self.token))
    let evil = "imap.evil.example"
    #expect(
      Self.use(grant, at: 1_000_000, hosts: ["imap.a.example", evil])
        == .login(.otherHost(Array(evil.utf8)))
    )
    let error = OAuthError(code: [UInt8](ascii: "invalid_grant"), description: nil)
    grant.refuse(error, now: 1_000_005)
    grant.refuse(error, now: 1_000_005)
    #expect(Self.use(grant, at: 1_000_006) == .login(.ended(at: 1_000_005, error)))
    #expect(Self.use(grant, at: 1_000_006, refused: "A") == .login(.ended(at: 1_000_005, error)))
  }

  @Test func theFileComesBackAsItWas() throws {
    var grant = try Self.grant()
    #expect(try GrantFile.grant(GrantFile.octets(of: grant)) == grant)
    let next = try Self.response(
      #"{"access_token":"B%","token_type":"Bearer","refresh_token":"S~"}"#
    )
    grant.renew(with: next, now: 1_000_100, isAfterRefusal: true)
    let error = OAuthError(code: [UInt8](ascii: "x y"), description: [0, 10, 13, 37, 255])
    for now in [1_000_200, 1_000_500] as [Int64] {
      grant.refuse(error, now: now)
      let octets = GrantFile.octets(of: grant)
      #expect(try GrantFile.grant(octets) == grant)
      #expect(octets.allSatisfy { $0 == 10 || $0 >= 0x20 && $0 < 0x7F })
    }
    #expect(grant.state == .ended(at: 1_000_500, error))
  }

  /// Servers refuse good refresh tokens for a while: only the second refusal in a row ends a login.
  @Test func oneRefusalIsNotTheEnd() throws {
    let error = OAuthError(code: [UInt8](ascii: "invalid_grant"), description: nil)
    let request = GrantUse.refresh(token: Self.refresh, orElse: nil, isAfterRefusal: false)
    var grant = try Self.grant()
    grant.refuse(error, now: 1_003_400)
    // What is left of the access token is used meanwhile.
    #expect(Self.use(grant, at: 1_003_401) == .use(Self.token))
    #expect(Self.use(grant, at: 1_003_600) == .notYet(error, until: 1_003_640))
    #expect(Self.use(grant, at: 1_003_640) == request)
    // A clock that was set back does not make the pause longer.
    #expect(Self.use(grant, at: 900_000) == request)
    var renewed = grant
    renewed.renew(
      with: try Self.response(#"{"access_token":"B","token_type":"Bearer"}"#),
      now: 1_003_640,
      isAfterRefusal: false
    )
    #expect(renewed.state == .active && renewed.refreshToken == Self.refresh)
    grant.refuse(error, now: 1_003_640)
    #expect(Self.use(grant, at: 1_003_641) == .login(.ended(at: 1_003_640, error)))
  }

  /// A server that is busy says when to come back; at most an hour counts.
  @Test func aServerThatWantsAPauseGetsIt() throws {
    let request = GrantUse.refresh(token: Self.refresh, orElse: nil, isAfterRefusal: false)
    var grant = try Self.grant()
    grant.pause(seconds: 90, now: 1_003_600)
    #expect(Self.use(grant, at: 1_003_689) == .notYet(nil, until: 1_003_690))
    #expect(Self.use(grant, at: 1_003_690) == request)
    grant.pause(seconds: 1_000_000, now: 1_003_600)
    #expect(Self.use(grant, at: 1_007_200) == request)
    #expect(try GrantFile.grant(GrantFile.octets(of: grant)) == grant)
  }

  /// What is remembered of a login goes by its time.
  @Test func eachLoginHasATimeOfItsOwn() throws {
    let first = try Self.grant()
    for (now, time) in [(999_000, 1_000_001), (1_000_000, 1_000_001), (1_000_500, 1_000_500)] {
      let grant = Grant(
        try Self.response(#"{"access_token":"B","token_type":"Bearer","expires_in":60}"#),
        binding: Self.binding,
        client: first.client,
        tokenEndpoint: first.tokenEndpoint,
        revocationEndpoint: nil,
        after: first,
        now: Int64(now)
      )
      #expect(grant.loggedIn == Int64(time) && grant.access.issued == Int64(now))
    }
  }

  @Test func aClientIsKnownWhileItsTokenIsValid() throws {
    var grant = try Self.grant()
    for (now, isKnown) in [
      (999_999, false), (1_000_000, true), (1_003_599, true), (1_003_600, false),
    ] {
      #expect(grant.hasKnownClient(now: Int64(now)) == isKnown, "\(now)")
    }
    grant.refuse(
      OAuthError(code: [UInt8](ascii: "invalid_grant"), description: nil),
      now: 1_000_100
    )
    #expect(!grant.hasKnownClient(now: 1_000_200))
  }

  @Test func noPartAndNoChangeIsTakenForAnother() throws {
    let grant = try Self.grant()
    let octets = GrantFile.octets(of: grant)
    for end in octets.indices {
      #expect(throws: GrantFile.Problem.damaged) { try GrantFile.grant([UInt8](octets[..<end])) }
    }
    for place in octets.indices {
      for bit in 0..<8 {
        var changed = octets
        changed[place] ^= 1 << bit
        guard let read = try? GrantFile.grant(changed) else { continue }
        #expect(GrantFile.octets(of: read) == changed)
      }
    }
    let handedOver = GrantFile.octets(handedOver: grant)
    #expect(try GrantFile.content(handedOver) == .handedOver(loggedIn: 1_000_000))
    #expect(try GrantFile.content(octets) == .grant(grant))
    for end in handedOver.indices {
      #expect(throws: GrantFile.Problem.damaged) {
        try GrantFile.content([UInt8](handedOver[..<end]))
      }
    }
    let later = Array("magnum-oauth 2\nwhatever".utf8)
    #expect(throws: GrantFile.Problem.newer) { try GrantFile.grant(later) }
  }
}
