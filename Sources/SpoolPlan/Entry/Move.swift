package import MailModel

/// A move of a message into another mailbox.
package struct Move: Hashable, Sendable {
  /// The message.
  package let message: MessageReference

  /// Where it goes, decoded.
  package let target: [UInt8]

  /// A move of a message.
  package init(of message: MessageReference, to target: [UInt8]) {
    self.message = message
    self.target = target
  }
}
