package import Platform

/// What can be wrong with a configuration, as facts; the words are in `message`.
package enum ConfigurationProblem: Hashable, Sendable {
  /// No file at any of the places looked at.
  case noFile(lookedAt: [String])

  /// The file cannot be opened or read; whether another user may.
  case unreadable(reason: String, isForbidden: Bool)

  /// The file cannot be written.
  case unwritable(reason: String)

  /// The file is a link to nothing, or no file.
  case notAFile

  /// The file was changed by another program at the same moment.
  case changed

  /// The file is longer than that many octets.
  case tooLong(limit: Int)

  /// The file is not UTF-8.
  case notText

  /// The file, or a string in it (written `\u0000`), holds a NUL octet.
  case containsNUL

  /// The file is not TOML; the reader's own words.
  case syntax(String)

  /// No account is configured.
  case noAccount

  /// A section that there is not.
  case unknownSection

  /// A key that there is not.
  case unknownKey

  /// A value of another type than the key takes.
  case wrongType(expected: String, found: String)

  /// A value that the key cannot take; `reason` completes "the value …" or stands alone.
  case badValue(reason: String)

  /// An account's name that cannot be one.
  case badAccountName(reason: String)

  /// A key, or one of several, that has to be there.
  case missing

  /// Keys of which only one may be given.
  case exclusive(with: String)

  /// A key that means nothing in an account like this one.
  case noEffect(because: String)

  /// Two accounts with one Maildir.
  case sharedMaildir(account: String)

  /// An account's Maildir inside that of another.
  case nestedMaildir(account: String)

  /// A file that another user could have written, or put there.
  case untrusted(FileTrust.Failure)

  /// A configuration that is to be added to and belongs to another user, such as root.
  case notOwn(user: UInt32)
}

/// A problem and its remedy, before anyone has said at which key of which file.
struct Mistake: Error {
  let problem: ConfigurationProblem
  let remedy: String?

  init(_ problem: ConfigurationProblem, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }

  /// A value that the key cannot take.
  static func badValue(_ reason: String, remedy: String? = nil) -> Mistake {
    Mistake(.badValue(reason: reason), remedy: remedy)
  }
}
