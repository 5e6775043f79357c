import Glibc
import TestSupport
import Testing

/// `magnum accounts`: what works and what does not, and what to do about it.
@Suite struct AccountTests {
  private let stage: PostStage

  init() throws { stage = try PostStage() }

  @Test func accountsAreListed() throws {
    let outcome = try stage.magnum("accounts")
    #expect(outcome.code == 0)
    #expect(
      outcome.lines == [
        "work  me@x.test  \(stage.maildir)  imap+plain://127.0.0.1:\(stage.server.ports.clear)  "
          + "smtp+plain://127.0.0.1:\(stage.sink.port)"
      ]
    )
  }

  @Test func bothServersAreTried() throws {
    try stage.configure("tls-ca-file = \"\(stage.server.trustFile)\"", imap: stage.server.tlsURL)
    let outcome = try stage.magnum("accounts", "test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.lines.count == 4)
    #expect(outcome.lines[0].hasPrefix("work  imap  \(stage.server.tlsURL)  logged in as "))
    #expect(outcome.lines[0].contains(", TLS, 2 mailboxes, sent is Sent"), "\(outcome)")
    #expect(outcome.lines[1].contains(" QRESYNC"))
    #expect(outcome.lines[2].hasSuffix("not encrypted, messages up to 1.0 MB"), "\(outcome)")
    #expect(
      outcome.lines[3] == "    offers PIPELINING, SIZE 1000000, 8BITMIME, SMTPUTF8, DSN, AUTH PLAIN"
    )
    #expect(stage.sink.messages.isEmpty && !Files.exists(stage.maildir))
    let json = try stage.magnum("accounts", "test", "--json", "work")
    #expect(json.lines.count == 2 && json.lines[1].contains("\"works\":true"), "\(json)")
  }

  @Test func whatFailsIsExplained() throws {
    let port = try Loopback.freePort()
    stage.sink.change { $0.authentication = "535 5.7.8 wrong" }
    try stage.configure(imap: "imap+plain://127.0.0.1:\(port)")
    let outcome = try stage.magnum("accounts", "test")
    #expect(outcome.code == 77, "\(outcome)")
    #expect(
      outcome.errorLines == [
        "magnum accounts: work imap: cannot connect to 127.0.0.1 port \(port): Connection refused",
        "hint: nothing listens there: check host and port",
        "magnum accounts: work smtp: 535 5.7.8 wrong (to AUTH)",
        "hint: correct the user name or the password in the configuration, then: magnum queue flush work",
      ],
      "\(outcome)"
    )
    try stage.configure(
      imap: stage.server.tlsURL,
      smtp: "submissions://localhost:\(stage.server.ports.tls)"
    )
    let untrusted = try stage.magnum("accounts", "test")
    #expect(untrusted.code == 69, "\(untrusted)")
    #expect(untrusted.errors.contains("set tls-ca-file, or set tls-fingerprint = "))
    #expect(untrusted.errors.contains("set smtp-tls-ca-file, or set smtp-tls-fingerprint = "))
    #expect(try stage.magnum("accounts", "test", "home").code == 64)
  }

  /// Names of hosts are names in subjectAltName, addresses are addresses there; what is wrong with a certificate is said.
  @Test(arguments: [
    ("DNS:127.0.0.1", "the certificate has 127.0.0.1 for a host name, which is an address"),
    ("DNS:a.test,DNS:b.test", "the certificate is for a.test, b.test, not for 127.0.0.1"),
    ("IP:127.0.0.2", "the certificate is for 127.0.0.2, not for 127.0.0.1"),
    ("", "the certificate has its name, one.test, as a common name only, which no longer counts"),
  ])
  func theNameOfACertificate(_ names: String, _ words: String) throws {
    let stage = try SendStage()
    let place = stage.program.home.path
    let more = names.isEmpty ? "" : "-addext subjectAltName=\(names)"
    try Command.shell(
      "cd \"$1\"; openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=one.test \(more) 2>&1",
      [place]
    )
    let port = try Loopback.freePort()
    let server = try Command(
      "openssl",
      [
        "s_server", "-rev", "-accept", "127.0.0.1:\(port)", "-cert", "\(place)/c.pem", "-key",
        "\(place)/k.pem",
      ]
    ).start()
    defer {
      server.signal(SIGKILL)
      _ = server.wait()
    }
    #expect(Stopwatch.wait(upTo: 20) { server.outputSoFar.contains("ACCEPT") })
    try stage.configure(
      "tls-ca-file = \"\(place)/c.pem\"",
      server: "submissions://127.0.0.1:\(port)"
    )
    let outcome = try stage.send("Subject: a\n\n", "b@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains(words), "\(outcome)")
  }

  /// What an answer is known to mean takes the place of the general advice; the answer is quoted all the same.
  @Test func knownAnswersAreExplained() throws {
    stage.sink.change {
      $0.authentication = "535 5.7.139 SmtpClientAuthentication is disabled for the Tenant"
    }
    try stage.configure(imap: stage.server.clearURL)
    let outcome = try stage.magnum("accounts", "test")
    #expect(outcome.code == 77, "\(outcome)")
    #expect(outcome.errors.contains("535 5.7.139 SmtpClientAuthentication"), "\(outcome)")
    #expect(outcome.errors.contains("hint: sending with a log-in is switched off"), "\(outcome)")
    let json = try stage.magnum("accounts", "test", "--json")
    #expect(json.output.contains("\"cause\":\"smtp-auth-off\""), "\(json)")
  }
}
