import TestSupport
import Testing

/// Passwords of accounts that are imported or added are in the one file that is for them, and nothing prints them.
@Suite struct AccountSecretTests {
  private static let files = [
    (
      "mbsyncrc",
      """
      IMAPAccount a
      Host imap.x.test
      User me
      Pass "first hidden"
      SSLType IMAPS
      IMAPAccount b
      Host imap.y.test
      User me
      Pass "second hidden"
      PassCmd "echo other"
      SSLType IMAPS
      """
    ),
    ("msmtprc", "account c\nhost smtp.w.test\ntls on\nauth on\nuser me\npassword third hidden\n"),
    (
      "offlineimaprc",
      """
      [general]
      accounts = d
      [Account d]
      localrepository = near
      remoterepository = far
      [Repository near]
      type = Maildir
      localfolders = ~/Mail/d
      [Repository far]
      type = IMAP
      remotehost = imap.z.test
      remoteuser = me
      remotepass = fourth hidden
      """
    ),
  ]

  @Test func importedPasswords() throws {
    let program = try ProgramUnderTest("magnum")
    var files: [String] = []
    for (name, text) in Self.files {
      files.append(try program.home.write(text + "\n" + channels(name), to: "old/\(name)"))
    }
    for options in [["--print"], ["--print", "--json"], [], ["--yes"]] {
      let outcome = try program.command(["accounts", "import"] + options + files).run()
      #expect(outcome.code == (options.isEmpty ? 64 : 0), "\(outcome)")
      #expect(!(outcome.output + outcome.errors).contains("hidden"), "\(options) \(outcome)")
    }
    let holders = try holders(of: "hidden", in: program)
    let expected = ["a.password", "c.smtp-password", "d.password"]
    #expect(holders == expected.map { ".config/magnum/\($0) 600" }, "\(holders)")
  }

  /// A channel for each account of mbsync.
  private func channels(_ name: String) -> String {
    guard name == "mbsyncrc" else { return "" }
    return ["a", "b"].map { account in
      """

      IMAPStore \(account)-far
      Account \(account)

      MaildirStore \(account)-near
      Path ~/Mail/\(account)/
      Inbox ~/Mail/\(account)/INBOX

      Channel \(account)
      Far :\(account)-far:
      Near :\(account)-near:
      Patterns *

      """
    }.joined()
  }

  /// A password that the server refuses is quoted by no message, and nothing keeps it.
  @Test func aPasswordOfAnAddedAccount() throws {
    let program = try ProgramUnderTest("magnum")
    let server = try Dovecot.shared()
    let file = try program.home.write("hidden\n", to: "old/password", mode: 0o600)
    for options in [[], ["--json"]] {
      let words = ["accounts", "add", "--yes", "--imap", server.tlsURL, "--password-file", file]
      let variables = ["SSL_CERT_FILE": server.trustFile]
      let outcome = try program.command(words + options + ["me@x.test"], variables).run()
      #expect(outcome.code == 77, "\(outcome)")
      #expect(!(outcome.output + outcome.errors).contains("hidden"), "\(outcome)")
    }
    #expect(try holders(of: "hidden", in: program) == [])
  }

  /// The files of the home that hold a text, with their modes; those that were there before, in `old`, are left out.
  private func holders(of text: String, in program: ProgramUnderTest) throws -> [String] {
    let script = """
      cd "$1"; grep -rlF --exclude-dir=old -- "$2" . | sort |
        while read -r file; do echo "${file#./} $(stat -c %a "$file")"; done
      """
    return try Command.shell(script, [program.home.path, text]).split(separator: "\n")
      .map { "\($0)" }
  }
}
