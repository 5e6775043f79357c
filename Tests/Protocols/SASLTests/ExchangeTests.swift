import Login
import Octets
import SASL
import TestSupport
import Testing

@Suite("exchanges")
struct ExchangeTests {
  @Test(arguments: try Fixtures.load("Fixtures/exchanges.txt"))
  func exchange(_ fixture: Fixture) throws {
    var mechanism = try mechanism(fixture.body.split(separator: " ").map { "\($0)" })
    var lines = try fixture.lines("exchange").map(Line.init)[...]
    if let first = lines.first, first.isOurs {
      #expect(mechanism.initialResponse() == first.octets)
      lines.removeFirst()
    }
    #expect(end(of: &mechanism, &lines) == (try fixture.text("end")))
    #expect(lines.isEmpty)
    let error = mechanism.serverError.map { String(decoding: $0, as: UTF8.self) }
    #expect(error == fixture["server error"])
  }

  /// Plays the rest of the exchange; what the fixture calls its end.
  private func end(of mechanism: inout any Mechanism, _ lines: inout ArraySlice<Line>) -> String {
    while let challenge = lines.popFirst() {
      do throws(SASLError) {
        let response = try mechanism.respond(to: challenge.octets)
        #expect(response == lines.popFirst()?.octets)
      } catch {
        #expect(!mechanism.isServerVerified || !mechanism.name.starts(with: "SCRAM".utf8))
        return "\(error)"
      }
    }
    return mechanism.isServerVerified ? "verified" : "open"
  }

  private func mechanism(_ words: [String]) throws -> any Mechanism {
    let (user, secret) = (Array(words[1].utf8), Array(words[2].utf8))
    let result: any Mechanism
    switch words[0] {
    case "PLAIN": result = Plain(user: user, password: secret)
    case "EXTERNAL": result = External(authorization: words[1] == "-" ? [] : user)
    case "LOGIN": result = Login(user: user, password: secret)
    case let name where name.hasPrefix("SCRAM-"):
      let nonce = try #require(Base64.decode(Array(words[3].utf8)))
      result = Scram(
        user: user,
        password: secret,
        nonce: nonce,
        hash: name.hasPrefix("SCRAM-SHA-256") ? .sha256 : .sha1,
        binding: words.count > 4 ? binding(words[4]) : .none,
        cryptography: .openSSL
      )
    case "XOAUTH2": result = XOAuth2(user: user, token: secret)
    default:
      let port = words.count > 4 ? try #require(UInt16(words[4])) : 0
      let host = words.count > 3 ? words[3] : ""
      result = OAuthBearer(user: user, token: secret, host: host, port: port)
    }
    try #require(result.name == Array(words[0].utf8))
    return result
  }

  /// A flag, or a type of channel binding whose data is sixteen octets.
  private func binding(_ word: String) -> ScramBinding {
    word == "y"
      ? .notOffered
      : .bound(ChannelBinding(type: Array(word.utf8), data: (0..<16).map { UInt8($0) }))
  }

  /// One line of an exchange.
  private struct Line {
    let isOurs: Bool
    let octets: [UInt8]

    init(_ text: String) throws {
      try #require(text.hasPrefix("C:") || text.hasPrefix("S:"))
      isOurs = text.hasPrefix("C:")
      octets = try Fixtures.unescape(
        String(text.dropFirst(text.hasPrefix("C: ") || text.hasPrefix("S: ") ? 3 : 2))
      )
    }
  }

  @Test("PLAIN with another authorization identity")
  func authorization() {
    var plain = Plain(user: [1], password: [2], authorization: [3])
    #expect(plain.initialResponse() == [3, 0, 1, 0, 2])
  }

  @Test("LOGIN lets the server speak first")
  func loginWaits() {
    var login = Login(user: [1], password: [2])
    #expect(login.initialResponse() == nil)
  }

  @Test("a failed SCRAM cannot be taken up again")
  func failedScram() {
    var scram = Scram(
      user: [1],
      password: [2],
      nonce: [3],
      hash: .sha256,
      cryptography: .openSSL
    )
    _ = scram.initialResponse()
    #expect(throws: SASLError.malformedChallenge(mechanism: scram.name, part: "nonce")) {
      try scram.respond(to: Array("x".utf8))
    }
    #expect(throws: SASLError.unexpectedChallenge(mechanism: scram.name)) {
      try scram.respond(to: Array("v=".utf8))
    }
  }
}
