import Configuration
import Glibc
import Platform
import TestSupport
import Testing

/// How passwords and tokens are fetched, and what is said when they cannot be.
@Suite struct SecretTests {
  private let home: ConfigurationHome

  init() throws {
    home = try ConfigurationHome()
  }

  /// The secret, or what the user is told.
  private func outcome(_ source: SecretSource, timeout: Double = 30) -> String {
    do {
      let secret = try source.fetch(environment: home.environment, timeout: timeout)
      return String(decoding: secret, as: UTF8.self)
    } catch {
      return "\((error.need == .time) ? "later" : "never"): \(error.message)"
        + (error.hint.map { "\nhint: \($0)" } ?? "")
    }
  }

  private func shell(_ line: String, timeout: Double = 30) -> String {
    outcome(.passwordCommand(.shell(line)), timeout: timeout)
  }

  @Test(arguments: [
    ("printf secret", "secret"), ("echo secret", "secret"), ("printf 'secret\\r\\n'", "secret"),
    ("printf 'secret\\nuser: me\\n'", "secret"), ("printf ' a b \\n'", " a b "),
    ("printf 'a\\rb\\n'", "a\rb"), ("read x; echo \"<$x>\"", "<>"),
    ("exec head -c 65536 /dev/zero | tr '\\0' x | cut -c 1-3", "xxx"),
  ])
  func whatCommandsPrint(_ line: String, _ secret: String) {
    #expect(shell(line) == secret)
  }

  @Test func argumentsReachTheProgramAsTheyAre() {
    let words = ["/bin/sh", "-c", "echo \"$1\"", "sh", "a  $HOME 'b'"]
    #expect(outcome(.passwordCommand(.arguments(words))) == "a  $HOME 'b'")
    #expect(outcome(.tokenCommand(.arguments(["echo", "token"]))) == "token")
  }

