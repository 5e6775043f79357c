package import MailModel

/// What an entry asks for.
package enum Action: Hashable, Sendable {
  /// A message goes to its recipients, and perhaps a copy into a mailbox.
  case send(Sending)

  /// A message goes into a mailbox.
  case append(Appending)

  /// Messages of the server are changed, one after the other; their log counts them in this order.
  case change([MessageRequest])

  /// The word for it in the file.
  package var kind: String {
    switch self {
    case .send: "send"
    case .append: "append"
    case .change: "change"
    }
  }

  /// Whether a message follows the header of the entry.
  package var hasMessage: Bool {
    switch self {
    case .send, .append: true
    case .change: false
    }
  }

  /// What it asks for messages of the server; empty for a message that is to go somewhere.
  package var requests: [MessageRequest] {
    switch self {
    case .send, .append: []
    case .change(let requests): requests
    }
  }

  /// The Message-ID of the one message it is about, with its brackets; `nil` where that has none, or there are more.
  package var messageID: [UInt8]? {
    switch self {
    case .send(let sending): sending.messageID
    case .append(let appending): appending.messageID
    case .change(let requests): requests.count == 1 ? requests[0].message.messageID : nil
    }
  }

  /// The agent that wrote the message; `nil` for a person, and where there is none.
  package var agent: [UInt8]? {
    if case .send(let sending) = self { sending.agent } else { nil }
  }

  /// How many things it asks for on the IMAP server: the copy, or what it is about.
  var stepCount: Int {
    switch self {
    case .send(let sending): sending.copy == nil ? 0 : 1
    case .append: 1
    case .change(let requests): requests.count
    }
  }
}

/// A message for a mailbox.
package struct Appending: Hashable, Sendable {
  /// The mailbox, decoded.
  package let mailbox: [UInt8]

  /// The flags it gets, as IMAP writes them.
  package let flags: [[UInt8]]

  /// The date it gets, in seconds since 1970; `nil` leaves it to the server.
  package let date: Int64?

  /// The Message-ID in the message, with its brackets; `nil` for none.
  package let messageID: [UInt8]?

  package init(to mailbox: [UInt8], flags: [[UInt8]], date: Int64?, messageID: [UInt8]?) {
    self.mailbox = mailbox
    self.flags = flags
    self.date = date
    self.messageID = messageID
  }
}
