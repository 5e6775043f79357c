import Octets
import SASL
import SMTP
import TestSupport
import Testing

/// Plays the client's part of AUTH with a mechanism; returns what was sent for each reply.
private func exchange(_ mechanism: any Mechanism, _ replies: [String]) throws -> [String] {
  var mechanism = mechanism
  var session = SMTPSession()
  _ = try session.receive([UInt8](ascii: "220 x\r\n")[...])
  session.send(
    .authenticate(mechanism: mechanism.name, initialResponse: mechanism.initialResponse())
  )
  var sent = [session.takeOutgoing()]
  for reply in replies {
    for event in try session.receive([UInt8]("\(reply)\r\n".utf8)[...]) {
      if case .challenge(let challenge) = event {
        session.respond(try mechanism.respond(to: challenge))
      }
    }
    sent.append(session.takeOutgoing())
  }
  return sent.map { Printable.text($0) }
}

private let fritz = [UInt8](ascii: "fritz")

@Test func plain() throws {
  let plain = Plain(user: fritz, password: [UInt8](ascii: "secret"))
  let sent = try exchange(plain, ["235 ok"])
  #expect(sent == ["AUTH PLAIN AGZyaXR6AHNlY3JldA==\\x0D\\x0A", ""])
}

@Test func login() throws {
  let login = Login(user: fritz, password: [UInt8](ascii: "secret"))
  let sent = try exchange(login, ["334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6", "235 ok"])
  #expect(
    sent == ["AUTH LOGIN", "ZnJpdHo=", "c2VjcmV0", ""].map { $0.isEmpty ? $0 : "\($0)\\x0D\\x0A" }
  )
}

/// RFC 7628 §3.2.3: the error is acknowledged before the server refuses.
@Test func refusedToken() throws {
  let bearer = OAuthBearer(user: fritz, token: [UInt8](ascii: "t"), host: "h", port: 587)
  let sent = try exchange(bearer, ["334 eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIn0=", "535 5.7.8 no"])
  #expect(sent.dropFirst() == ["AQ==\\x0D\\x0A", ""])
}

/// The longest line that a server must take has 512 octets, its end included.
@Test func longPassword() throws {
  for (count, isInline) in [(372, true), (373, false), (376, false)] {
    let password = [UInt8](repeating: 0x70, count: count - 3)
    let replies = isInline ? ["235 ok"] : ["334", "235 ok"]
    let sent = try exchange(Plain(user: [0x75], password: password), replies)
    #expect(sent.first?.hasPrefix("AUTH PLAIN ") == isInline)
  }
}

/// A token that makes the line too long for a server goes behind its first challenge.
@Test(arguments: [200, 339, 340, 341, 342, 343, 344, 3000])
func longToken(_ count: Int) throws {
  let user = [UInt8](ascii: "u")
  let token = [UInt8](repeating: 0x74, count: count)
  var copy = XOAuth2(user: user, token: token)
  let response = String(decoding: Base64.encode(copy.initialResponse() ?? []), as: UTF8.self)
  let sent = try exchange(XOAuth2(user: user, token: token), ["334", "235 ok"])
  if "AUTH XOAUTH2 \(response)\r\n".utf8.count <= 512 {
    #expect(sent.first == "AUTH XOAUTH2 \(response)\\x0D\\x0A")
  } else {
    let shown = Printable.text([UInt8]("\(response)\r\n".utf8))
    #expect(sent == ["AUTH XOAUTH2\\x0D\\x0A", shown, ""])
  }
}
