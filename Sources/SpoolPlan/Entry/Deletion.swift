package import MailModel

/// The deletion of a message.
package struct Deletion: Hashable, Sendable {
  /// What deleting means.
  package enum Manner: String, Hashable, Sendable {
    /// The message goes to the mailbox with the role \Trash.
    case trash
    /// The message is gone.
    case expunge
  }

  /// The message.
  package let message: MessageReference

  /// What becomes of it.
  package let manner: Manner

  /// A deletion of a message.
  package init(of message: MessageReference, _ manner: Manner) {
    self.message = message
    self.manner = manner
  }
}
