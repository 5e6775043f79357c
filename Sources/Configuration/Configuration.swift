package import Platform

/// The configuration file, read and checked as a whole.
package struct Configuration: Hashable, Sendable {
  /// The file it came from.
  package let path: Path

  /// The accounts in the order of the file; at least one.
  package let accounts: [Account]

  /// The account of that name, compared octet by octet; `nil` when there is none.
  package func account(named name: String) -> Account? {
    accounts.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Reads the file the user named, else his own, else the system's.
  ///
  /// - Parameters:
  ///   - explicit: the file of `--config`; it must be there. `nil`: the well-known places.
  ///   - environment: home, user and the well-known places.
  /// - Returns: what the file says; nothing of it is ever ignored.
  /// - Throws: the first mistake found.
  package static func load(
    explicit: Path? = nil,
    environment: ConfigurationEnvironment = .current
  ) throws(ConfigurationError) -> Configuration {
    let file = try ConfigurationFile.find(explicit: explicit, environment: environment)
    return try ConfigurationReader(file: file, environment: environment).configuration()
  }
}
