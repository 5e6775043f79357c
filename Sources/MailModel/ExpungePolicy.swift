/// In which mailboxes a message goes for good once both sides mark it as deleted.
package enum ExpungePolicy: String, Hashable, Sendable, CaseIterable {
  case never
  /// In Trash and Drafts.
  case trash
  case all
}
