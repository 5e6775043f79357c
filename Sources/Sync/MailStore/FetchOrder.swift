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