  @Test func aCommandThatFails() {
    #expect(
      shell("echo secret; exit 3") == """
        later: password-command: exited with status 3
        hint: run the command by hand to see what it says
        """
    )
    #expect(
      outcome(.tokenCommand(.shell("kill -TERM $$"))) == """
        later: token-command: was ended by signal 15
        hint: run the command by hand to see what it says
        """
    )
  }

  @Test func aCommandThatPrintsNothing() {
    let words = """
      later: password-command: gave an empty line
      hint: run the command by hand to see what it says
      """
    #expect(shell(":") == words)
    #expect(shell("echo; echo secret") == words)
    #expect(shell("printf '\\r\\n'") == words)
  }

  @Test func aCommandThatHangs() {
    #expect(
      shell("sleep 60", timeout: 0.2) == """
        later: password-command: took longer than 0 s
        hint: a command that asks a person cannot be used from cron or a timer
        """
    )
  }

  @Test func aCommandThatPrintsTooMuch() {
    #expect(
      shell("head -c 70000 /dev/zero") == """
        never: password-command: gave more than 65536 octets
        hint: its first line must be the secret and nothing else
        """
    )
  }

  @Test func aCommandThatPrintsANUL() {
    #expect(
      shell("printf 'a\\0b\\n'") == """
        never: password-command: gave a NUL
        hint: its first line must be the secret and nothing else
        """
    )
  }

  @Test func aCommandThatIsNotThere() {
    #expect(
      outcome(.passwordCommand(.arguments(["/nowhere/pass"]))) == """
        never: password-command: "/nowhere/pass" cannot be started: No such file or directory
        hint: cron and systemd have a short PATH; name the program by its whole path
        """
    )
  }

  @Test func aRunThatIsInterrupted() {
    let interruption = Interruption()
    interruption.request()
    #expect(throws: SecretError(key: "password-command", problem: .interrupted)) {
      try SecretSource.passwordCommand(.shell("sleep 60")).fetch(interruption: interruption)
    }
  }

  @Test func aFile() throws {
    let file = try home.directory.write("secret\nmore\n", to: "secret", mode: 0o600)
    #expect(outcome(.passwordFile(Path(file), namedAt: nil)) == "secret")
    chmod(file, 0o400)
    #expect(outcome(.passwordFile(Path(file), namedAt: nil)) == "secret")
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601] as [UInt32])
  func aFileThatOthersCanAccess(_ mode: UInt32) throws {
    let file = try home.directory.write("secret\n", to: "secret")
    chmod(file, mode)
    let verb = mode & 0o002 == 0 ? "access" : "change"
    let remedy = mode & 0o002 == 0 ? "600" : "go-w"
    #expect(
      outcome(.passwordFile(Path(file), namedAt: nil)) == """
        never: password-file: \(file): others can \(verb) this file (mode 0\
        \(String(mode, radix: 8)))
        hint: chmod \(remedy) \(file)
        """
    )
  }

  @Test func aFileInADirectoryOfOthers() throws {
    let file = try home.directory.write("secret\n", to: "open/secret", mode: 0o600)
    chmod(home.directory["open"], 0o777)
    #expect(
      outcome(.passwordFile(Path(file), namedAt: nil)) == """
        never: password-file: \(home.directory["open"]): others can change this directory (mode 0777)
        hint: chmod go-w \(home.directory["open"])
        """
    )
  }

  @Test(.enabled("only root can give a file away") { geteuid() == 0 })
  func aFileOfAnother() throws {
    let file = try home.directory.write("secret\n", to: "secret", mode: 0o600)
    #expect(chown(file, 54_321, 54_321) == 0)
    #expect(
      outcome(.passwordFile(Path(file), namedAt: nil)) == """
        never: password-file: \(file): this file belongs to user 54321, neither to you nor to root
        hint: chown root \(file)
        """
    )
  }

  @Test func aFileThatIsNotThere() {
    let file = home.directory["nowhere"]
    #expect(
      outcome(.passwordFile(Path(file), namedAt: nil)) == """
        never: password-file: \(file): No such file or directory
        hint: its first line is to be the password, and its mode 0600
        """
    )
  }

  /// Nobody writes to it, and nobody waits for that.
  @Test func aPipe() throws {
    let file = home.directory["pipe"]
    #expect(mkfifo(file, 0o600) == 0)
    #expect(
      outcome(.passwordFile(Path(file), namedAt: nil)) == """
        never: password-file: \(file): not a regular file
        hint: its first line is to be the password, and its mode 0600
        """
    )
  }

  @Test func aFileThatIsTooLong() throws {
    let file = try home.directory.write(
      [UInt8](repeating: 0x61, count: 65_537),
      to: "secret",
      mode: 0o600
    )
    #expect(
      outcome(.passwordFile(Path(file), namedAt: nil)).hasPrefix(
        "never: password-file: gave more than"
      )
    )
  }

  @Test func aCredential() throws {
    var home = home
    try home.directory.write("secret\n", to: "credentials/mail", mode: 0o444)
    home.environment.credentialsDirectory = Path(home.directory["credentials"])
    let source = SecretSource.credential("mail")
    #expect(try source.fetch(environment: home.environment) == Array("secret".utf8))
  }

  @Test func aCredentialOutsideAService() {
    #expect(
      outcome(.credential("mail")) == """
        never: password-credential: CREDENTIALS_DIRECTORY is not set
        hint: LoadCredential= in the unit of the service sets it
        """
    )
  }

  @Test func aPasswordInTheFile() {
    #expect(outcome(.inline(Array("a b\u{E9}".utf8))) == "a b\u{E9}")
  }

  @Test func noSource() {
    #expect(
      outcome(.none) == """
        never: password-command: no source for a secret
        hint: set one of the keys for passwords; see magnum-config(5)
        """
    )
  }

  @Test func onlyTokenCommandsGiveTokens() {
    #expect(SecretSource.tokenCommand(.shell("x")).isToken)
    #expect(!SecretSource.passwordCommand(.shell("x")).isToken)
    #expect(!SecretSource.none.isToken)
  }
}
