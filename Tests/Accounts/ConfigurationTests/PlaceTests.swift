import Configuration
import Glibc
import Platform
import TestSupport
import Testing

/// Which file is read.
@Suite struct PlaceTests {
  private let text = "[account.work]\nmaildir = \"~/Mail\"\n"

  @Test func theUsersOwn() throws {
    let home = try ConfigurationHome()
    try home.write(text)
    try home.directory.write("nonsense", to: "etc/config.toml")
    #expect(try home.load().path == Path(home.directory[".config/magnum/config.toml"]))
  }

  @Test func theSystemsWithoutOneOfTheUsers() throws {
    let home = try ConfigurationHome()
    try home.directory.write(text, to: "etc/config.toml")
    #expect(try home.load().path == Path(home.directory["etc/config.toml"]))
  }

  @Test func theOneThatIsNamed() throws {
    let home = try ConfigurationHome()
    try home.write("nonsense")
    let named = try home.directory.write(text, to: "other.toml")
    #expect(try home.load(explicit: named).path == Path(named))
  }

  @Test func noneAtAll() throws {
    let home = try ConfigurationHome()
    #expect(
      home.complaint() == """
        ~/.config/magnum/config.toml: no configuration there, nor at ~/etc/config.toml
        hint: magnum accounts add ADDRESS makes one; magnum-config(5) describes it
        """
    )
  }

  @Test func notTheOneThatIsNamed() throws {
    let home = try ConfigurationHome()
    try home.write(text)
    #expect(
      home.complaint(explicit: home.directory["other.toml"]) == """
        ~/other.toml: no configuration there
        hint: magnum accounts add ADDRESS makes one; magnum-config(5) describes it
        """
    )
  }

  @Test func aDirectory() throws {
    let home = try ConfigurationHome()
    #expect(home.complaint(explicit: home.directory.path) == "~: Is a directory")
  }

  @Test func aUsersFileThatCannotBeReadHidesTheSystems() throws {
    let home = try ConfigurationHome()
    try home.directory.write(text, to: "etc/config.toml")
    try Files.makeDirectories(home.directory[".config/magnum/config.toml"])
    #expect(home.complaint() == "~/.config/magnum/config.toml: Is a directory")
  }
}
