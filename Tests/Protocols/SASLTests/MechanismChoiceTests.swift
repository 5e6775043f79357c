import Login
import SASL
import TestSupport
import Testing
import Hashing

@Suite("choice of a mechanism")
struct MechanismChoiceTests {
  @Test(arguments: try Fixtures.load("Fixtures/choices.txt"))
  func choice(_ fixture: Fixture) throws {
    let words = fixture.body.split(separator: " ")
    let offered = fixture.lines("offered").flatMap { $0.split(separator: " ") }
    let credentials: Credentials =
      words[0] == "token" ? .token(user: [65], [66]) : .password(user: [65], [66])
    let result = choose(
      offered.map { Array($0.utf8) },
      credentials,
      words[1] != "plain",
      isBound: words[1] == "bound"
    )
    #expect(result == (try fixture.text("choice")))
  }

  /// Credentials, and the error that names the octet they must not hold.
  private static let refused: [(Credentials, String)] = [
    (.password(user: [65, 0], [66]), #"user: forbidden octet \x00"#),
    (.password(user: [65], [66, 0]), #"password: forbidden octet \x00"#),
    (.token(user: [65, 1], [66]), #"user: forbidden octet \x01"#),
    (.token(user: [65], [66, 10]), #"token: forbidden octet \x0A"#),
    (.token(user: [65], [66, 32, 67]), "token: forbidden octet  "),
  ]

  @Test("octets that would end a field early", arguments: refused)
  func forbidden(_ credentials: Credentials, _ error: String) {
    let all = ["PLAIN", "XOAUTH2", "OAUTHBEARER"].map { Array($0.utf8) }
    #expect(choose(all, credentials, true) == error)
  }

  @Test("controls in passwords are the user's own affair")
  func controlsInPassword() {
    #expect(choose([Array("PLAIN".utf8)], .password(user: [65], [1, 10, 127]), true) == "PLAIN")
  }

  @Test("credentials do not show their secret")
  func redaction() {
    let password = Credentials.password(user: Array("tim".utf8), Array("hush".utf8))
    let token = Credentials.token(user: Array("tim".utf8), Array("hush".utf8))
    #expect("\(password)" == "password of tim")
    #expect("\(token)" == "token of tim")
    #expect(String(reflecting: password) == "password of tim")
    var dumped = ""
    dump([password, token], to: &dumped)
    #expect(!dumped.contains("104") && !dumped.contains("hush"))
  }

  private func choose(
    _ offered: [[UInt8]],
    _ credentials: Credentials,
    _ isEncrypted: Bool,
    isBound: Bool = false
  ) -> String {
    do throws(SASLError) {
      var mechanism = try MechanismChoice.choose(
        offered: offered,
        credentials: credentials,
        isEncrypted: isEncrypted,
        binding: isBound ? ChannelBinding(type: Array("tls-exporter".utf8), data: [7]) : nil,
        host: "mail.example.org",
        port: 993,
        nonce: Hashes.random(18),
        cryptography: .openSSL
      )
      let name = String(decoding: mechanism.name, as: UTF8.self)
      guard name.hasPrefix("SCRAM"), isBound else { return name }
      let flag = (mechanism.initialResponse() ?? []).split(separator: 44)[0]
      return name + " " + String(decoding: flag, as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }
}
