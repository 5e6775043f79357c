import Configuration
import Glibc
import TestSupport
import Testing

/// When a refused secret may be tried again: the digest of an account changes, or it does not.
@Suite struct DigestTests {
  private let home: ConfigurationHome

  init() throws {
    home = try ConfigurationHome()
    try home.directory.write("secret", to: "secret", mode: 0o600)
  }

  private func digest(_ keys: String) throws -> [UInt8] {
    try home.write("[account.work]\nmaildir = \"~/Mail\"\n\(keys)\n")
    return try #require(try home.load().accounts.first).digest
  }

  private let usual = """
    imap = "imaps://a.example"
    user = "me"
    password-command = ["pass", "mail"]
    """

  @Test(arguments: [
    ("a.example", "b.example"), ("imaps://", "imap://"), ("\"me\"", "\"you\""),
    ("mail", "other"), ("[\"pass\", \"mail\"]", "[\"passmail\"]"),
    ("[\"pass\", \"mail\"]", "\"pass mail\""), ("password-command", "token-command"),
    ("password-command = [\"pass\", \"mail\"]", "password-file = \"~/secret\""),
    ("password-command = [\"pass\", \"mail\"]", "password-credential = \"mail\""),
    ("password-command = [\"pass\", \"mail\"]", "password = \"mail\""),
  ])
  func changes(_ this: String, _ that: String) throws {
    let before = try digest(usual)
    #expect(before.count == 16)
    #expect(try digest(usual.replacing(this, with: that)) != before)
  }

  /// What holds for a user of a server holds whatever the secret is.
  @Test func theUserIsTheSameWithAnotherSecret() throws {
    func digest(_ keys: String) throws -> [UInt8] {
      try home.write("[account.work]\nmaildir = \"~/Mail\"\n\(keys)\n")
      return try #require(try home.load().accounts.first).userDigest
    }
    let before = try digest(usual)
    #expect(try digest(usual.replacing("mail\"", with: "other\"")) == before)
    #expect(try digest(usual.replacing("a.example", with: "b.example")) != before)
    #expect(try digest(usual.replacing("\"me\"", with: "\"you\"")) != before)
  }

  @Test func nothingElseMatters() throws {
    let before = try digest(usual)
    #expect(try digest(usual) == before)
    #expect(
      try digest(usual + "\nlayout = \"maildir++\"\n[account.work.sync]\nwindow = \"1d\"") == before
    )
  }

  @Test func anotherPasswordInTheFile() throws {
    let keys = usual.replacing("password-command = [\"pass\", \"mail\"]", with: "password = \"a\"")
    let before = try digest(keys)
    try Files.write("", to: home.directory["other"])
    // The fingerprint counts, not the password: the digest lies on the disk and must not give it away.
    usleep(20_000)
    #expect(try digest(keys.replacing("\"a\"", with: "\"b\"")) != before)
  }

  @Test func anotherPasswordInThePasswordFile() throws {
    let keys = usual.replacing(
      "password-command = [\"pass\", \"mail\"]",
      with: "password-file = \"~/secret\""
    )
    let before = try digest(keys)
    #expect(try digest(keys) == before)
    #expect(unlink(home.directory["secret"]) == 0)
    let without = try digest(keys)
    #expect(without != before)
    try home.directory.write("better", to: "secret", mode: 0o600)
    #expect(try digest(keys) != without)
  }
}
