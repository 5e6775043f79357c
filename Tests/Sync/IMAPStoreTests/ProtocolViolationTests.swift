import IMAP
import MailStore
import Testing

@testable import IMAPStore

@Suite("What a server did wrong, told without IMAP")
struct ProtocolViolationTests {
  @Test(arguments: [
    (Problem.noGreeting, "this is not an IMAP server", true),
    (.malformed, "a response that cannot be understood", false),
    (.lineTooLong(limit: 8), "a response of more than 8 octets", false),
    (
      .literalTooLarge(size: 4_294_967_295, limit: 8),
      "a literal of 4294967295 octets where 8 are the limit", false
    ),
    (.listTooLong(limit: 8), "a list of more than 8 elements", false),
    (.dataBeforeTLS, "it sent more before TLS had begun, as in an attack", false),
    (.missingReply, "a command got no reply", false),
  ])
  func facts(_ problem: Problem, _ rule: String, _ isOther: Bool) {
    let violation = ProtocolViolation(
      ProtocolError(problem, line: [UInt8](repeating: 42, count: 300))
    )
    #expect(violation.rule == rule && violation.isOtherProtocol == isOther)
    #expect(violation.line.count == 200)
  }
}
