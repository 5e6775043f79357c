import OAuth
import Octets
import TestSupport
import Testing
import Web

/// What servers answer: metadata, tokens, device codes, registrations.
@Suite struct ReplyTests {
  @Test(arguments: try Fixtures.load("Fixtures/replies.txt"))
  func tokens(_ fixture: Fixture) throws {
    let lines = fixture.lines()
    let numbers = lines[0].split(separator: " ").compactMap { Int64($0) }
    let reply = WebReply(
      status: Int(numbers[0]),
      retryAfter: numbers.dropFirst().first,
      body: Array(lines.dropFirst().joined(separator: "\n").utf8)
    )
    let text = Self.text { () throws(ReplyFailure) in try TokenResponse(reply) }
    let rest = (try? TokenResponse(reply)) == nil ? TokenResponse.refreshToken(in: reply) : nil
    #expect(text + (rest.map { ", but \(Self.text($0))" } ?? "") == fixture["is"])
  }

  /// Some servers repeat what they refuse, as Spring does; what is kept of the answer is cut, secrets are not.
  @Test(arguments: [40, 1500])
  func noTextRepeatsTheSecretsOfTheRequest(_ length: Int) throws {
    let token = [UInt8](repeating: UInt8(ascii: "t"), count: length)
    let client = AuthorizationRequest.Client(
      identifier: [UInt8](ascii: "app"),
      secret: [UInt8](ascii: "s3cret")
    )
    let request = WebRequest.post(
      .form(TokenRequest.form(refreshToken: token, client: client)),
      to: try WebAddress([UInt8](ascii: "https://as.example/token"))
    )
    let text = "Invalid refresh token: \(String(decoding: token, as: UTF8.self)) (s3cret of app)"
    let body = #"{"error":"invalid_grant","error_description":"\#(text)"}"#
    var reply = WebReply(status: 400, body: Array(body.utf8))
    reply.secrets = TokenRequest.secrets(in: request)
    let told = OAuthError(
      code: [UInt8](ascii: "invalid_grant"),
      description: Array("Invalid refresh token: … (… of app)".utf8)
    )
    #expect(throws: ReplyFailure.refused(told)) { try TokenResponse(reply) }
  }

  @Test(arguments: try Fixtures.load("Fixtures/metadata.txt"))
  func metadata(_ fixture: Fixture) throws {
    let issuer = [UInt8](ascii: "https://as.example/x")
    let text: String
    do throws(ServerMetadata.Problem) {
      let found = try ServerMetadata.endpoints(Array(fixture.body.utf8), issuer: issuer)
      let all = [
        found.authorization, found.token, found.device, found.revocation, found.registration,
      ]
      text =
        all.map { Self.text($0?.octets) }.joined(separator: " ")
        + (found.namesIssuer ? " iss" : "")
        + found.mailScopes.map { " scope " + Self.text($0) }.joined()
    } catch {
      text =
        switch error {
        case .notJSON: "notJSON"
        case .otherIssuer(let issuer): "otherIssuer \(Self.text(issuer))"
        case .badAddress(let member): "badAddress \(member)"
        case .missing(let member): "missing \(member)"
        }
    }
    #expect(text == fixture["is"])
  }

  @Test func metadataLiesWhereTheStandardsSay() throws {
    func addresses(_ issuer: String) throws -> [String] {
      ServerMetadata.addresses(of: try WebAddress(issuer.utf8)).map { Self.text($0.octets) }
    }
    #expect(
      try addresses("https://as.example") == [
        "https://as.example/.well-known/oauth-authorization-server",
        "https://as.example/.well-known/openid-configuration",
      ]
    )
    #expect(
      try addresses("https://as.example:99/x/") == [
        "https://as.example:99/.well-known/oauth-authorization-server/x",
        "https://as.example:99/x/.well-known/openid-configuration",
      ]
    )
  }

  @Test(arguments: try Fixtures.load("Fixtures/devices.txt"))
  func devices(_ fixture: Fixture) throws {
    let reply = WebReply(status: 200, body: Array(fixture.body.utf8))
    let text: String
    do throws(ReplyFailure) {
      let device = try DeviceAuthorization(reply)
      text =
        "\(Self.text(device.userCode)) \(Self.text(device.verification.octets)) "
        + "\(Self.text(device.completeVerification?.octets)) \(device.lifetime) \(device.interval)"
    } catch {
      text = Self.text(error)
    }
    #expect(text == fixture["is"])
  }

  @Test func registrations() throws {
    let reply = WebReply(
      status: 201,
      body: [UInt8](ascii: #"{"client_id":"id","client_secret":"s","client_id_issued_at":1}"#)
    )
    let client = try ClientRegistration.client(reply)
    #expect(client.identifier == [UInt8](ascii: "id") && client.secret == [UInt8](ascii: "s"))
    #expect(throws: ReplyFailure.malformed(member: "client_id")) {
      try ClientRegistration.client(WebReply(status: 201, body: [UInt8](ascii: "{}")))
    }
    let body = ClientRegistration.body(scopes: [[UInt8](ascii: "mail"), [UInt8](ascii: "x")])
    let text = String(decoding: body, as: UTF8.self)
    #expect(text.hasSuffix(#""token_endpoint_auth_method":"none","scope":"mail x"}"#))
  }

  /// Whatever a server answers is read or refused, each part of an answer and each with an octet changed.
  @Test func everyPartAndEveryChange() {
    let whole = [UInt8](
      ascii: #"{"access_token":"A","token_type":"Bearer","expires_in":9,"scope":"a"}"#
    )
    for end in whole.indices {
      let reply = WebReply(status: 200, body: [UInt8](whole[..<end]))
      #expect(throws: ReplyFailure.unexpected(status: 200)) { try TokenResponse(reply) }
    }
    for place in whole.indices {
      for octet in UInt8.min...UInt8.max {
        var body = whole
        body[place] = octet
        guard let token = try? TokenResponse(WebReply(status: 200, body: body)) else { continue }
        #expect(token.accessToken.allSatisfy { $0 > 0x20 && $0 < 0x7F } && token.lifetime > 0)
      }
    }
  }

  private static func text(_ octets: [UInt8]?) -> String {
    octets.map { String(decoding: $0, as: UTF8.self) } ?? "-"
  }

  private static func text(_ body: () throws(ReplyFailure) -> TokenResponse) -> String {
    do {
      let token = try body()
      let scope = token.scope.map { "[\(text($0))]" } ?? "-"
      return "\(text(token.accessToken)) \(token.lifetime) \(text(token.refreshToken)) \(scope)"
    } catch {
      return text(error)
    }
  }

  private static func text(_ failure: ReplyFailure) -> String {
    switch failure {
    case .refused(let error): "refused \(error.meaning) \(error.text)"
    case .notNow(let status, let pause): "notNow \(status) \(pause.map { "\($0)" } ?? "-")"
    case .unexpected(let status): "unexpected \(status)"
    case .malformed(let member): "malformed \(member)"
    }
  }
}
