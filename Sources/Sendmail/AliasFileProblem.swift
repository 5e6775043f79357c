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

  /// It belongs to a user who is neither root, nor the sender, nor the owner of its directory.
  case foreignOwner(user: UInt32)

  /// All users can write to it, or put another file in its place.
  case openToOthers(mode: UInt32)

  /// A list without any address.
  case empty

  /// A list that includes itself, or lists in lists too deep.
  case loop
}
