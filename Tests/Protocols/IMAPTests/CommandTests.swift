import IMAP
import MailModel
import TestSupport
import Testing

/// A session past its greeting, with these capabilities.
func greetedSession(_ capabilities: String? = nil, limits: Limits = .standard) throws -> Session {
  var session = Session(limits: limits)
  let code = capabilities.map { "[CAPABILITY \($0)] " } ?? ""
  _ = try session.receive([UInt8]("* OK \(code)hello\r\n".utf8)[...])
  return session
}

@Test(arguments: try Fixtures.load("Fixtures/commands.txt"))
func command(_ fixture: Fixture) throws {
  var session = try greetedSession(fixture["capabilities"])
  _ = session.send(try CommandText.parse(fixture.body))
  var expected = try fixture.wire("wire")
  for part in ["then", "then then"] where fixture.has(part) {
    #expect(feedAndTake(&session) == expected)
    #expect(session.takeOutgoing().isEmpty)
    #expect(try session.receive([UInt8]("+ go\r\n".utf8)[...]).isEmpty)
    expected = try fixture.wire(part)
  }
  let sent = feedAndTake(&session)
  #expect(sent == expected, "\(CommandText.text(sent))")
}

/// What may go on the wire, messages and all; these are made of "x".
private func feedAndTake(_ session: inout Session) -> [UInt8] {
  while let literal = session.wantedLiteral {
    session.feedLiteral([UInt8](repeating: 0x78, count: Int(literal.remaining))[...])
  }
  return session.takeOutgoing()
}

/// LITERAL- ends at 4096 octets (RFC 7888 §5).
@Test(arguments: [(4096, true), (4097, false)])
func longLiteralsWaitWithLiteralMinus(_ count: Int, _ isSentAtOnce: Bool) throws {
  var session = try greetedSession("LITERAL-")
  _ = session.send(.status(MailboxName(wire: [UInt8](repeating: 0xFF, count: count)), [.messages]))
  #expect((session.takeOutgoing().count > count) == isSentAtOnce)
}
