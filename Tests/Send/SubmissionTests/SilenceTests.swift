import Configuration
import Login
import Platform
import Submission
import TestSupport
import Testing

/// What connects to a server, with an account that has neither user nor password.
func dialer(
  to server: ScriptedServer,
  stepLimit: Int? = nil,
  budget: WaitBudget? = nil
) throws -> SubmissionDialer {
  let place = try TempDirectory()
  let file = try place.write(
    "[account.work]\nsmtp = \"smtp+plain://127.0.0.1:\(server.port)\"\n",
    to: "config.toml",
    mode: 0o600
  )
  let sender = try #require(try Configuration.load(explicit: Path(file)).senders.first)
  return SubmissionDialer(
    sender,
    secrets: SecretKeeper(sender.secret, interruption: Interruption()),
    interruption: Interruption(),
    stepLimit: stepLimit,
    budget: budget
  )
}

/// What a server says between two messages.
@Suite struct SilenceTests {
  /// It would be taken for the reply to the next MAIL, and the reply to that for one to a recipient.
  @Test(arguments: ["250 2.0.0 late", "451 4.4.2 idle for too long", "4"])
  func aConnectionOnWhichAnythingCameIsNotUsedAgain(_ late: String) throws {
    let server = try ScriptedServer(greeting: [.lines("220 x")]) { _ in
      [.lines("250 x"), .pause(0.2), .lines(late)]
    }
    let connection = try dialer(to: server).connect()
    #expect(Stopwatch.wait(upTo: 10) { !connection.isUsable() })
    connection.close()
  }

  @Test func aConnectionThatHasEndedIsNotUsedAgain() throws {
    let server = try ScriptedServer(greeting: [.lines("220 x")]) { _ in
      [.lines("250 x"), .pause(0.2), .close]
    }
    let connection = try dialer(to: server).connect()
    #expect(Stopwatch.wait(upTo: 10) { !connection.isUsable() })
    connection.close()
  }

  @Test func aConnectionOnWhichNothingCameIsUsedAgain() throws {
    let server = try ScriptedServer(greeting: [.lines("220 x")]) { request in
      request.tag == "EHLO" ? [.lines("250 x")] : [.lines("221 bye"), .close]
    }
    let connection = try dialer(to: server).connect()
    for _ in 1...3 {
      Stopwatch.sleep(0.05)
      #expect(connection.isUsable())
    }
    connection.close()
  }
}
