/// Why a file of aliases, or a list that one includes, is not used.
package enum AliasFileProblem: Error, Hashable, Sendable {
  /// The path does not begin with a slash.
  case relative

  /// There is no such file.
  case missing

  /// The system does not let it be read, in its words.
  case unreadable(String)

  /// It is a directory, a pipe or the like.
  case notAFile

  /// It is longer than so many octets.
  case tooLong(limit: Int)

  /// A user who is neither root nor the sender could have written it or put it there: how, and a command that helps.
  case untrusted(String, remedy: String?)

  /// A list without any address.
  case empty

  /// A list that includes itself, or lists in lists too deep.
  case loop
}
