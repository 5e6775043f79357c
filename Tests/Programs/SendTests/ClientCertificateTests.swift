import Glibc
import TestSupport
import Testing

/// Log-ins by a client certificate at real servers: Dovecot for IMAP, Exim for SMTP.
@Suite(.enabled("Exim is not installed") { Exim.isInstalled }) struct ClientCertificateTests {
  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest("magnum")
  }

  private func configure(_ lines: String...) throws {
    let text = lines.joined(separator: "\n").replacing("~", with: program.home.path)
    try program.configure(
      "delivery-log = \"none\"\n[account.work]\naddress = \"me@x.test\"\n" + text
    )
  }

  /// With the answer in the line of the command, and without.
  @Test(arguments: [true, false]) func bothServersAreLoggedInTo(_ isInline: Bool) throws {
    let options = DovecotOptions.verifying
    let dovecot = try Dovecot.shared(isInline ? options : options.hiding("SASL-IR"))
    let exim = try Exim(clients: .asked)
    try ClientFiles.make(
      in: program.home.path,
      name: Dovecot.freshUser("cert"),
      authority: dovecot.folder
    )
    try Command.shell(
      "cd \"$1\"; mv cert*.pem imap.pem; mv cert*.key imap.key",
      [program.home.path]
    )
    try ClientFiles.make(in: program.home.path, name: "me", authority: exim.folder)
    try configure(
      "maildir = '~/Mail'",
      "imap = '\(dovecot.tlsURL)'",
      "tls-ca-file = '\(dovecot.trustFile)'",
      "tls-client-certificate = '~/imap.pem'",
      "tls-client-key = '~/imap.key'",
      "smtp = 'submission://localhost:\(exim.port)'",
      "smtp-tls-ca-file = '\(exim.trustFile)'",
      "smtp-tls-client-certificate = '~/me.pem'",
      "smtp-tls-client-key = '~/locked.key'",
      "smtp-tls-client-passphrase-command = 'echo word'"
    )
    let tested = try program.run("accounts", "test")
    #expect(tested.code == 0, "\(tested)")
    #expect(tested.lines.count { $0.contains("  logged in by certificate, TLS") } == 2, "\(tested)")
    var send = program.command(["a@x.test"])
    send.program = "\(ProgramUnderTest.products)/magnum-send"
    send.input = Array("Subject: 1\n\ntext\n".utf8)
    let sent = try send.run()
    #expect(sent.code == 0 && sent.errors == "", "\(sent)")
    #expect(Stopwatch.wait(upTo: 20) { exim.messages.count == 1 })
    #expect(exim.messages.first?.contains("with esmtpsa") == true, "\(exim.messages)")
    #expect(try program.run("status").code == 0)
  }

  /// A certificate that the server does not know is refused, and is not shown again by itself.
  @Test func anotherCertificateIsRefusedAndRests() throws {
    let exim = try Exim(clients: .required)
    let dovecot = try Dovecot.shared(.verifying)
    try ClientFiles.make(in: program.home.path, name: "other")
    let smtp = "smtp = 'submissions://localhost:\(exim.tlsPort)'"
    let trust = "smtp-tls-ca-file = '\(exim.trustFile)'"
    try configure(smtp, trust)
    let none = try program.run("accounts", "test")
    #expect(none.code == 77 && none.errors.contains("client certificate"), "\(none)")
    let files = "tls-client-certificate = '~/other.pem'\ntls-client-key = '~/other.key'"
    try configure(smtp, trust, files)
    let other = try program.run("accounts", "test")
    #expect(other.code == 77 && other.errors.contains("refused the client certificate"), "\(other)")
    try configure(
      "maildir = '~/Mail'",
      "imap = '\(dovecot.tlsURL)'",
      "tls-ca-file = '\(dovecot.trustFile)'",
      files
    )
    var sync = program.command([])
    sync.program = "\(ProgramUnderTest.products)/magnum-sync"
    let first = try sync.run()
    #expect(
      first.code == 77 && first.errors.contains("the server refused the client certificate"),
      "\(first)"
    )
    let second = try sync.run()
    #expect(second.code == 77, "\(second)")
    let status = try program.run("status")
    #expect(
      status.output.contains("the server refused the client certificate (check"),
      "\(status)"
    )
  }

  /// How many days a certificate is valid, and whether that is said.
  @Test(arguments: [(10, true), (13, true), (15, false)])
  func anEndThatComesIsTold(days: Int, isTold: Bool) throws {
    try ClientFiles.make(in: program.home.path, name: "me", days: days)
    let files = "tls-client-certificate = '~/me.pem'\ntls-client-key = '~/me.key'"
    try configure("maildir = '~/Mail'", "imap = 'imaps://localhost:1'", files)
    let status = try program.run("status")
    #expect(
      status.output.contains("the client certificate expires in ") == isTold
        && (!isTold || status.code == 1),
      "\(status)"
    )
  }
}

extension DovecotOptions {
  /// A server that takes a log-in by a certificate of its own authority.
  fileprivate static var verifying: DovecotOptions {
    var options = DovecotOptions()
    options.mechanisms = "external plain"
    options.verifiesClients = true
    return options
  }
}
