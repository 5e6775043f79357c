package import SMTP

/// A message on its way to its recipients.
package struct Sending: Hashable, Sendable {
  /// From whom and to whom; the recipients in the order by which the log counts them.
  package private(set) var envelope: Envelope

  /// The Message-ID in the message, with its brackets; the same in every attempt.
  package private(set) var messageID: [UInt8]?

  /// The copy that is to be made once a recipient has the message; `nil` for none.
  package private(set) var copy: SentCopy?

  /// The values of the Bcc fields, which are no longer in the message; for the copy, and for programs that read the fields.
  package private(set) var blindCopies: [UInt8]?

  /// A word of the caller for the log of deliveries (`-L`); `nil` for none.
  package let label: [UInt8]?

  /// The moment before which it is not sent, in seconds since 1970; `nil` for at once.
  package let notBefore: Int64?

  /// The agent that wrote it, so that a person at a terminal must approve it first; `nil` for a person.
  package let agent: [UInt8]?

  package init(
    _ envelope: Envelope,
    messageID: [UInt8]?,
    copy: SentCopy? = nil,
    blindCopies: [UInt8]? = nil,
    label: [UInt8]? = nil,
    notBefore: Int64? = nil,
    agent: [UInt8]? = nil
  ) {
    self.notBefore = notBefore
    self.agent = agent
    self.envelope = envelope
    self.messageID = messageID
    self.copy = copy
    self.blindCopies = blindCopies
    self.label = label
  }

  /// The same without a copy.
  package var withoutCopy: Sending {
    var alone = self
    alone.copy = nil
    return alone
  }

  /// The same to some of its recipients only, by their numbers from 0.
  package func limited(to recipients: [Int]) -> Sending {
    var part = self
    part.envelope.recipients = recipients.map { envelope.recipients[$0] }
    return part
  }

  /// The same with another message; `blindCopies` is `nil` where its Bcc fields stay as they were.
  package func revised(
    _ envelope: Envelope,
    messageID: [UInt8]?,
    blindCopies: [UInt8]?
  ) -> Sending {
    var new = self
    (new.envelope, new.messageID) = (envelope, messageID)
    new.blindCopies = blindCopies ?? self.blindCopies
    return new
  }
}

/// The copy of a message that was sent, in a mailbox of the sender.
package struct SentCopy: Hashable, Sendable {
  /// The mailbox, decoded; `nil` is the one with the role \Sent.
  package let mailbox: [UInt8]?

  /// The flags it gets, as IMAP writes them.
  package let flags: [[UInt8]]

  /// A copy into a mailbox; seen, if nothing else is said.
  package init(to mailbox: [UInt8]? = nil, flags: [[UInt8]] = [[UInt8]("\\Seen".utf8)]) {
    self.mailbox = mailbox
    self.flags = flags
  }
}
