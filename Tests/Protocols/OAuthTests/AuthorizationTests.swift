import OAuth
import Octets
import TestSupport
import Testing
import Hashing
import Web

/// The address for the browser, and what comes back.
@Suite struct AuthorizationTests {
  private static func request(
    isAlwaysNamed: Bool = false,
    host: RedirectHost = .address,
    hint: [UInt8]? = nil,
    randomness: [UInt8] = [UInt8](repeating: 0, count: 64)
  ) throws -> AuthorizationRequest {
    var endpoints = OAuthEndpoints(issuer: [UInt8](ascii: "https://as.example"))
    endpoints.namesIssuer = isAlwaysNamed
    return AuthorizationRequest(
      to: try WebAddress([UInt8](ascii: "https://as.example/auth?x=1")),
      of: endpoints,
      client: AuthorizationRequest.Client(identifier: [UInt8](ascii: "id"), secret: [1]),
      scopes: [[UInt8](ascii: "https://mail.example/"), [UInt8](ascii: "b")],
      loginHint: hint,
      redirect: RedirectAddress(host, port: 8123),
      more: OAuthProvider.google.extraParameters,
      randomness: AuthorizationRequest.Randomness(randomness),
      sha256: { Hashes.sha256($0) }
    )
  }

  /// The example of RFC 7636, appendix B.
  @Test func theChallengeIsThatOfTheStandard() throws {
    let verifier: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
      105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ]
    let request = try Self.request(randomness: [UInt8](repeating: 255, count: 32) + verifier)
    #expect(request.verifier == [UInt8](ascii: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    let text = String(decoding: request.address.octets, as: UTF8.self)
    #expect(text.contains("code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&"))
    #expect(request.state == [UInt8](repeating: UInt8(ascii: "_"), count: 42) + [0x38])
  }

  @Test func theAddressSaysAllThatIsNeeded() throws {
    let request = try Self.request(host: .localhost, hint: [UInt8](ascii: "me+x@a.example"))
    let state = String(repeating: "A", count: 43)
    #expect(
      String(decoding: request.address.octets, as: UTF8.self)
        == "https://as.example/auth?x=1&response_type=code&client_id=id"
        + "&redirect_uri=http%3A%2F%2Flocalhost%3A8123%2F&scope=https%3A%2F%2Fmail.example%2F%20b"
        + "&state=\(state)&code_challenge=DwBzhbb51LfusnSGBa_hqYSgo7-j8BTQnip4TOnlzRo"
        + "&code_challenge_method=S256&login_hint=me%2Bx%40a.example&access_type=offline"
    )
  }

  @Test(arguments: try Fixtures.load("Fixtures/redirects.txt"))
  func redirects(_ fixture: Fixture) throws {
    let request = try Self.request(isAlwaysNamed: fixture.has("always"))
    let octets = Self.withState(try fixture.wire() + [13, 10], request)
    #expect(Self.text(request.answer(toRequest: octets)) == fixture["is"])
    #expect(AuthorizationRequest.isComplete(octets))
    for end in octets.indices {
      let part = [UInt8](octets[..<end])
      #expect(!AuthorizationRequest.isComplete(part))
      #expect(request.answer(toRequest: part) == .malformed(.notHTTP))
    }
  }

  /// No change of one octet makes an answer of it that ends the wait with another code but by changing the code or its name.
  @Test func changedRequestsAreRefused() throws {
    let request = try Self.request(isAlwaysNamed: true)
    let text =
      "GET /?code=C&state=STATE&iss=https://as.example HTTP/1.1\r\nHost: 127.0.0.1:8123\r\n\r\n"
    let octets = Self.withState(Array(text.utf8), request)
    let code = try #require(octets.firstRange(of: Array("code=C".utf8)))
    for place in octets.indices where !code.contains(place) {
      for octet in UInt8.min...UInt8.max where octet != octets[place] {
        var changed = octets
        changed[place] = octet
        let answer = request.answer(toRequest: changed)
        if case .code(let found) = answer { #expect(found.first == 0x43) }
        if octet == 0x7A, octets[place] != 0x2E { #expect(answer != .code([0x43])) }
      }
    }
    let long = Array("GET /".utf8) + [UInt8](repeating: 0x61, count: 9000)
    #expect(request.answer(toRequest: long) == .malformed(.tooLong))
  }

  @Test(arguments: [
    (" http://127.0.0.1:8123/?code=C&state=STATE\r\n", "code C"),
    ("http://127.0.0.1:8123/?code=C&state=STATE#x", "code C"),
    ("http://127.0.0.1:8123/?error=access_denied&state=STATE", "refused access_denied"),
    ("http://127.0.0.1:8123/?code=C&state=STATE&iss=https://evil.example", "otherIssuer"),
    ("http://127.0.0.1:8123/?code=C&state=x", "malformed otherState"),
    ("http://127.0.0.1:8124/?code=C&state=STATE", "malformed otherAddress"),
    ("http://127.0.0.1:8123", "malformed otherAddress"),
    ("http://127.0.0.1:81234/?code=C&state=STATE", "malformed otherAddress"),
    ("https://127.0.0.1:8123/?code=C&state=STATE", "malformed otherAddress"),
    ("http://127.0.0.1:8123/x?code=C&state=STATE", "malformed otherAddress"),
    ("127.0.0.1:8123/?code=C&state=STATE", "code C"),
    ("<http://127.0.0.1:8123/?code=C&state=STATE>", "code C"),
    ("'http://127.0.0.1:8123/?code=C&state=STATE'", "code C"),
    ("\"http://127.0.0.1:8123/?code=C&state=STATE\"", "code C"),
    ("/?code=C&state=STATE", "code C"),
    ("?code=C&state=STATE", "code C"),
    ("code=C&state=STATE", "code C"),
    ("code=C&state=x", "malformed otherState"),
    ("code=C", "malformed otherAddress"),
    ("127.0.0.1:8124/?code=C&state=STATE", "malformed otherAddress"),
    ("<>", "malformed otherAddress"),
    ("C", "malformed otherAddress"), ("", "malformed otherAddress"),
  ])
  func pastedAddresses(text: String, answer: String) throws {
    let request = try Self.request()
    let octets = Self.withState(Array(text.utf8), request)
    #expect(Self.text(request.answer(toPasted: octets)) == answer)
  }

  @Test func everyProviderHasItsEndpoints() {
    for provider in OAuthProvider.allCases {
      let endpoints = provider.endpoints()
      #expect(endpoints.authorization != nil && endpoints.token != nil, "\(provider)")
      #expect(!provider.scopes.isEmpty && provider.scopes.allSatisfy { Scopes.isScope($0) })
    }
    let microsoft = OAuthProvider.microsoft.endpoints(tenant: [UInt8](ascii: "abc"))
    #expect(
      microsoft.device?.octets
        == [UInt8](ascii: "https://login.microsoftonline.com/abc/oauth2/v2.0/devicecode")
    )
  }

  @Test func scopesThatAreMissing() {
    let wanted = ["https://Mail/a", "b", "offline_access"].map { Array($0.utf8) }
    #expect(Scopes.missing(wanted, granted: nil).isEmpty)
    #expect(Scopes.missing(wanted, granted: [UInt8](ascii: "b https://mail/A")).isEmpty)
    #expect(Scopes.missing(wanted, granted: [UInt8](ascii: "bb")) == [wanted[0], wanted[1]])
  }

  /// The octets with the state of the request in place of STATE.
  private static func withState(
    _ octets: [UInt8],
    _ request: AuthorizationRequest
  ) -> [UInt8] {
    var result = octets
    while let range = result.firstRange(of: Array("state=STATE".utf8)) {
      result.replaceSubrange(range, with: Array("state=".utf8) + request.state)
    }
    while let range = result.firstRange(of: Array("state=STAT".utf8)) {
      result.replaceSubrange(range, with: Array("state=".utf8) + request.state.dropLast())
    }
    return result
  }

  private static func text(_ answer: RedirectAnswer) -> String {
    switch answer {
    case .code(let code): "code \(String(decoding: code, as: UTF8.self))"
    case .refused(let error): "refused \(error.text)"
    case .otherIssuer: "otherIssuer"
    case .otherPath: "otherPath"
    case .malformed(let fault): "malformed \(fault)"
    }
  }
}
