/// When a copy of what was sent is put into the mailbox for it.
package enum SentCopyRule: String, Hashable, Sendable, CaseIterable {
  /// Always but where the server does it by itself.
  case auto
  case always
  case never
}
