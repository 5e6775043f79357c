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

/// A message on the server, named so that another one is never taken for it.
package struct MessageReference: Hashable, Sendable {
  /// The mailbox, decoded.
  package let mailbox: [UInt8]

  /// The UIDVALIDITY of the mailbox under which the UID holds; 0 where it is not known.
  package let validity: UInt32

  /// The UID; 0 where it is not known, as of a file that is still to be uploaded.
  package let uid: UInt32

  /// The base name of the local file; `nil` when there is none.
  package var baseName: [UInt8]?

  /// The Message-ID, with its brackets, by which it is found under another UIDVALIDITY; `nil` for none.
  package var messageID: [UInt8]?

  package init(
    mailbox: [UInt8],
    validity: UInt32,
    uid: UInt32,
    baseName: [UInt8]?,
    messageID: [UInt8]?
  ) {
    self.mailbox = mailbox
    self.validity = validity
    self.uid = uid
    self.baseName = baseName
    self.messageID = messageID
  }
}
