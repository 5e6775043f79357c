import TestSupport
import Testing

/// Log-ins by EXTERNAL at servers that follow a script: what is sent, and what comes of it.
@Suite struct ExternalLoginTests {
  /// One case.
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    /// The mechanisms that the server offers.
    let offered: [String]
    /// The lines of the account, `smtp-` before the names where it is for sending.
    let lines: [String]
    var isRefused = false
    /// What is sent; nil where no log-in is tried.
    let sent: String?
    let status: Int32
  }

  private static let certificate = [
    "tls-client-certificate = '~/me.pem'", "tls-client-key = '~/me.key'",
  ]

  private static let cases = [
    Case(
      description: "offered",
      offered: ["EXTERNAL", "PLAIN"],
      lines: certificate,
      sent: "EXTERNAL =",
      status: 0
    ),
    Case(
      description: "a name is written",
      offered: ["PLAIN", "EXTERNAL"],
      lines: certificate + ["user = 'box'"],
      sent: "EXTERNAL Ym94",
      status: 0
    ),
    Case(
      description: "before a password",
      offered: ["PLAIN", "SCRAM-SHA-256", "EXTERNAL"],
      lines: certificate + ["user = 'box'", "password = 'word'"],
      sent: "EXTERNAL Ym94",
      status: 0
    ),
    Case(
      description: "not offered, and a password",
      offered: ["PLAIN"],
      lines: certificate + ["user = 'box'", "password = 'word'"],
      sent: "PLAIN AGJveAB3b3Jk",
      status: 0
    ),
    Case(
      description: "not offered, and nothing else",
      offered: ["PLAIN"],
      lines: certificate,
      sent: nil,
      status: 69
    ),
    Case(
      description: "refused",
      offered: ["EXTERNAL"],
      lines: certificate,
      isRefused: true,
      sent: "EXTERNAL =",
      status: 77
    ),
    Case(
      description: "without a certificate",
      offered: ["EXTERNAL", "PLAIN"],
      lines: ["user = 'box'", "password = 'word'"],
      sent: "PLAIN AGJveAB3b3Jk",
      status: 0
    ),
  ]

  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest("magnum")
    try ClientFiles.make(in: program.home.path, name: "me")
  }

  private func test(_ lines: [String]) throws -> Outcome {
    let text = (["[account.work]"] + lines).joined(separator: "\n")
    try program.configure(text.replacing("'~", with: "'\(program.home.path)"))
    return try program.run("accounts", "test")
  }

  @Test(arguments: cases) func reading(_ row: Case) throws {
    let words = row.offered.map { "AUTH=\($0)" }.joined(separator: " ")
    let server = try FakeMailServer([.init("INBOX")], capabilities: "IMAP4rev1 SASL-IR \(words)") {
      $0.name == "AUTHENTICATE" && row.isRefused
        ? [.lines("{tag} NO [AUTHENTICATIONFAILED] unknown certificate")] : nil
    }
    let front = try TLSFront(to: server.port)
    let lines = [
      "maildir = '~/Mail'", "imap = '\(front.url)'", "tls-ca-file = '\(front.trustFile)'",
    ]
    let tested = try test(lines + row.lines)
    #expect(tested.code == row.status, "\(tested)")
    let sent = server.requests.filter { $0.contains("AUTHENTICATE") || $0.contains("LOGIN") }
    #expect(sent.count == (row.sent == nil ? 0 : 1), "\(sent)")
    #expect(sent.allSatisfy { $0.hasSuffix("AUTHENTICATE \(row.sent ?? "")") }, "\(sent)")
  }

  @Test(arguments: cases) func sending(_ row: Case) throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH " + row.offered.joined(separator: " "))
    if row.isRefused { options.authentication = "535 5.7.8 unknown certificate" }
    let sink = try SMTPSink(options)
    let front = try TLSFront(to: sink.port)
    let url = front.url.replacing("imaps", with: "submissions")
    let lines = ["smtp = '\(url)'", "smtp-tls-ca-file = '\(front.trustFile)'"]
    let tested = try test(lines + row.lines.map { "smtp-\($0)" })
    #expect(tested.code == row.status, "\(tested)")
    let sent = sink.commands.filter { $0.hasPrefix("AUTH") }
    #expect(sent == (row.sent.map { ["AUTH \($0)"] } ?? []))
  }
}
