import Configuration
import Glibc
import Platform
import TestSupport
import Testing

/// A configuration that another user could have written, or put there, is not read: commands in it run in the user's name.
@Suite struct TrustTests {
  private static let text = "[account.work]\nmaildir = \"~/Mail\"\n"
  private let home: ConfigurationHome

  init() throws {
    home = try ConfigurationHome()
    try home.write(Self.text, mode: 0o644)
  }

  /// What is said after a script was run in the home.
  private func complaint(_ script: String) throws -> String? {
    try Command.shell("cd \"$1\"; umask 022; \(script)", [home.directory.path])
    return home.complaint()
  }

  private func others(_ path: String, _ kind: String, _ mode: String) -> String {
    "~/\(path): others can change this \(kind) (mode \(mode))\nhint: chmod go-w ~/\(path)"
  }

  @Test(arguments: [
    ("chmod 666 .config/magnum/config.toml", ".config/magnum/config.toml", "file", "0666"),
    ("chmod 777 .config/magnum", ".config/magnum", "directory", "0777"),
    ("chmod 777 .config", ".config", "directory", "0777"),
    // What a link leads to counts as well, with all on the way to it.
    (
      "mkdir -p d/e; mv .config/magnum/config.toml d/e/f; ln -s ../../d/e/f .config/magnum/config.toml; chmod 777 d",
      "d", "directory", "0777"
    ),
    (
      "mv .config/magnum/config.toml f; chmod 666 f; ln -s ../../f .config/magnum/config.toml",
      "f", "file", "0666"
    ),
    ("mv .config d; chmod 777 d/magnum; ln -s d .config", "d/magnum", "directory", "0777"),
  ])
  func whatOthersCanChangeIsNotRead(
    _ script: String,
    _ path: String,
    _ kind: String,
    _ mode: String
  ) throws {
    #expect(try complaint(script) == others(path, kind, mode))
  }

  /// Dotfile managers link files and directories; nobody can replace another's file in a directory of mode 1777.
  @Test(arguments: [
    ":", "chmod 600 .config/magnum/config.toml", "chmod 1777 .config",
    "mkdir -p d; mv .config/magnum/config.toml d/f; ln -s ../../d/f .config/magnum/config.toml",
    "mv .config d; ln -s \"$PWD/d\" .config",
    "mv .config d; ln -s d e; ln -s ./e/../e .config",
  ])
  func whatOnlyTheUserCanChangeIsRead(_ script: String) throws {
    #expect(try complaint(script) == nil)
  }

  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [
      ("chown 54321 .config/magnum/config.toml", ".config/magnum/config.toml", "file"),
      ("chown 54321 .config", ".config", "directory"),
      (
        "cd .config/magnum; mv config.toml f; ln -s f config.toml; chown -h 54321 config.toml",
        ".config/magnum/config.toml", "file"
      ),
      (
        "mkdir d; mv .config/magnum/config.toml d/f; chown 54321 d; ln -s ../../d/f .config/magnum/config.toml",
        "d", "directory"
      ),
    ]
  )
  func whatBelongsToAnotherIsNotRead(_ script: String, _ path: String, _ kind: String) throws {
    #expect(
      try complaint(script)
        == "~/\(path): this \(kind) belongs to user 54321, neither to you nor to root"
        + (kind == "file" ? "\nhint: chown root ~/\(path)" : "")
    )
  }

  /// A group with other members, and one that has the user's name and no other member.
  @Test(.enabled(if: geteuid() == 0)) func theUsersOwnGroupMayWrite() throws {
    #expect(try complaint("chmod 664 .config/magnum/config.toml; chmod 775 .config") == nil)
    #expect(
      try complaint("chgrp 54321 .config/magnum/config.toml")
        == others(".config/magnum/config.toml", "file", "0664")
    )
  }

  @Test func linksWithoutEnd() throws {
    #expect(
      try complaint("rm -r .config; ln -s b a; ln -s a b; ln -s a .config")
        == "~/.config/magnum/config.toml: Too many levels of symbolic links"
    )
  }

  /// What a shell gives as `--config <(command)`.
  @Test func aPipeThatTheCallerOpened() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    _ = Self.text.withCString { write(ends[1], $0, strlen($0)) }
    close(ends[1])
    #expect(home.complaint(explicit: "/dev/fd/\(ends[0])") == nil)
    close(ends[0])
  }

  /// Anyone who reads mail needs no password.
  @Test func aPasswordThatOthersCanReadIsNotUsed() throws {
    try home.write(
      "[account.work]\nmaildir = \"~/M\"\nimap = \"imaps://x.test\"\nuser = \"a\"\npassword = \"p\"\n",
      mode: 0o640
    )
    let account = try #require(try home.load().account(named: "work"))
    let file = home.directory[".config/magnum/config.toml"]
    #expect(
      throws: SecretError(
        key: "password",
        problem: .untrusted(FileTrust.Failure(Path(file), .secrecy(0o640))),
        place: "~/.config/magnum/config.toml:5"
      )
    ) { try account.secret.fetch(environment: home.environment) }
  }

  /// Variables that sudo -E and su leave behind.
  @Test(.enabled(if: geteuid() == 0)) func placesOfOthersDoNotCount() async {
    await #expect(processExitsWith: .success) {
      let directory = try TempDirectory("home")
      for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TMPDIR"] {
        setenv(name, directory["new/\(name)"], 1)
        precondition(Environment.ownPlace(name) == Path(directory["new/\(name)"]))
      }
      chown(directory.path, 54321, 54321)
      for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TMPDIR"] {
        precondition(Environment.ownPlace(name) == nil)
        precondition(Environment.ownPlace(name, user: 54321) != nil)
      }
      precondition(!Environment.configHome.octets.starts(with: directory.path.utf8))
    }
  }
}
