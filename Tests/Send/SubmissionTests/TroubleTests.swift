import Configuration
import Login
import Platform
import Submission
import TestSupport
import Testing

/// What is said of a server that does not do what it should: where, what, for how long, and what to do.
@Suite struct TroubleTests {
  /// How a server behaves, with what is said of it; PORT is its port.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let greeting: [ScriptedServer.Action]
    let what: String
    let hint: String?

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "it is silent",
      greeting: [.stall],
      what: "no greeting from 127.0.0.1 port PORT within 1 s",
      hint: "check the port; where it speaks TLS from the start, write smtp = \"submissions://…\""
    ),
    Case(
      name: "it falls silent",
      greeting: [.send("220 x\r\n")],
      what: "no answer from 127.0.0.1 port PORT within 1 s",
      hint: nil
    ),
    Case(
      name: "it speaks another protocol",
      greeting: [.send("* OK IMAP4rev1 ready\r\n")],
      what: "this is not an SMTP server; its greeting: * OK IMAP4rev1 ready",
      hint: "check host and port in the configuration"
    ),
    Case(
      name: "it says nonsense later",
      greeting: [.send("220 x\r\nwhat?\r\n")],
      what: "the server broke the protocol: no reply begins like this: what?",
      hint: "magnum accounts test --trace shows the conversation"
    ),
  ]

  @Test(arguments: cases)
  func whatIsWrongIsNamed(_ example: Case) throws {
    let server = try ScriptedServer(greeting: example.greeting) { _ in [.stall] }
    let client = try dialer(to: server, stepLimit: 1)
    do throws(SubmissionFailure) {
      try client.connect().close()
      Issue.record("connected")
    } catch {
      let words = FailureText.words(error)
      #expect(words.what == example.what.replacing("PORT", with: "\(server.port)"))
      #expect(words.hint == example.hint)
    }
  }
}
