internal import MailModel
internal import MailStore
internal import MessageContent
internal import SyncPlan

// What labels have no part in.
extension LabelStore {
  func status(
    of names: [MailboxName]
  ) throws(SyncFailure) -> [MailboxName: ServerMailbox.Status] { try base.status(of: names) }

  func serverIDs(of names: [MailboxName]) throws(SyncFailure) -> [MailboxName: [UInt8]] {
    try base.serverIDs(of: names)
  }

  func unsubscribe(_ name: MailboxName) throws(SyncFailure) {}

  func samples(
    _ wanted: [MailboxName: [UInt32]]
  ) throws(SyncFailure) -> [MailboxName: [UInt32: RemoteMessage]] { try base.samples(wanted) }

  func expect(_ questions: [MailboxQuestion]) throws(SyncFailure) { try base.expect(questions) }

  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    try base.open(name, forChanges: forChanges)
  }

  func headers(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: HeaderFacts] { try base.headers(of: uids, in: mailbox) }

  func messageIDs(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: UInt64] { try base.messageIDs(of: uids, in: mailbox) }

  func contents(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: ReadContent] { try base.contents(of: uids, in: mailbox) }

  func structures(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: BodyStructure] { try base.structures(of: uids, in: mailbox) }

  func sections(
    _ orders: [SectionOrder],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [FetchedSections] { try base.sections(orders, in: mailbox) }

  func messages(
    withID identifier: [UInt8],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32]? { try base.messages(withID: identifier, in: mailbox) }

  func find(
    _ wanted: [WantedArrival],
    besides claimed: Set<UInt32>,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [RemoteMessage?] {
    try base.find(wanted, besides: claimed, in: mailbox)
  }

  func change(_ orders: [FlagOrder]) throws(SyncFailure) -> [FlagResult] {
    try base.change(orders)
  }

  func change(
    _ uid: UInt32,
    adding: [[UInt8]],
    removing: [[UInt8]],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> ServerReply? {
    try base.change(uid, adding: adding, removing: removing, in: mailbox)
  }

  func transfer(
    _ orders: [TransferOrder],
    from mailbox: MailboxReference,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> [TransferOutcome] {
    try base.transfer(orders, from: mailbox, asking: &late)
  }

  func move(
    _ orders: [MoveOrder],
    asking late: inout LateQuestions,
    expecting expected: [MailboxQuestion]
  ) throws(SyncFailure) -> [TransferOutcome] {
    try base.move(orders, asking: &late, expecting: expected)
  }

  func mark(
    _ uids: [UInt32],
    unchangedSince modSequence: UInt64?,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> RemovalOutcome {
    try base.mark(uids, unchangedSince: modSequence, in: mailbox)
  }

  func expunge(
    _ uids: [UInt32],
    in mailbox: MailboxReference,
    unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome {
    try base.expunge(uids, in: mailbox, unmarking: unmarking)
  }

  func append(_ orders: [AppendOrder]) throws(SyncFailure) -> [AppendAnswer] {
    try base.append(orders)
  }

  // MARK: The connection

  func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd { try base.wait(order) }
  var tellsAll: Bool { base.tellsAll }
  func checkAlive(within seconds: Double) throws(SyncFailure) {
    try base.checkAlive(within: seconds)
  }
  func drainAnswers() throws(SyncFailure) { try base.drainAnswers() }
  func recover(from failure: SyncFailure) throws(SyncFailure) -> Bool {
    try base.recover(from: failure)
  }
  func close() { base.close() }
}
