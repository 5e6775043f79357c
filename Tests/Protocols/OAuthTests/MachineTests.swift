import OAuth
import Octets
import TestSupport
import Testing
import Web

/// Accounts without a person: what their clients state, and when a token is got.
@Suite struct MachineTests {
  private static let start: Int64 = 1_000_000

  private static func kept(_ words: [Substring]) throws -> GrantFile.Content? {
    switch words[0] {
    case "token":
      let body =
        #"{"access_token":"A","token_type":"Bearer","refresh_token":"R","expires_in":\#(words[1])}"#
      let response = try TokenResponse(WebReply(status: 200, body: Array(body.utf8)))
        .withoutRefreshToken
      var grant = Grant(
        response,
        binding: binding("s", "h"),
        client: AuthorizationRequest.Client(identifier: [UInt8](ascii: "id"), secret: nil),
        tokenEndpoint: try WebAddress([UInt8](ascii: "https://as.example/token")),
        revocationEndpoint: nil,
        now: start
      )
      if words.contains("renewed") { grant.renew(with: response, now: start, isAfterRefusal: true) }
      if words.contains("paused") {
        grant.pause(seconds: Int64(words[3]) ?? 0, now: start)
      }
      #expect(grant.refreshToken == nil)
      return .grant(grant)
    case "refused":
      let first = refusal(after: nil)
      return .refused(words.count == 1 ? first : refusal(after: .refused(first)))
    default: return nil
    }
  }

  private static func refusal(after kept: GrantFile.Content?) -> MachineRefusal {
    MachineRefusal(
      OAuthError(code: [UInt8](ascii: "invalid_client"), description: [UInt8](ascii: "who?")),
      for: [UInt8](ascii: "s"),
      key: [UInt8](ascii: "k"),
      after: kept,
      now: start
    )
  }

  private static func binding(_ server: String, _ host: String) -> Grant.Binding {
    Grant.Binding(server: Array(server.utf8), hosts: [Array(host.utf8)])
  }

  @Test(arguments: try Fixtures.load("Fixtures/machines.txt"))
  func uses(_ fixture: Fixture) throws {
    var kept = try Self.kept(fixture.body.split(separator: " "))
    // A pause holds from then on, an hour at most.
    let now = Self.start + (Int64(fixture["at"] ?? "0") ?? 0)
    kept = try kept.map { try GrantFile.content(Self.octets($0)) }
    let other = fixture["for"]
    let use = MachineUse(
      kept,
      for: Self.binding(other == "server" ? "t" : "s", other == "host" ? "i" : "h"),
      key: Array((other == "key" ? "l" : "k").utf8),
      refused: fixture.has("refused") ? [UInt8](ascii: "A") : nil,
      now: now
    )
    #expect(Self.text(use) == fixture["is"])
  }

  private static func octets(_ content: GrantFile.Content) -> [UInt8] {
    switch content {
    case .grant(let grant): GrantFile.octets(of: grant)
    case .refused(let refusal): GrantFile.octets(of: refusal)
    case .handedOver: []
    }
  }

  private static func text(_ use: MachineUse) -> String {
    switch use {
    case .use: "use"
    case .get(nil, false): "get"
    case .get(nil, true): "get after a refusal"
    case .get: "get, or use"
    case .nothingBetter: "nothing better"
    case .refused(let error):
      error.text == "invalid_client: who?" ? "refused" : "refused: \(error.text)"
    case .notYet(let until): "not before \(until - start)"
    }
  }

  @Test func aCutRefusalIsNone() {
    let octets = GrantFile.octets(of: Self.refusal(after: nil))
    for end in octets.indices.dropFirst(22) {
      #expect(throws: GrantFile.Problem.damaged) { try GrantFile.content([UInt8](octets[..<end])) }
    }
  }

  /// Header and claims as the RFCs have them; the identifier is given, nothing else is random.
  @Test(arguments: [false, true]) func statements(isAboutUser: Bool) throws {
    let assertion = ClientAssertion(
      issuer: [UInt8](ascii: "app"),
      subject: [UInt8](ascii: isAboutUser ? "me@a.example" : "app"),
      audience: [UInt8](ascii: "https://as.example/token"),
      scopes: isAboutUser ? [[UInt8](ascii: "a"), [UInt8](ascii: "b")] : [],
      signer: ClientAssertion.Signer(
        algorithm: isAboutUser ? .rs256 : .es256,
        keyID: isAboutUser ? [UInt8](ascii: "k\"1") : nil,
        sha1: isAboutUser ? nil : [0xfb, 0xff],
        sha256: isAboutUser ? nil : [1]
      ),
      identifier: [0, 1, 2],
      now: 1_000_060
    )
    let parts = assertion.signed(with: [0xff, 0xfe]).split(separator: UInt8(ascii: "."))
    try #require(parts.count == 3)
    #expect(parts[2].elementsEqual("__4".utf8))
    let header =
      isAboutUser
      ? #"{"alg":"RS256","typ":"JWT","kid":"k\"1"}"#
      : #"{"alg":"ES256","typ":"JWT","x5t":"-_8","x5t#S256":"AQ"}"#
    let claims =
      #"{"iss":"app","sub":"\#(isAboutUser ? "me@a.example" : "app")","aud":"https://as.example/token","#
      + #""jti":"AAEC","iat":1000000,"nbf":1000000,"exp":1000300"#
      + (isAboutUser ? #","scope":"a b"}"# : "}")
    #expect(Self.decoded(parts[0]) == header && Self.decoded(parts[1]) == claims)
  }

  private static func decoded(_ part: ArraySlice<UInt8>) -> String {
    let padded = part.map { octet -> UInt8 in
      switch octet {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: octet
      }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - padded.count % 4) % 4)
    return Base64.decode(padded + padding).map { String(decoding: $0, as: UTF8.self) } ?? "?"
  }
}
