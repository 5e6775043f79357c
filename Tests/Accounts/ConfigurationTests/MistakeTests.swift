import Glibc
import TestSupport
import Testing

@testable import Configuration

/// Every mistake in a configuration: the file, and what the user is told, word for word.
@Suite struct MistakeTests {
  @Test(arguments: try Fixtures.load("Fixtures/mistakes.txt"))
  func mistake(_ fixture: Fixture) throws {
    let home = try ConfigurationHome()
    let mode = try #require(UInt32(fixture["mode"] ?? "600", radix: 8))
    try home.write(fixture.body, mode: mode)
    #expect(home.complaint() == fixture["says"])
  }

  @Test func octetsThatAreNotUTF8() throws {
    let home = try ConfigurationHome()
    try home.write(Array("[account.work]\nuser = \"caf".utf8) + [0xE9] + Array("\"\n".utf8))
    #expect(
      home.complaint() == """
        ~/.config/magnum/config.toml:2: not UTF-8
        hint: save the file as UTF-8 text
        """
    )
  }

  @Test func aNULInTheText() throws {
    let home = try ConfigurationHome()
    try home.write("[account.work]\n# \0\n")
    #expect(
      home.complaint() == """
        ~/.config/magnum/config.toml:2: contains a NUL
        hint: save the file as UTF-8 text
        """
    )
  }

  @Test func nestingWithoutEnd() throws {
    let home = try ConfigurationHome()
    try home.write("[account.work]\nuser = " + String(repeating: "[", count: 100_000))
    #expect(home.complaint()?.hasPrefix("~/.config/magnum/config.toml:2: error while") == true)
  }

  @Test func aFileThatIsTooLong() throws {
    let home = try ConfigurationHome()
    try home.write(String(repeating: "#", count: 1 << 20) + "\n")
    #expect(home.complaint() == "~/.config/magnum/config.toml: longer than 1048576 octets")
  }

  @Test func aMaildirUnderTwoNames() throws {
    let home = try ConfigurationHome()
    try Files.makeDirectories(home.directory["Mail/inner"])
    #expect(symlink(home.directory["Mail"], home.directory["link"]) == 0)
    try home.write("account.a.maildir = \"~/Mail\"\naccount.b.maildir = \"~/link\"\n")
    #expect(
      home.complaint() == """
        ~/.config/magnum/config.toml:2: account.b.maildir: is the Maildir of account a too
        hint: give each account a folder of its own
        """
    )
    try home.write("account.a.maildir = \"~/Mail\"\naccount.b.maildir = \"~/link/inner\"\n")
    #expect(
      home.complaint() == """
        ~/.config/magnum/config.toml:2: account.b.maildir: lies inside the Maildir of account a
        hint: give each account a folder of its own
        """
    )
  }

  @Test func siblingsWithOneBeginningAreTwoMaildirs() throws {
    let home = try ConfigurationHome()
    try home.write("account.a.maildir = \"~/Mail\"\naccount.b.maildir = \"~/Mail2\"\n")
    #expect(home.complaint() == nil)
  }

  /// What is to be added has no lines in the file yet.
  @Test func aMistakeInAnAdditionIsInNoLineOfTheFile() throws {
    let home = try ConfigurationHome()
    try home.write("[account.work]\nmaildir = \"~/Mail\"\n")
    let addition = try ConfigurationAddition(environment: home.environment)
    let text = "[account.home]\nmaildir = \"~/Home\"\nimap = \"nowhere\"\n"
    let error = #expect(throws: ConfigurationError.self) {
      try addition.configuration(adding: text)
    }
    #expect(error?.line == nil)
    #expect(error?.place == "the section to be added to ~/.config/magnum/config.toml")
  }

  /// A file that root keeps, as some systems do, is read and shown what would be added to, and not replaced.
  @Test func theFileOfAnotherIsNotAddedTo() throws {
    var home = try ConfigurationHome()
    try home.write("[account.work]\nmaildir = \"~/Mail\"\n", mode: 0o644)
    let owner = geteuid()
    home.environment.user = owner + 1
    let addition = try ConfigurationAddition(environment: home.environment)
    let text = "[account.home]\nmaildir = \"~/Home\"\n"
    #expect(try addition.configuration(adding: text).accounts.count == 2)
    let checked = #expect(throws: ConfigurationError.self) { try addition.checkOwner() }
    let written = #expect(throws: ConfigurationError.self) { try addition.write(text) }
    #expect(checked == written)
    #expect(
      checked.map(ConfigurationHome.text) == """
        ~/.config/magnum/config.toml: this file belongs to user \(owner), not to you: nothing is added to it
        hint: --print shows what to add to it; --config names another file
        """
    )
  }
}
