import Configuration
import Glibc
import Platform
import TestSupport

/// A home directory of a test with a configuration in it.
struct ConfigurationHome {
  let directory: TempDirectory
  var environment: ConfigurationEnvironment

  init() throws {
    directory = try TempDirectory("home")
    environment = ConfigurationEnvironment(
      home: Path(directory.path),
      configHome: Path(directory[".config"]),
      systemFile: Path(directory["etc/config.toml"]),
      user: geteuid()
    )
  }

  /// Writes the user's configuration file.
  func write(_ text: String, mode: UInt32 = 0o600) throws {
    try write(Array(text.utf8), mode: mode)
  }

  /// Writes the user's configuration file.
  func write(_ octets: [UInt8], mode: UInt32 = 0o600) throws {
    let file = try directory.write(octets, to: ".config/magnum/config.toml", mode: mode)
    chmod(file, mode)
  }

  func load(explicit: String? = nil) throws(ConfigurationError) -> Configuration {
    try Configuration.load(explicit: explicit.map { Path($0) }, environment: environment)
  }

  /// What a user is told about the configuration; `nil` when nothing is wrong.
  func complaint(explicit: String? = nil) -> String? {
    do {
      _ = try load(explicit: explicit)
      return nil
    } catch {
      return Self.text(error)
    }
  }

  /// The mistake as a program shows it, without the program's name.
  static func text(_ error: ConfigurationError) -> String {
    "\(error.place): \(error.message)" + (error.hint.map { "\nhint: \($0)" } ?? "")
  }
}
