/// What becomes of the server's message when its file is removed.
package enum LocalDeletion: String, Hashable, Sendable, CaseIterable {
  /// It goes to Trash; in Trash and Drafts it goes for good.
  case trash
  /// It goes for good.
  case expunge
  /// It stays.
  case keep
}
