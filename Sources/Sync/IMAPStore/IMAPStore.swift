internal import IMAP
internal import MailModel
internal import MailStore
internal import Platform
internal import SyncPlan
internal import SyncState
internal import Transport

/// A user's mailboxes on an IMAP server, over one connection.
final class IMAPStore: MailStore {
  let interruption: Interruption
  /// What the server is asked before it is known what is here.
  var questions: PipelinedQuestions

  /// What mailboxes are called here.
  var naming: NamingRules

  private let connection: Connection
  private let isQuickResync: Bool
  /// What the server was seen to do.
  let memory: ServerMemory
  /// Whether the server refuses MOVE, as it seems: only where it carries out COPY then that is remembered.
  private(set) var refusesMove: Bool

  /// Over the session of questions, some of which may be under way.
  init(
    asking questions: PipelinedQuestions,
    _ naming: NamingRules,
    _ memory: ServerMemory,
    _ interruption: Interruption
  ) {
    self.questions = questions
    self.naming = naming
    connection = questions.connection
    isQuickResync = questions.isQuickResync
    self.memory = memory
    refusesMove = memory.traits.refusesMove
    if !memory.traits.mayIdle(now: Clock.now()) { connection.refusesIdle = true }
    self.interruption = interruption
  }

  /// The session, once no answer is under way.
  func session() throws(SyncFailure) -> MailboxSession { try questions.finish() }

  /// Opens a mailbox that was read before, where it is not open; gives the connection over which it is asked then.
  func open(_ mailbox: MailboxReference) throws(SyncFailure) -> Connection {
    let session = try session()
    try session.open(mailbox)
    return session.connection
  }

  var traits: StoreTraits {
    let capabilities = connection.capabilities
    return StoreTraits(
      sizeLimit: capabilities.appendLimit,
      movesAtOnce: capabilities.canMove && !refusesMove,
      tellsVanished: isQuickResync,
      batchesQuestions: isQuickResync,
      tellsMailboxIDs: capabilities.contains("OBJECTID"),
      hasLabels: capabilities.contains(Summary.labelCapability),
      keepsSent: capabilities.contains(Summary.labelCapability),
      isEncrypted: connection.isEncrypted,
      words: capabilities.words
    )
  }

  /// Records what became of messages that were to be moved, or copied since MOVE was refused before.
  func recordRefusals(_ refusals: [ServerTransfer.Refusal?], ofMove isMove: Bool) {
    guard !refusals.isEmpty else { return }
    if isMove {
      refusesMove = refusals.contains(.ofCommand)
    } else if connection.capabilities.canMove, !memory.traits.refusesMove {
      // Where COPY is refused too, it was not for the command.
      refusesMove = refusals.contains(nil)
      if refusesMove { memory.updateTraits { $0.refusesMove = true } }
    }
  }

  /// Lets what was put on its way leave now.
  func flush() throws(SyncFailure) { try connection.flush() }

  func drainAnswers() throws(SyncFailure) {
    questions.forget()
    try connection.drainReplies()
  }

  /// A server that opens mailboxes only to programs that tell their name is told it, once.
  func recover(from failure: SyncFailure) throws(SyncFailure) -> Bool {
    guard case .identityWanted = failure, !memory.traits.needsIdentity else { return false }
    memory.updateTraits { $0.needsIdentity = true }
    connection.identify()
    try drainAnswers()
    return true
  }

  /// A server that ends connections over IDLE is asked for news over the open one.
  func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd {
    let connection = try session().connection
    do throws(SyncFailure) {
      let end = try connection.wait(order)
      noteIdle(since: connection.idleStart, isBroken: false)
      return end
    } catch {
      if error.isHangUp { noteIdle(since: connection.idleStart, isBroken: true) }
      throw error
    }
  }

  private func noteIdle(since start: Int64?, isBroken: Bool) {
    guard let start else { return }
    let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    guard isBroken || memory.traits.idleBreaks > 0 else { return }
    memory.updateTraits { $0.noteIdle(seconds: seconds, isBroken: isBroken, now: Clock.now()) }
  }

  var tellsAll: Bool { connection.tellsAll }

  func checkAlive(within seconds: Double) throws(SyncFailure) {
    try connection.checkAlive(within: seconds)
  }

  func close() { connection.close() }
}

extension SyncFailure {
  /// Whether the server ended the connection.
  fileprivate var isHangUp: Bool {
    switch self {
    case .hungUp, .transport(.closed): true
    default: false
    }
  }
}
