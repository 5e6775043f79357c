package import MailModel

/// What an entry asks for.
package enum Action: Hashable, Sendable {
  /// A message goes to its recipients, and perhaps a copy into a mailbox.
  case send(Sending)

  /// A message goes into a mailbox.
  case append(Appending)

  /// Flags of a message are set and taken away.
  case setFlags(FlagChange)

  /// A message goes into another mailbox.
  case move(Move)

  /// A message is deleted.
  case delete(Deletion)

  /// The word for it in the file.
  package var kind: String {
    switch self {
    case .send: "send"
    case .append: "append"
    case .setFlags: "flags"
    case .move: "move"
    case .delete: "delete"
    }
  }

  /// Whether a message follows the header of the entry.
  package var hasMessage: Bool {
    switch self {
    case .send, .append: true
    case .setFlags, .move, .delete: false
    }
  }

  /// The message of the server that it is about; `nil` for one that is to go somewhere.
  package var message: MessageReference? {
    switch self {
    case .send, .append: nil
    case .setFlags(let change): change.message
    case .move(let move): move.message
    case .delete(let deletion): deletion.message
    }
  }

  /// The Message-ID of the message it is about, with its brackets; `nil` where that has none.
  package var messageID: [UInt8]? {
    switch self {
    case .send(let sending): sending.messageID
    case .append(let appending): appending.messageID
    case .setFlags(let change): change.message.messageID
    case .move(let move): move.message.messageID
    case .delete(let deletion): deletion.message.messageID
    }
  }
}
