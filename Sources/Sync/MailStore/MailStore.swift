package import MailModel
package import MessageContent
package import SyncPlan

/// The mailboxes of one user on a server, over one connection; used by one thread at a time.
///
/// The store decides how a server is best asked, and how a change is made safe although the server lacks an extension. A change
/// in a mailbox names it by a reference. Where another mailbox has its name now, nothing is done and `identityChanged` is
/// thrown.
package protocol MailStore: AnyObject {
  /// What the server can do.
  var traits: StoreTraits { get }

  // MARK: Mailboxes as a whole

  /// The server's mailboxes, with what can be told of all of them at once.
  func list() throws(SyncFailure) -> ServerListing

  /// What the server tells of single mailboxes now; those that it does not have are left out.
  func status(of names: [MailboxName]) throws(SyncFailure) -> [MailboxName: ServerMailbox.Status]

  /// The ids of mailboxes that stay when they are renamed; none where the server tells none.
  func serverIDs(of names: [MailboxName]) throws(SyncFailure) -> [MailboxName: [UInt8]]

  /// Makes a mailbox and subscribes to it.
  func create(_ name: MailboxName) throws(SyncFailure) -> CreationOutcome

  /// Makes a mailbox for a role under the first of the names that the server takes; nil where it takes none.
  func create(for role: MailboxRole, under names: [MailboxName]) throws(SyncFailure) -> MailboxName?

  /// Renames mailboxes in this order, and subscribes to the new names except for those of `back`; gives the new names that
  /// the server accepted.
  func rename(
    _ renames: [(from: MailboxName, to: MailboxName)],
    back: [(from: MailboxName, to: MailboxName)]
  ) throws(SyncFailure) -> Set<MailboxName>

  /// Removes a mailbox and its subscription.
  ///
  /// It stays if it holds a message that is not among these UIDs, or one that is flagged and not in `flagged`.
  ///
  /// What comes in the very moment of the removal goes with it: no server removes a mailbox on a condition.
  func delete(
    _ mailbox: MailboxReference,
    holdingOnly known: Set<UInt32>,
    flagged: Set<UInt32>
  ) throws(SyncFailure) -> DeletionOutcome

  /// Ends the subscription to a name.
  func unsubscribe(_ name: MailboxName) throws(SyncFailure)

  /// Size and date of messages of mailboxes that are only looked at; none of one that cannot be opened.
  func samples(
    _ wanted: [MailboxName: [UInt32]]
  ) throws(SyncFailure) -> [MailboxName: [UInt32: RemoteMessage]]

  // MARK: One mailbox

  /// Has the server begin to answer questions that are asked soon, so that it works meanwhile.
  func expect(_ questions: [MailboxQuestion]) throws(SyncFailure)

  /// What changed in a mailbox, or everything where that cannot be told.
  func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox

  /// Opens a mailbox anew, for changes or to look, and says what it is like; without messages.
  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox

  /// What the whole headers of messages tell, by UID; those that are gone are left out.
  func headers(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: HeaderFacts]

  /// The hashes of Message-IDs, by UID, 0 for a message without one; those that are gone are left out.
  func messageIDs(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: UInt64]

  /// The identities of whole messages, by UID; those that are gone are left out.
  func contents(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: ReadContent]

  /// The flags of messages as they are now, by UID; those that are gone are left out.
  func flags(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: MessageFlags]

  /// What messages are made of, by UID; those that are gone, or of which the server tells nothing that can be read, are left
  /// out.
  func structures(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: BodyStructure]

  /// Sections of messages, in one round trip; messages that are gone, or that the server refuses, are left out.
  ///
  /// Several orders may be about one message, if they are about different pieces of it.
  func sections(
    _ orders: [SectionOrder],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [FetchedSections]

  /// The messages with that Message-ID, which has its angle brackets; nil where it cannot be searched for.
  func messages(
    withID identifier: [UInt8],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32]?

  /// The messages that were sent to the mailbox, nil where there is none; `claimed` are other ones.
  func find(
    _ wanted: [WantedArrival],
    besides claimed: Set<UInt32>,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [RemoteMessage?]

  /// Fetches messages of several mailboxes, in as few round trips as it can; gives what came of each order.
  ///
  /// A failure of the connection ends all; any other only the order that it comes with.
  func fetch(_ orders: [FetchOrder]) throws(SyncFailure) -> [FetchResult]

  // MARK: Changes

  // What is asked late is answered as far as the store can, and never fails a change.

  /// Changes flags in several mailboxes, in as few round trips as it can; gives what came of each order.
  ///
  /// One message that the server refuses does not keep the others. No mailbox is in two orders. A failure of the connection ends
  /// all; any other only the order that it comes with.
  func change(_ orders: [FlagOrder]) throws(SyncFailure) -> [FlagResult]

  /// Sets and clears flags of one message, any that IMAP can write; gives the server's words where it refuses.
  func change(
    _ uid: UInt32,
    adding: [[UInt8]],
    removing: [[UInt8]],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> ServerReply?

  /// Sends messages of a mailbox to others, in as few round trips as it can; gives what came of each order, in their order.
  ///
  /// See `StoreTraits.movesAtOnce`; an order for copies leaves the messages where they are in any case. No message is in two orders. A failure of the connection ends all.
  func transfer(
    _ orders: [TransferOrder],
    from mailbox: MailboxReference,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> [TransferOutcome]

  /// Moves messages of several mailboxes to others in one round trip, those alone that the server itself finds as the orders say;
  /// gives what it named of each order.
  ///
  /// What is not named may have been moved all the same, or may not have been tried, and is to be moved by itself: that does no harm
  /// where it was. A server that does not move at once, or cannot find messages so, names none. No mailbox or message is in two
  /// orders. A failure of the connection ends all. `expected` is asked in the same round trip, as by `expect`.
  func move(
    _ orders: [MoveOrder],
    asking late: inout LateQuestions,
    expecting expected: [MailboxQuestion]
  ) throws(SyncFailure) -> [TransferOutcome]

  /// Marks messages as deleted; where a modification sequence is given, only those that did not change since.
  ///
  /// Done are those that have the mark or are gone, whatever the server said.
  func mark(
    _ uids: [UInt32],
    unchangedSince modSequence: UInt64?,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> RemovalOutcome

  /// Expunges those of the messages that are marked as deleted, and no other; done are those that are gone, whatever the
  /// server said.
  ///
  /// Where the server can only expunge all marked messages, the marks of others are removed before, and set again after. A
  /// failure of the connection in between loses these marks, so `unmarking` is told their UIDs before. Nothing is done where
  /// others are marked at the same time.
  func expunge(
    _ uids: [UInt32],
    in mailbox: MailboxReference,
    unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome

  /// Puts messages into mailboxes, in as few round trips as it can; gives what came of each order.
  func append(_ orders: [AppendOrder]) throws(SyncFailure) -> [AppendAnswer]

  // MARK: The connection

  /// Begins a further sync over a connection that served one before: whatever is open is left.
  ///
  /// - Parameter expectation: the names of mailboxes here, and the likely next questions. They are answered too where that
  ///   costs no round trip.
  /// - Returns: the server's mailboxes, with what can be told of all of them at once.
  /// - Throws: where the connection is gone, or the list is refused.
  func resume(expecting expectation: ServerExpectation) throws(SyncFailure) -> ServerListing

  /// Waits until the server reports a change, the caller is woken, or the deadline comes.
  ///
  /// The server reports changes in the mailbox that was opened last, or in any where `tellsAll` is true. It continues to do so
  /// until the next command.
  ///
  /// What changed is not told; it has to be asked for.
  func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd

  /// Whether `wait` tells of changes in the user's other mailboxes too, as far as it is known.
  var tellsAll: Bool { get }

  /// Asks for a sign of life, which has to come within so many seconds.
  func checkAlive(within seconds: Double) throws(SyncFailure)

  /// Waits for all answers that are still under way, and drops them, so that none is taken for that to the next question.
  func drainAnswers() throws(SyncFailure)

  /// Does what the server requested by a failure, so that the same command can be retried over this connection.
  ///
  /// False where nothing can be done.
  func recover(from failure: SyncFailure) throws(SyncFailure) -> Bool

  /// Ends the connection in an orderly way, without waiting for an answer.
  func close()
}

// Without questions.
extension MailStore {
  /// Changes flags; one message that the server refuses does not keep the others.
  package func change(
    _ stores: [FlagStore],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> FlagOutcome {
    switch try change([FlagOrder(stores, in: mailbox)]).first {
    case .done(let outcome, _): return outcome
    case .failed(let failure): throw failure
    case nil: return FlagOutcome()
    }
  }

  /// Puts messages into a mailbox; gives what came of each.
  package func append(
    _ messages: [any MessageSource],
    to name: MailboxName
  ) throws(SyncFailure) -> [AppendResult] {
    try append([AppendOrder(messages, to: name)]).first?.results ?? []
  }

  /// Sends messages to one other mailbox.
  package func transfer(
    _ uids: [UInt32],
    from mailbox: MailboxReference,
    to target: MailboxName
  ) throws(SyncFailure) -> TransferOutcome {
    var none = LateQuestions()
    let outcomes = try transfer([TransferOrder(uids, to: target)], from: mailbox, asking: &none)
    return outcomes.first ?? TransferOutcome()
  }
}
