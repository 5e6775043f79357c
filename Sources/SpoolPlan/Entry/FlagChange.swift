package import MailModel

/// A change of the flags of a message; doing it twice does no harm.
package struct FlagChange: Hashable, Sendable {
  /// The message.
  package let message: MessageReference

  /// The flags to set, as IMAP writes them.
  package let added: [[UInt8]]

  /// The flags to take away, as IMAP writes them.
  package let removed: [[UInt8]]

  /// A change of these flags.
  package init(of message: MessageReference, adding added: [[UInt8]], removing removed: [[UInt8]]) {
    self.message = message
    self.added = added
    self.removed = removed
  }
}
