/// What is asked of the server for one message.
package struct MessageRequest: Hashable, Sendable {
  /// What is to become of the message.
  package enum Change: Hashable, Sendable {
    /// These flags are set and those taken away, as IMAP writes them; doing it twice does no harm.
    case flags(adding: [[UInt8]], removing: [[UInt8]])
    /// It goes into the mailbox of this decoded name, with slashes between the levels.
    case move(to: [UInt8])
    /// It goes into the mailbox for removed messages, which is made where there is none.
    case trash
    /// It goes for good.
    case expunge

    /// Whether the message leaves its mailbox by it.
    package var isDeparture: Bool {
      switch self {
      case .flags: false
      case .move, .trash, .expunge: true
      }
    }
  }

  package var message: MessageReference
  /// What is to become of it.
  package var change: Change

  package init(_ change: Change, of message: MessageReference) {
    self.message = message
    self.change = change
  }
}
