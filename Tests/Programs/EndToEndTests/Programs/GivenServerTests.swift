import TestSupport
import Testing

/// Servers that are given are looked for nowhere; an account is added behind those that are there.
@Suite(.enabled(if: Judge.isInstalled)) struct GivenServerTests {
  @Test func anAccountIsAddedBehindOthers() throws {
    let imap = try Dovecot.shared()
    let smtp = try Judge()
    let program = try ProgramUnderTest("magnum")
    let old = "[account.old]\nmaildir = \"~/old\"  # mine"
    let config = try program.configure(old, mode: 0o640)
    let trusted = try program.home.write(
      (Files.text(imap.trustFile) ?? "") + (Files.text(smtp.trustFile) ?? ""),
      to: "trusted.pem"
    )
    func add(_ words: String...) throws -> Outcome {
      let servers = ["--imap", imap.tlsURL, "--smtp", "submissions://localhost:\(smtp.tlsPort)"]
      let all = ["accounts", "add"] + servers + words + ["me@x.test"]
      return try program.command(all, ["SSL_CERT_FILE": trusted]).run()
    }
    let file = try program.home.write("pass\n", to: "secret", mode: 0o600)
    let wrong = try add(
      "--password-file",
      file,
      "--tls-fingerprint",
      String(repeating: "0", count: 64)
    )
    #expect(wrong.code == 69 && wrong.errors.contains("nothing is written"), "\(wrong)")
    #expect(Files.text(config) == old)
    let outcome = try add("--user", "me", "--password-file", file, "--maildir", "~/new mail")
    try #require(outcome.code == 0, "\(outcome)")
    let text = try #require(Files.text(config))
    #expect(text.hasPrefix(old + "\n\n# Added by magnum accounts add.\n[account.x]\n"), "\(text)")
    #expect(text.contains("maildir = \"~/new mail\"\n") && !text.contains("\"pass\""), "\(text)")
    #expect(try Command.shell("stat -c %a \"$1\"", [config]) == "640\n")
    let test = try program.command(["accounts", "test", "x"], ["SSL_CERT_FILE": trusted]).run()
    #expect(test.code == 0, "\(test)")
    let taken = try add("--name", "old", "--password-file", file)
    #expect(
      taken.code == 64 && taken.errors.contains("there is an account old already"),
      "\(taken)"
    )
    for words in [
      ["--oauth", "--password-file", file], ["--client-id", "a"], ["--print", "--yes"],
    ] {
      let mistake = try program.command(["accounts", "add", "me@x.test"] + words).run()
      #expect(mistake.code == 64, "\(mistake)")
    }
    // What is wrong with the address is said first, whatever is missing besides.
    let nonsense = try program.command(["accounts", "add", "nonsense"]).run()
    #expect(
      nonsense.code == 65 && nonsense.errors.contains("is not a mail address"),
      "\(nonsense)"
    )
  }
}
