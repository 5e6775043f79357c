package import SyncPlan

/// What came of messages that were sent to another mailbox of the server.
package struct TransferOutcome: Sendable {
  /// The server's words where it refused; some messages may have gone all the same.
  package var refusal: ServerReply?
  /// The new UIDs that it named, by the old ones.
  package var pairs: [UInt32: UInt32] = [:]
  /// The UIDVALIDITY that the new ones belong to; nil where it named none.
  package var validity: UInt32?

  /// Nothing is known yet.
  package init() {}
}

/// What came of changes of flags.
package struct FlagOutcome: Sendable {
  /// Those that were made.
  package var stored: [FlagStore] = []
  /// Messages that the server has no more.
  package var gone: Set<UInt32> = []
  /// How many changes the user has no right to.
  package var forbidden = 0
  /// Messages that the server did not want to change, with its words.
  package var refused: [(uid: UInt32, reply: ServerReply)] = []

  /// Nothing was done yet.
  package init() {}
}

/// What came of messages that were to be marked as deleted, or to be expunged.
package struct RemovalOutcome: Sendable {
  /// Those of which it is certain that it was done.
  package var done: Set<UInt32> = []
  /// Those that the server refused, with the command and its words.
  package var refused: [(uid: UInt32, command: MailboxCommand, reply: ServerReply)] = []
  /// Those that are as they were although the server said OK, with the command: who may not remove a message is not always
  /// told so (RFC 4314 §4).
  package var ignored: [(uid: UInt32, command: MailboxCommand)] = []
  /// Other messages whose marks were taken off, and are not put back.
  package var unmarked: [UInt32] = []

  /// Nothing was done yet.
  package init() {}
}

/// What came of a message that was put into a mailbox.
package enum AppendResult: Sendable {
  /// It has this UID, under this UIDVALIDITY.
  case appended(validity: UInt32, uid: UInt32)
  /// The server took it, and did not say under which UID.
  case taken
  case refused(ServerReply)

  /// Whether it is open which message it is, and whether it is there.
  package var isTaken: Bool { if case .taken = self { true } else { false } }
}

/// What came of a mailbox that was to be removed.
package enum DeletionOutcome: Sendable {
  /// It went, with messages in it or without any.
  case deleted(wasEmpty: Bool)
  /// It holds messages that were not to go with it.
  case holdsOthers
  case refused(ServerReply)
}

/// What came of a mailbox that was to be made.
package enum CreationOutcome: Sendable {
  case made
  /// There was one of that name already.
  case existed
  case refused(ServerReply)
}
