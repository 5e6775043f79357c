import Configuration
import Glibc
import Login
import Platform
import TestSupport
import Testing
import Transport

/// Client certificates as the configuration names them: which files are used, and why others are not.
@Suite struct IdentityKeeperTests {
  private let place: TempDirectory

  init() throws {
    place = try TempDirectory("identity")
    try ClientFiles.make(in: place.path, name: "me")
  }

  private func keeper(_ lines: String) throws -> IdentityKeeper {
    let file = try place.write(
      """
      [account.a]
      maildir = "\(place.path)/Mail"
      imap = "imaps://localhost"
      \(lines.replacing("~", with: place.path))
      """,
      to: "config.toml",
      mode: 0o600
    )
    let account = try Configuration.load(explicit: Path(file)).accounts.first
    return IdentityKeeper(account?.clientCertificate, interruption: Interruption())
  }

  /// The lines of the configuration, what is done to the files, and what is said of them; nothing where they are used.
  @Test(arguments: [
    (["certificate = '~/me.pem'", "key = '~/me.key'"], "", ""),
    (["certificate = '~/both.pem'"], "cat me.key me.pem > both.pem; chmod 600 both.pem", ""),
    (
      ["certificate = '~/me.pem'", "key = '~/locked.key'", "passphrase-command = 'echo word'"], "",
      ""
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/me.key'"], "chmod 640 me.key",
      "tls-client-key: ~/me.key: others can access this file (mode 0640)"
    ),
    (
      ["certificate = '~/both.pem'"], "cat me.key me.pem > both.pem; chmod 644 both.pem",
      "tls-client-certificate: ~/both.pem: others can access this file (mode 0644)"
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/locked.key'"], "",
      "tls-client-key: ~/locked.key: the key has a passphrase; tls-client-passphrase-command can give it"
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/locked.key'", "passphrase-command = 'echo wrong'"], "",
      "tls-client-passphrase-command: ~/locked.key: wrong passphrase"
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/locked.key'", "passphrase-command = 'exit 3'"], "",
      "tls-client-passphrase-command: exited with status 3"
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/ca.key'"], "chmod 600 ca.key",
      "tls-client-key: ~/ca.key: is not the key of ~/me.pem"
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/none'"], "",
      "tls-client-key: ~/none: No such file or directory"
    ),
    (
      ["certificate = '~/none'", "key = '~/me.key'"], "",
      "tls-client-certificate: ~/none: No such file or directory"
    ),
    (
      ["certificate = '~/me.key'", "key = '~/me.key'"], "",
      "tls-client-certificate: ~/me.key: holds no certificate in PEM"
    ),
    (
      ["certificate = '~/me.pem'", "key = '~/text'"], "echo text > text; chmod 600 text",
      "tls-client-key: ~/text: holds no key in PEM"
    ),
  ])
  func filesAreUsedOrNamed(_ lines: [String], _ script: String, _ words: String) throws {
    try Command.shell("cd \"$1\"; \(script)", [place.path])
    let keeper = try keeper(lines.map { "tls-client-\($0)" }.joined(separator: "\n"))
    do throws(SecretError) {
      #expect(try keeper.identity()?.facts.commonName == "me")
      #expect(words == "")
    } catch {
      #expect(error.message.replacing(place.path, with: "~") == words)
    }
  }

  /// The passphrase is asked for once, and again when the file is another one.
  @Test func aNewFileIsRead() throws {
    let keeper = try keeper(
      """
      tls-client-certificate = '~/me.pem'
      tls-client-key = '~/locked.key'
      tls-client-passphrase-command = 'echo >> ~/asked; echo word'
      """
    )
    for _ in 1...2 { #expect(try keeper.identity()?.facts.commonName == "me") }
    #expect(Files.text(place["asked"]) == "\n")
    try ClientFiles.make(in: place.path, name: "me")
    #expect(try keeper.identity() != nil)
    #expect(Files.text(place["asked"]) == "\n\n")
  }
}
