internal import Glibc
package import Platform

/// What the configuration takes from the process around it: home, user, well-known places.
///
/// A value, so that a test can use any home directory.
package struct ConfigurationEnvironment: Hashable, Sendable {
  /// Where a leading `~` leads.
  package var home: Path

  /// The folder that holds `magnum/config.toml`: `$XDG_CONFIG_HOME`, else `~/.config`.
  package var configHome: Path

  /// The file of the system's accounts.
  package static let systemFile = Path("/etc/magnum/config.toml")

  /// The file that is read when the user has none.
  package var systemFile: Path

  /// The effective user id, to whom files with secrets must belong (root may own them too).
  package var user: UInt32

  /// Where Magnum remembers things: `$XDG_STATE_HOME`, else `~/.local/state`.
  package var stateHome: Path

  /// `$CREDENTIALS_DIRECTORY`, which systemd sets for a service; `nil` outside one.
  package var credentialsDirectory: Path?

  /// An environment put together by hand; `stateHome` is `~/.local/state` where it is not given.
  package init(
    home: Path,
    configHome: Path,
    systemFile: Path = ConfigurationEnvironment.systemFile,
    user: UInt32,
    stateHome: Path? = nil,
    credentialsDirectory: Path? = nil
  ) {
    self.home = home
    self.configHome = configHome
    self.systemFile = systemFile
    self.user = user
    self.stateHome = stateHome ?? home.appending(".local/state")
    self.credentialsDirectory = credentialsDirectory
  }

  /// The environment of this process.
  package static var current: ConfigurationEnvironment {
    ConfigurationEnvironment(
      home: Environment.homeDirectory,
      configHome: Environment.configHome,
      user: geteuid(),
      stateHome: Environment.stateHome,
      credentialsDirectory: Environment.value("CREDENTIALS_DIRECTORY").map { Path($0) }
    )
  }

  /// The user's own file, whether it is there or not.
  var userFile: Path { configHome.appending("magnum").appending("config.toml") }

  /// The path for people: `~` in place of the home directory, nothing that steers a terminal.
  package func shown(_ path: Path) -> String {
    guard path.octets.starts(with: home.octets), home.octets.count > 1 else { return path.display }
    let rest = path.octets.dropFirst(home.octets.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return path.display }
    return "~" + Path(Array(rest)).display
  }
}
