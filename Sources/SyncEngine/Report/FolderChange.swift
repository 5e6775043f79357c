/// What happened to a mailbox or its folder as a whole.
package enum FolderChange: Hashable, Sendable {
  /// Where it happened.
  package enum Side: String, Sendable {
    case server, local
  }

  case made(Side)
  case renamed(Side, from: String)
  case removed(Side)
}
