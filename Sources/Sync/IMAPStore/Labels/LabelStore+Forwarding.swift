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
