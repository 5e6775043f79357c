import TestSupport
import Testing

/// Log-ins with SCRAM that are bound to the connection, at both servers, as a library that others wrote judges them.
@Suite(.enabled(if: BoundServer.isInstalled)) struct BoundLoginTests {
  private func test(
    _ server: BoundServer,
    user: String = "me@x.test",
    password: String = "pencil"
  ) throws -> Outcome {
    let program = try ProgramUnderTest("magnum")
    try program.configure(
      """
      [account.work]
      address = "\(user)"
      maildir = "~/Mail"
      imap = "imaps://localhost:\(server.imap)"
      smtp = "submissions://localhost:\(server.smtp)"
      password = "\(password)"
      tls-ca-file = "\(server.trustFile)"
      """
    )
    return try program.run("accounts", "test")
  }

  @Test(arguments: [
    ("SCRAM-SHA-256-PLUS SCRAM-SHA-256", "SCRAM-SHA-256-PLUS p=tls-exporter"),
    ("SCRAM-SHA-1 SCRAM-SHA-1-PLUS SCRAM-SHA-256", "SCRAM-SHA-1-PLUS p=tls-exporter"),
    ("SCRAM-SHA-256 SCRAM-SHA-1", "SCRAM-SHA-256 y"),
    ("SCRAM-SHA-1", "SCRAM-SHA-1 y"),
  ])
  func logsIn(offered: String, login: String) throws {
    var options = BoundServer.Options()
    options.offered = offered
    let server = try BoundServer(options)
    let outcome = try test(server)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.logins == ["imap \(login) ok", "smtp \(login) ok"])
  }

  /// TLS 1.2 has no exporter that can be relied on, and not every server knows it.
  @Test func anotherTypeOfBinding() throws {
    var options = BoundServer.Options()
    options.version = "1.2"
    let old = try BoundServer(options)
    #expect(try test(old).code == 0)
    let login = "SCRAM-SHA-256-PLUS p=tls-server-end-point ok"
    #expect(old.logins == ["imap \(login)", "smtp \(login)"])
    options = BoundServer.Options()
    options.types = "tls-server-end-point"
    let other = try BoundServer(options)
    #expect(try test(other).code == 0)
    let refused = "SCRAM-SHA-256-PLUS p=tls-exporter unsupported"
    #expect(
      other.logins == ["imap \(refused)", "imap \(login)", "smtp \(refused)", "smtp \(login)"]
    )
  }

  /// A server that knows other types only, such as tls-unique, gets a log-in that is not bound.
  @Test func noTypeOfBindingInCommon() throws {
    var options = BoundServer.Options()
    options.types = "tls-unique"
    let server = try BoundServer(options)
    #expect(try test(server).code == 0)
    let refused = ["tls-exporter", "tls-server-end-point"].map {
      "SCRAM-SHA-256-PLUS p=\($0) unsupported"
    }
    let logins = (refused + ["SCRAM-SHA-256 n ok"])
    #expect(server.logins == ["imap", "smtp"].flatMap { name in logins.map { "\(name) \($0)" } })
  }

  /// Somebody between took the bound mechanisms from the list: the server sees it, and so does the user.
  @Test func aChangedListIsNoticed() throws {
    var options = BoundServer.Options()
    options.offered = "SCRAM-SHA-256"
    options.isListChanged = true
    let server = try BoundServer(options)
    let outcome = try test(server)
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("was changed on the way"), "\(outcome)")
    #expect(server.logins.first?.hasSuffix(" y server-does-support-channel-binding") == true)
  }

  /// The server's end of TLS is another one: no log-in, and the words say why.
  @Test func somebodyBetweenIsNoticed() throws {
    var options = BoundServer.Options()
    options.isElsewhere = true
    let server = try BoundServer(options)
    let outcome = try test(server)
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("does not end at the server"), "\(outcome)")
    #expect(server.logins.count == 2, "the password is not tried once more: \(server.logins)")
  }

  /// Both sides prepare a password beyond ASCII, so that it is one whatever keyboard wrote it.
  @Test func aPasswordBeyondASCII() throws {
    var options = BoundServer.Options()
    options.password = "gr\u{FC}n IX"
    let server = try BoundServer(options)
    let outcome = try test(server, password: "gru\u{308}n\u{A0}\u{2168}")
    #expect(outcome.code == 0, "\(outcome) \(server.logins)")
  }

  @Test func aWrongPasswordIsTriedOnce() throws {
    let server = try BoundServer()
    let outcome = try test(server, password: "pencils")
    #expect(outcome.code == 77, "\(outcome)")
    #expect(server.logins.count == 2, "\(server.logins)")
  }
}
