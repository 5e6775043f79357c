import IMAP
import MailStore
import Testing

@testable import IMAPStore

@Suite("What a server did wrong, told without IMAP")
struct ProtocolViolationTests {
  @Test(arguments: [
    (Problem.noGreeting, "noGreeting", true), (.malformed, "malformed", false),
    (.lineTooLong(limit: 8), "lineTooLong(limit: 8)", false),
    (.missingReply, "missingReply", false),
  ])
  func facts(_ problem: Problem, _ rule: String, _ isOther: Bool) {
    let violation = ProtocolViolation(
      ProtocolError(problem, line: [UInt8](repeating: 42, count: 300))
    )
    #expect(violation.rule == rule && violation.isOtherProtocol == isOther)
    #expect(violation.line.count == 200)
  }
}
