package import SyncPlan

/// Messages that are to be fetched from one mailbox.
package struct FetchOrder {
  package let mailbox: MailboxReference
  /// The messages, in about the order in which they are wanted.
  package let messages: [RemoteMessage]
  /// Takes them.
  package let sink: any MessageSink
  /// Gives a few more whenever all so far were asked for, none at the end; nil where these are all.
  package let more: (() -> [RemoteMessage])?

  package init(
    _ messages: [RemoteMessage],
    in mailbox: MailboxReference,
    into sink: any MessageSink,
    more: (() -> [RemoteMessage])? = nil
  ) {
    self.messages = messages
    self.mailbox = mailbox
    self.sink = sink
    self.more = more
  }
}

/// What came of a `FetchOrder`.
package enum FetchResult: Sendable {
  /// The sink has all that the server gave; `isComplete` says whether every message was delivered or is known to be gone.
  case done(isComplete: Bool)
  /// Nothing more can be had of that mailbox in this run.
  case failed(SyncFailure)
}

/// Sections of one message that are to be fetched, such as its header and texts.
package struct SectionOrder: Sendable {
  /// One of them.
  package struct Section: Hashable, Sendable {
    /// Its name in small letters as IMAP has it: `header`, `1`, `1.2.mime`.
    package let name: [UInt8]
    /// The octet of it at which what is fetched begins, from 0.
    package let start: Int
    /// Octets of it that are fetched at most.
    package let limit: Int

    package init(_ name: [UInt8], from start: Int = 0, limit: Int) {
      self.name = name
      self.start = start
      self.limit = limit
    }
  }

  /// The message.
  package let uid: UInt32
  /// The sections, none twice.
  package let sections: [Section]

  package init(uid: UInt32, sections: [Section]) {
    self.uid = uid
    self.sections = sections
  }
}

/// What came of a `SectionOrder`.
package struct FetchedSections: Sendable {
  /// The message with its flags, size and date of now.
  package let message: RemoteMessage
  /// The sections that the server gave, by their names in small letters.
  package let sections: [[UInt8]: [UInt8]]

  package init(message: RemoteMessage, sections: [[UInt8]: [UInt8]]) {
    self.message = message
    self.sections = sections
  }
}

/// Takes messages as a server gives them.
///
/// The octets of one come before it is certain which it is.
package protocol MessageSink: AnyObject {
  /// The octets of a message begin.
  func begin() throws(SyncFailure)
  /// Its next octets, as they came over the wire.
  func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure)
  /// Its octets are complete.
  func end() throws(SyncFailure)
  /// What is complete is this message, with its flags, size and date of now.
  func deliver(_ message: RemoteMessage) throws(SyncFailure)
  /// What is complete is no message that was asked for.
  func discard() throws(SyncFailure)
  /// All that the server gives of the order has come.
  func finishOrder() throws(SyncFailure)
  /// The server did not give a message that it lists.
  func fail(_ uid: UInt32, _ problem: MessageProblem)
  /// The connection broke when this message was to come next.
  func noteBreak(over uid: UInt32)
}

extension MessageSink {
  /// Most do not ask why.
  package func noteBreak(over uid: UInt32) {}
}
