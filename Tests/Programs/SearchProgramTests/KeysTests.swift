import TestSupport
import Testing

/// `magnum keys`, with the real programs, and with a script in the place of gpg where a server would be asked.
struct KeysTests {
  private static func schema() throws -> JSONSchema {
    try JSONSchema(try #require(Files.text(Fixtures.project("man/schemas/key.json"))))
  }

  private static let settings = """
    [account.work]
    address = "alice@example.org"
    smtp = "submissions://localhost:1"

    """

  @Test(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
  func keysAreListed() throws {
    let keys = try Keyring()
    let alice = try keys.addKey("Alice <alice@example.org>")
    let bob = try keys.addKey("Bob <bob@example.org>", isRSA: true)
    try keys.distrust(bob)
    try keys.addCertificate("alice@example.org")
    let magnum = try ProgramUnderTest("magnum")
    try magnum.configure(Self.settings)
    func run(_ words: String...) throws -> Outcome {
      try magnum.command(["keys"] + words, keys.variables).run()
    }
    let own = try run()
    #expect(own.code == 0 && own.errors == "", "\(own)")
    #expect(
      own.output.hasPrefix(
        """
        alice@example.org  OpenPGP  \(alice)
            would be used to sign and encrypt
            Alice <alice@example.org>
        alice@example.org  S/MIME
        """
      ),
      "\(own)"
    )
    let other = try run("bob@example.org")
    #expect(
      other.output == """
        bob@example.org  OpenPGP  \(bob)
            would be used to encrypt after a question, not certified
            Bob <bob@example.org>

        """,
      "\(other)"
    )
    #expect(other.code == 0)
    let none = try run("carol@example.org", "bob@example.org")
    #expect(none.code == 1 && none.output.hasPrefix("carol@example.org: no key\n"), "\(none)")
    #expect(try run("carol@example.org").code == 2)
    let refused = try run("a b@example.org")
    #expect(refused.code == 65 && refused.errors.contains("not an address"), "\(refused)")
    let lines = try run("--json", "alice@example.org", "bob@example.org")
    let values = try lines.output.split(separator: "\n").map { try ParsedJSON(String($0)) }
    #expect(values.count == 3, "\(lines)")
    for value in values { #expect(try Self.schema().mistakes(in: value) == [], "\(value)") }
    #expect(values.map { $0["own"] } == [.boolean(true), .boolean(true), .boolean(false)])
    #expect(values.last?["asked"] == .boolean(true))
    // With a second key there is none that is preferred.
    try keys.addKey("Alice again <alice@example.org>")
    let several = try run()
    let second = try #require(
      several.output.split(separator: "\n").map { String($0.suffix(40)) }
        .first { line in line != alice && line.allSatisfy(\.isHexDigit) }
    )
    #expect(several.output.contains("not used: there are several keys"), "\(several)")
    try magnum.configure(Self.settings + "[account.work.crypto]\nkey = \"\(second)\"\n")
    let named = try run()
    #expect(
      named.output.contains("\(second)\n    would be used to sign and encrypt")
        && named.output.contains("\(alice)\n    not used: another key is preferred"),
      "\(named)"
    )
  }

  @Test func withoutKeysNothingIsStarted() throws {
    let magnum = try ProgramUnderTest("magnum")
    let outcome = try magnum.run("keys", "alice@example.org")
    #expect(outcome.code == 2 && outcome.output == "alice@example.org: no key\n", "\(outcome)")
    #expect(!Files.exists(magnum.home[".gnupg"]))
    let own = try magnum.run("keys")
    #expect(own.code == 64 && own.errors.contains("name addresses"), "\(own)")
    try magnum.configure(Self.settings)
    let unknown = try magnum.run("keys", "--account", "other")
    #expect(unknown.code == 64 && unknown.errors.contains("other"), "\(unknown)")
    let none = try magnum.run("keys", "--account", "work")
    #expect(none.code == 2 && none.output == "alice@example.org: no key\n", "\(none)")
  }

  // MARK: fetch

  /// A program that notes its arguments, and where keys would be.
  private struct Scripted {
    let magnum: ProgramUnderTest
    let home: String

    init(_ script: String) throws {
      magnum = try ProgramUnderTest("magnum")
      home = magnum.home["keys"]
      try Files.makeDirectories(home, mode: 0o700)
      let note = "printf '%s ' \"$@\" >>\(magnum.home["runs"]); echo >>\(magnum.home["runs"])"
      try magnum.home.write("#!/bin/sh\n\(note)\n\(script)\n", to: "bin/gpg", mode: 0o755)
    }

    var runs: String { Files.text(magnum.home["runs"]) ?? "" }

    func command(_ words: [String], _ more: [String: String] = [:]) -> Command {
      let path = "\(magnum.home["bin"]):\(Command.ownEnvironment["PATH"] ?? "")"
      let variables = ["PATH": path, "GNUPGHOME": home].merging(more) { $1 }
      return magnum.command(["keys", "fetch"] + words, variables)
    }
  }

  private static let fetching =
    "--auto-key-locate clear,nodefault,wkd --locate-external-keys -- <alice@example.org> \n"

  @Test func aServerIsAskedOnlyAfterAQuestion() throws {
    let scripted = try Scripted("exit 2")
    let unasked = try scripted.command(["alice@example.org"]).run()
    #expect(unasked.code == 64 && unasked.errors.contains("--yes"), "\(unasked)")
    let json = try scripted.command(["--json", "alice@example.org"]).run()
    #expect(json.code == 64)
    let guarded = try scripted.command(
      ["--yes", "alice@example.org"],
      ["MAGNUM_READ_ONLY": "1"]
    ).run()
    #expect(guarded.code == 77)
    let wrong = try scripted.command(["--yes", "--keyserver=x"]).run()
    #expect(wrong.code == 64)
    #expect(try scripted.command(["--yes", "alice"]).run().code == 65)
    #expect(scripted.runs == "")
    for (answer, code, count) in [("n", 1, 0), ("", 1, 0), ("y", 2, 1)] as [(String, Int32, Int)] {
      var command = scripted.command(["alice@example.org"], ["TERM": "xterm"])
      command.timeLimit = 20
      let outcome = try PrivateInternet.typing(command, [(after: "[y/N] ", answer)]).run()
      #expect(outcome.code == code && outcome.output.contains("example.org"), "\(outcome)")
      #expect(scripted.runs.split(separator: "\n").count == count, "\(answer)")
    }
    #expect(scripted.runs.hasSuffix(Self.fetching), "\(scripted.runs)")
  }

  @Test func whatCameIsListed() throws {
    let listing = """
      case "$*" in *--locate-external-keys*) exit 0;; esac
      cat <<'END'
      pub:-:255:22:89ABCDEF0123AAAA:1700000000:::-:::scESC:::::ed25519:::0:
      fpr:::::::::0123456789ABCDEF0123456789ABCDEF0123AAAA:
      uid:-::::1700000000::A::Alice \\x1b[31m <alice@example.org>::::::::::0:
      sub:-:255:18:89ABCDEF0123AAAE:1700000000::::::e:::::cv25519::
      fpr:::::::::0123456789ABCDEF0123456789ABCDEF0123AAAE:
      END
      """
    let scripted = try Scripted(listing)
    let outcome = try scripted.command(["--yes", "alice@example.org"]).run()
    #expect(outcome.code == 0 && outcome.output.contains("after a question"), "\(outcome)")
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(scripted.runs.hasPrefix("--batch --no-tty ") && scripted.runs.contains(Self.fetching))
  }
}
