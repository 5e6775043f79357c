internal import IMAP
internal import MailModel
internal import MailStore
internal import Platform
internal import SyncState

/// A user's mailboxes on an IMAP server, over one connection.
final class IMAPStore: MailStore {
  let session: MailboxSession
  let interruption: Interruption
  /// The questions that the server is answering, in the order in which they were sent.
  var expected: [(question: MailboxQuestion, reader: RemoteReader)] = []

  /// Messages that came before they were asked for, by their mailbox.
  var early: [MailboxName: EarlyMessages] = [:]

  private let memory: ServerMemory

  init(_ session: MailboxSession, _ memory: ServerMemory, _ interruption: Interruption) {
    self.session = session
    self.memory = memory
    self.interruption = interruption
  }

  var connection: Connection { session.connection }

  var traits: StoreTraits {
    let capabilities = connection.capabilities
    return StoreTraits(
      sizeLimit: capabilities.appendLimit,
      movesAtOnce: capabilities.canMove,
      tellsVanished: session.isQuickResync,
      tellsMailboxIDs: capabilities.contains("OBJECTID"),
      hasLabels: capabilities.contains(Summary.labelCapability),
      isEncrypted: connection.isEncrypted,
      words: capabilities.words
    )
  }

  func settle() throws(SyncFailure) {
    expected = []
    early = [:]
    try connection.settle()
  }

  /// A server that opens mailboxes only to programs that tell their name is told it, once.
  func recover(from failure: SyncFailure) throws(SyncFailure) -> Bool {
    guard case .identityWanted = failure, !memory.traits.needsIdentity else { return false }
    memory.note { $0.needsIdentity = true }
    connection.identify()
    try settle()
    return true
  }

  func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd {
    try connection.wait(order)
  }

  var tellsAll: Bool { connection.tellsAll }

  func checkAlive(within seconds: Double) throws(SyncFailure) {
    try connection.checkAlive(within: seconds)
  }

  func close() { connection.close() }
}
