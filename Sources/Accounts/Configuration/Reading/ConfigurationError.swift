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

  /// The same mistake in a section that the file does not have yet.
  init(inAdditionOf error: ConfigurationError, environment: ConfigurationEnvironment) {
    (file, line, key) = (error.file, nil, error.key)
    problem = error.problem
    remedy = error.remedy ?? "--print shows this section, to be added by hand"
    place = "the section to be added to \(environment.shown(error.file))"
  }
}

extension ConfigurationError {
  /// The key and what is wrong with it, in one line: `account.work.passwort: unknown key`.
  package var message: String {
    guard let key else { return problem.text }
    return "\(key): \(problem.text)"
  }

  /// What to do about it; `nil` when the message says it all.
  package var hint: String? { remedy }
}

extension ConfigurationProblem {
  /// Where else it was looked for; the first place is named already.
  private static func others(_ places: [String]) -> String {
    places.count > 1 ? ", nor at \(places.dropFirst().joined(separator: " or "))" : ""
  }

  /// What is wrong, in words that follow the key's name.
  var text: String {
    switch self {
    case .noFile(let places): "no configuration there\(Self.others(places))"
    case .unreadable(let reason, _): reason
    case .unwritable(let reason): "cannot be written: \(reason)"
    case .notAFile: "not a file, or a link to nothing"
    case .changed: "was changed by another program meanwhile; nothing was written"
    case .tooLong(let limit): "longer than \(limit) octets"
    case .notText: "not UTF-8"
    case .containsNUL: "contains a NUL"
    case .syntax(let words): words
    case .noAccount: "no account"
    case .unknownSection: "unknown section"
    case .unknownKey: "unknown key"
    case .wrongType(let expected, let found): "must be \(expected), not \(found)"
    case .badValue(let reason), .badAccountName(let reason): reason
    case .missing: "missing"
    case .exclusive(let other): "conflicts with \(other)"
    case .noEffect(let reason): "has no effect \(reason)"
    case .sharedMaildir(let account): "is the Maildir of account \(account) too"
    case .nestedMaildir(let account): "lies inside the Maildir of account \(account)"
    case .untrusted(let failure): failure.words
    case .notOwn(let user):
      "this file belongs to user \(user), not to you: nothing is added to it"
    }
  }
}
