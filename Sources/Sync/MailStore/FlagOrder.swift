package import SyncPlan

/// Flags that are to be changed in a mailbox, and what is asked behind that.
package struct FlagOrder {
  package let mailbox: MailboxReference
  /// The changes, one a message.
  package let stores: [FlagStore]
  /// Octets on the wire of the messages, by UID, as far as they are known: by these a store may make sure that it changes no other
  /// message.
  package let sizes: [UInt32: UInt64]
  package let late: LateQuestions

  package init(
    _ stores: [FlagStore],
    in mailbox: MailboxReference,
    sizes: [UInt32: UInt64] = [:],
    asking late: LateQuestions = LateQuestions()
  ) {
    self.stores = stores
    self.sizes = sizes
    self.mailbox = mailbox
    self.late = late
  }
}

/// What came of a `FlagOrder`.
package enum FlagResult {
  /// What came of the changes, and the questions with what was answered.
  case done(FlagOutcome, LateQuestions)
  /// Nothing more can be changed in that mailbox in this run.
  case failed(SyncFailure)
}
