import TestSupport
import Testing

/// The token for reading mail sends it too, and a queue that stopped for want of a login goes on after one.
@Suite struct OAuthSendTests {
  @Test func oneLoginIsForBothServers() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH XOAUTH2")
    let sink = try SMTPSink(options)
    let stage = try OAuthStage()
    try stage.configure(
      account: """
        address = "me@x.test"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        sent-copy = "never"
        """
    )
    try stage.logIn()
    #expect(stage.grant.contains("\nhost localhost\nhost 127.0.0.1\n"))
    let tests = sink.commands.count { $0.hasPrefix("AUTH XOAUTH2 ") }
    #expect(tests == 1, "the login is tested")
    let first = try stage.send("1")
    #expect(first.code == 0 && first.errors.isEmpty, "\(first)")
    #expect(sink.messages.count == 1 && stage.requests("refresh_token").isEmpty)

    // The login ends: what is sent waits, and goes out after the next login.
    try stage.revoke()
    try stage.age()
    let second = try stage.send("2")
    #expect(second.code == 0 && stage.requests("refresh_token").count == 1, "\(second)")
    try stage.passMinutes()
    let third = try stage.send("3")
    #expect(third.code == 0 && third.errors.contains("magnum accounts login test"), "\(third)")
    #expect(sink.messages.count == 1 && stage.requests("refresh_token").count == 2)
    let status = stage.program.command(["status"], stage.variables)
    #expect(try status.run().output.contains("sending stopped"))
    try stage.logIn()
    #expect(try !status.run().output.contains("sending stopped"))
    let sync = try stage.mirror()
    #expect(sync.code == 0, "\(sync)")
    #expect(sink.messages.count == 3)
  }

  /// A server with a password of its own is tested too, though the token is not for it.
  @Test func allServersAreTestedWithOtherHosts() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH PLAIN")
    let sink = try SMTPSink(options)
    let stage = try OAuthStage()
    let lines = """
      address = "me@x.test"
      smtp = "smtp+plain://127.0.0.1:\(sink.port)"
      smtp-password = "secret"
      """
    try stage.configure(account: lines)
    try stage.logIn()
    #expect(!stage.grant.contains("host 127.0.0.1"))
    try stage.configure(imap: stage.server.clearURL, account: lines)
    let outcome = try stage.accounts("test", "--accept", "test")
    #expect(outcome.code == 0 && stage.value("host") == "127.0.0.1", "\(outcome)")
    let tests = sink.commands.count { $0.hasPrefix("AUTH PLAIN") }
    #expect(outcome.output.contains("smtp") && tests == 1, "\(outcome)")
  }

  @Test func aLoginIsKeptForReadingWhereSendingIsRefused() throws {
    var options = SMTPSink.Options()
    options.extensions.append("AUTH XOAUTH2")
    options.authentication = "535 5.7.139 SmtpClientAuthentication is disabled for the Tenant."
    let sink = try SMTPSink(options)
    let stage = try OAuthStage()
    let lines = "address = \"me@x.test\"\nsmtp = \"smtp+plain://127.0.0.1:\(sink.port)\""
    try stage.configure(account: lines)
    let outcome = try stage.accounts("login", "test")
    #expect(outcome.code == 1 && outcome.errors.contains("test smtp: 535"), "\(outcome)")
    #expect(outcome.errors.contains("(the login is kept for reading)"), "\(outcome)")
    #expect(outcome.errors.contains("an administrator allows authenticated SMTP"), "\(outcome)")
    #expect(try stage.mirror().code == 0)
    #expect(
      sink.commands.count { $0.hasPrefix("AUTH") } == 1,
      "a token that is refused is not offered again"
    )
  }
}
