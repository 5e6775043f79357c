import TestSupport

/// A server that has a habit on some of its connections, and the program.
final class EarlyLoginScene {
  let server: FakeMailServer
  let program: ProgramUnderTest
  private let front: TLSFront?

  /// `greetings` are by the number of the connection.
  ///
  /// Behind TLS the program has a certificate to check.
  init(
    _ greetings: [Int: [ScriptedServer.Action]],
    isBehindTLS: Bool = false,
    secret: String = "password = \"pass\"",
    setting: String = "",
    override: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]? = { _ in
      nil
    }
  ) throws {
    var inbox = FakeMailServer.Mailbox("INBOX", [.init(1, "Subject: one\r\n\r\ntext\r\n")])
    inbox.modSequence = 7
    server = try FakeMailServer(
      [inbox],
      capabilities: EarlyLoginTests.capabilities,
      greetings: greetings,
      override: override
    )
    front = isBehindTLS ? try TLSFront(to: server.port) : nil
    program = try ProgramUnderTest()
    let trust = front.map { "tls-ca-file = \"\($0.trustFile)\"\n" } ?? ""
    try program.configure(
      at: front?.url ?? server.clearURL,
      secret: secret,
      "\(trust)\(setting)\n[account.test.sync]\ndirection = \"pull\""
    )
  }

  /// Runs, and gives the status and the number of connections that it took.
  func run(
    _ words: [String] = [],
    _ variables: [String: String] = [:]
  ) throws -> (status: Int32, connections: Int) {
    let before = server.connectionCount
    let outcome = try program.command(["-v"] + words, variables).run()
    return (outcome.code, server.connectionCount - before)
  }

  var memory: String {
    Files.text(program.home[".local/state/magnum/accounts/test/server"]) ?? ""
  }

  var earlyInputs: Int { server.requests.count { $0 == "early input" } }
  var logins: Int { server.requests.count { $0.hasPrefix("AUTHENTICATE") } }
}
