internal import IMAP
internal import Platform

/// How the program names itself to servers that ask for it (RFC 2971).
enum ClientIdentity {
  /// The command that does so; nothing in it is about the user.
  static let command = Command.id(
    name: Array("magnum".utf8),
    version: Array(Version.number.utf8)
  )
}
