import Testing
import TestSupport

/// Who is spoken to, and what a refused secret leads to.
@Suite struct SecurityTests {
  @Test(arguments: ["imaps", "imap"])
  func aCertificateNobodyVouchesForIsRefused(scheme: String) throws {
    let stage = try Stage()
    let port = scheme == "imaps" ? stage.server.ports.tls : stage.server.ports.clear
    try stage.program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(scheme)://localhost:\(port)"
      user = "\(stage.user)"
      password = "pass"

      """
    )
    let outcome = try stage.sync()
    #expect(outcome.code != 0, "\(outcome)")
    #expect(outcome.errors.contains("certificate"), "\(outcome)")
    #expect(outcome.errors.contains("hint: "), "\(outcome)")
    #expect(stage.tree.count == 0)
    #expect(
      !stage.server.log.contains(
        "user=<\(stage.user)>, method=PLAIN, rip=127.0.0.1, lip=127.0.0.1, TLS"
      )
    )
  }

  @Test(arguments: ["imaps", "imap"])
  func aCertificateForAnotherHostIsRefused(scheme: String) throws {
    let stage = try Stage()
    let port = scheme == "imaps" ? stage.server.ports.tls : stage.server.ports.clear
    try stage.configure(url: "\(scheme)://127.0.0.1:\(port)")
    let outcome = try stage.sync()
    #expect(outcome.code != 0, "\(outcome)")
    #expect(
      outcome.errors.contains("127.0.0.1") && outcome.errors.contains("localhost"),
      "\(outcome)"
    )
    #expect(stage.tree.count == 0)
  }

  @Test func aServerWithoutStartTLSGetsNoPassword() throws {
    let stage = try Stage()
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX")])
    let port = fake.clearURL.split(separator: ":").last ?? ""
    try stage.configure(url: "imap://localhost:\(port)")
    let outcome = try stage.sync()
    #expect([69, 75].contains(outcome.code), "\(outcome)")
    #expect(!fake.requests.contains { $0.hasPrefix("AUTHENTICATE") || $0.hasPrefix("LOGIN") })
  }

  @Test func clearTextIsForLoopbackOnly() throws {
    let stage = try Stage()
    try stage.configure(url: "imap+plain://192.0.2.1:143")
    let outcome = try stage.sync()
    #expect(outcome.code == 78, "\(outcome)")
  }

  @Test func aWrongPasswordIsOfferedOnceThenRemembered() throws {
    let stage = try Stage()
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX")]) { request in
      guard request.name == "AUTHENTICATE" || request.name == "LOGIN" else { return nil }
      return [.lines("{tag} NO [AUTHENTICATIONFAILED] wrong")]
    }
    let offers = { fake.requests.filter { $0.hasPrefix("AUTH") || $0.hasPrefix("LOGIN") }.count }
    try stage.configure(url: fake.clearURL)
    #expect(try stage.sync().code == 77)
    #expect(offers() == 1)

    let second = try stage.sync()
    #expect(second.code == 77, "\(second)")
    #expect(offers() == 1, "an unattended run must not lock the account out")
    #expect(second.errors == "", "once a day: \(second)")

    #expect(try stage.sync("test").code == 77)
    #expect(offers() == 2, "naming the account is a person's word")

    try stage.configure(url: fake.clearURL, secret: "password = \"another\"")
    #expect(try stage.sync().code == 77)
    #expect(offers() == 3, "a changed configuration is tried")
  }

  @Test func aWrongPasswordOnARealServerIsExplained() throws {
    let stage = try Stage()
    try stage.configure(secret: "password = \"wrong\"")
    let outcome = try stage.sync()
    #expect(outcome.code == 77, "\(outcome)")
    #expect(!outcome.errors.contains("wrong\""))
    try stage.configure()
    try stage.syncWell()
  }

  @Test func noSecretIsInAnyOutput() throws {
    for mechanism in ["plain", "login", "scram-sha-256"] {
      var options = DovecotOptions()
      options.mechanisms = mechanism
      let stage = try Stage(options, store: DovecotOptions())
      try stage.imap.append(mail("one"))
      let outcome = try stage.sync("--trace", "-v")
      let said = outcome.output + outcome.errors
      #expect(outcome.code == 0, "\(outcome)")
      #expect(said.contains("LIST"), "\(outcome)")
      #expect(!said.contains("cGFzcw"), "base64 of the password")
      #expect(!said.contains("AHBhc3M"), "base64 of NUL and the password")
      #expect(!said.contains("\"pass\""))
    }
  }

  @Test(arguments: ["oauthbearer", "xoauth2"])
  func tokensWork(mechanism: String) throws {
    var options = DovecotOptions()
    options.mechanisms = mechanism + " plain"
    let stage = try Stage(options)
    try stage.imap.append(mail("one"))
    let token = try Dovecot.token(for: stage.user)
    try stage.configure(secret: "token-command = [\"printf\", \"%s\\\\n\", \"\(token)\"]")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func anExpiredTokenIsRefused() throws {
    let stage = try Stage()
    let token = try Dovecot.token(for: stage.user, validFor: -60)
    try stage.configure(secret: "token-command = [\"printf\", \"%s\\\\n\", \"\(token)\"]")
    let outcome = try stage.sync()
    #expect(outcome.code == 77, "\(outcome)")
  }

  /// The connection breaks in mid-run, the first token has expired by then: one more call, and work resumes.
  @Test func aTokenThatExpiresInMidRunIsFetchedAgainOnce() throws {
    let stage = try Stage()
    try stage.imap.append(
      (0..<40).map { mail("mail \($0)", body: String(repeating: "x\r\n", count: 3_000)) }
    )
    let home = stage.program.home
    try home.write(try Dovecot.token(for: stage.user, validFor: 3), to: "token1")
    try home.write(try Dovecot.token(for: stage.user), to: "token2")
    try home.write(
      """
      #!/bin/sh
      echo call >> "$HOME/calls"
      n=$(wc -l < "$HOME/calls")
      cat "$HOME/token$n"
      """,
      to: "token.sh",
      mode: 0o755
    )
    var link = DelayProxy.Link()
    link.cutAfterDown = 150_000
    link.meant = 1...1
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(
      url: "imap+plain://127.0.0.1:\(proxy.port)",
      secret: "token-command = [\"\(home["token.sh"])\"]",
      sync: "connections = 1"
    )
    let outcome = try stage.sync(timeLimit: 90)
    #expect(outcome.code == 0, "\(outcome)")
    try stage.expectMirrored()
    #expect(Files.text(home["calls"]) == "call\ncall\n")
    #expect(proxy.counters.connections >= 2)
  }

  @Test func aTokenForAnotherUserIsRefused() throws {
    let stage = try Stage()
    let token = try Dovecot.token(for: "somebody")
    try stage.configure(secret: "token-command = [\"printf\", \"%s\\\\n\", \"\(token)\"]")
    #expect(try stage.sync().code == 77)
  }
}
