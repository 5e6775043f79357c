internal import Platform

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
