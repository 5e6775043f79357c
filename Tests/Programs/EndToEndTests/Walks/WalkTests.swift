import Glibc
import TestSupport
import Testing

/// Uses of the programs by seven kinds of people, at a real terminal: what they type and see is in `Tests/walks`.
@Suite(.enabled(if: runsLongTests))
struct WalkTests {
  private static let folder = Fixtures.project("Tests/walks")

  /// Walks, and expects that all is seen.
  private func walk(
    _ name: String,
    in home: TempDirectory,
    _ variables: [String: String],
    shell: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var environment = Command.ownEnvironment
    let path = [ProgramUnderTest.products, Self.folder, environment["PATH"] ?? ""]
    environment.merge(variables) { _, given in given }
    environment.merge([
      "HOME": home.path, "PATH": path.joined(separator: ":"), "LANG": "C.UTF-8", "TZ": "UTC",
      "SWIFT_BACKTRACE": "enable=no", "MAGNUM_COPY_WAIT": "-1",
      "EXAMPLES": Fixtures.project("examples"),
    ]) { _, given in given }
    var command = Command(
      "python3",
      ["\(Self.folder)/walk", "\(Self.folder)/\(name).walk"] + shell,
      environment: environment
    )
    command.timeLimit = 600
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// Those who have a mail server, one for sending, and nothing else.
  @Test(arguments: ["mbsync", "emacs", "archive", "script", "mistakes"])
  func atATerminal(_ name: String) throws {
    var mailboxes = DovecotOptions()
    mailboxes.specialUse = ["Sent": "\\Sent", "Trash": "\\Trash"]
    let server = try Dovecot.shared(mailboxes)
    var options = SMTPSink.Options()
    options.extensions.append("AUTH PLAIN LOGIN")
    let sink = try SMTPSink(options)
    try walk(
      name,
      in: TempDirectory("walk"),
      [
        "IMAP_PORT": "\(server.ports.clear)", "SMTP_PORT": "\(sink.port)",
        "LOGIN": Dovecot.freshUser("walk"),
      ]
    )
  }

  @Test func oauth() throws {
    let stage = try OAuthStage()
    try stage.authority.set("{\"user\": \"\(stage.user)\"}")
    let mine = ["IMAP_PORT": "\(stage.server.ports.clear)", "LOGIN": stage.user]
    try walk("oauth", in: stage.program.home, stage.variables.merging(mine) { _, given in given })
  }

  @Test(.enabled("needs root and a mount namespace") { PrivateSystem.canBe })
  func administrator() throws {
    let port = try Loopback.freePort()
    let system = try PrivateSystem(
      configuration: """
        delivery-log = "none"
        [account.system]
        address = "root@x.test"
        smtp = "smtp+plain://127.0.0.1:\(port)"
        smtp-login = "none"
        """,
      aliases: "default: ops@x.test\n"
    )
    let shell = system.command("cd; exec bash --norc --noprofile -i")
    try walk(
      "administrator",
      in: TempDirectory("walk"),
      ["SMTP_PORT": "\(port)", "AS_WWW": PrivateSystem.asUserWithoutHome],
      shell: [shell.program] + shell.arguments
    )
  }
}
