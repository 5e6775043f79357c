package import Platform

/// A mistake in the configuration: where it is, what it is, and what to do about it.
///
/// Shown as `program: place: message`, then `hint: remedy`.
package struct ConfigurationError: Error, Hashable, Sendable {
  /// The file; when there is none, the one that should be there.
  package let file: Path

  /// The line, from 1; `nil` when the mistake has none.
  package let line: Int?

  /// The whole name of the key or section, `account.work.sync.direction`; `nil` for the file itself.
  package let key: String?

  /// What is wrong.
  package let problem: ConfigurationProblem

  /// What to do about it, in words; `nil` when the problem says it all.
  package let remedy: String?

  /// File and line for people, the home directory written `~`: `~/.config/magnum/config.toml:12`.
  package let place: String

  /// Whether the user may not read the file; another one, such as root, may.
  package var isOfPermissions: Bool {
    if case .unreadable(_, let isForbidden) = problem { isForbidden } else { false }
  }

  init(
    file: Path,
    line: Int? = nil,
    key: [String] = [],
    mistake: Mistake,
    environment: ConfigurationEnvironment
  ) {
    self.file = file
    self.line = line
    self.key = key.isEmpty ? nil : KeyName.text(key)
    problem = mistake.problem
    remedy = mistake.remedy
    place = environment.shown(file) + (line.map { ":\($0)" } ?? "")
  }
}
