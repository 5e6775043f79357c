internal import IMAP
internal import MailModel
internal import MailStore
internal import Platform
internal import SyncPlan
internal import SyncState

/// An account's IMAP server.
struct IMAPServer: MailServer {
  private let dialer: RememberingDialer
  private let interruption: Interruption
  private let report: @Sendable (StoreEvent) -> Void

  init(_ access: IMAPAccess, report: @escaping @Sendable (StoreEvent) -> Void) {
    dialer = RememberingDialer(access, report: report)
    interruption = access.interruption
    self.report = report
  }

  /// What the server was seen to do.
  var memory: ServerMemory { dialer.memory }

  // MARK: Connections

  /// Opens a connection, first with commands behind the log-in.
  ///
  /// If anything fails then, the log-in is repeated without them, and that is remembered. So no run fails because of commands
  /// that were sent early.
  func open(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    let opened = try openStore(isWriting: isWriting, expecting: expectation)
    recordRoles(opened.listing)
    return opened
  }

  /// As `open`; what mailboxes are for is not remembered.
  func openStore(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: IMAPStore, listing: ServerListing) {
    let beginning = dialer.dialer.begin()
    let expected = try expectation()
    let capabilities = Capabilities(expected.capabilities)
    let naming = expected.naming
    let mayAsk = MailboxListing.canFollow(capabilities) && memory.mayAskEarly
    let asked = PrefetchedCommands.Expected(isWriting: isWriting, questions: expected.questions)
    let prefetched = PrefetchedCommands(
      MailboxListing.pipelined(capabilities),
      asking: mayAsk ? asked : nil
    )
    do throws(SyncFailure) {
      return try open(prefetched, isWriting, naming, beginning)
    } catch {
      if case .identityWanted = error, !memory.traits.needsIdentity {
        memory.updateTraits { $0.needsIdentity = true }
        return try open(PrefetchedCommands(), isWriting, naming)
      }
      guard let consequence = prefetched.consequence(of: error) else { throw error }
      // A server that names a limit is left alone until the next run.
      guard !error.isLimit else {
        recordConsequence(consequence, of: error)
        throw error
      }
      report(.step("what was sent behind the log-in was not answered; connecting again"))
      let opened = try open(PrefetchedCommands(), isWriting, naming)
      recordConsequence(consequence, of: error)
      return opened
    }
  }

  private func recordConsequence(
    _ consequence: PrefetchedCommands.Consequence,
    of failure: SyncFailure
  ) {
    switch consequence {
    case .pipelining(let pipelining): memory.updateTraits { $0.pipelining = pipelining }
    case .questions: memory.refuseEarlyQuestions(because: failure)
    }
  }

  private func open(
    _ prefetched: PrefetchedCommands,
    _ isWriting: Bool,
    _ naming: NamingRules,
    _ beginning: Dialer.Beginning? = nil
  ) throws(SyncFailure) -> (store: IMAPStore, listing: ServerListing) {
    let connection = try dialer.connect(prefetched, beginning)
    do throws(SyncFailure) {
      report(.listing)
      var listing = MailboxListing(connection)
      let answered = try listing.finish(prefetched.tags, of: prefetched.commands) {
        () throws(SyncFailure) in
        try prefetched.finishQuestions()
      }
      if prefetched.wereSent { try dialer.dialer.learnCapabilities(connection) }
      recordPipelining(prefetched, isAnswered: answered != nil, connection.capabilities)
      let result = if let answered { answered } else { try listing.ask() }
      let mailboxes = result.listing(naming)
      if listing.tellsOfMessages { prefetched.forgetAnswers() }
      let asked = answered?.isQuickResync == true ? prefetched.questions : nil
      let store = store(
        asked ?? questions(connection, isQuickResync: result.isQuickResync, isWriting),
        naming
      )
      return (store, mailboxes)
    } catch {
      connection.close()
      throw error
    }
  }

  private func store(_ questions: PipelinedQuestions, _ naming: NamingRules = .plain) -> IMAPStore {
    IMAPStore(asking: questions, naming, memory, interruption)
  }

  private func questions(
    _ connection: Connection,
    isQuickResync: Bool,
    _ isWriting: Bool
  ) -> PipelinedQuestions {
    PipelinedQuestions(
      MailboxSession(connection, isQuickResync: isQuickResync, isWriting: isWriting)
    )
  }

  /// Commands that act without a server ask later what mailboxes are for.
  func recordRoles(_ listing: ServerListing) {
    var roles: [MailboxRole: [UInt8]] = [:]
    for mailbox in listing.mailboxes where mailbox.isSelectable {
      guard let role = mailbox.attributedRole, roles[role] == nil else { continue }
      roles[role] = mailbox.path.joined
    }
    memory.updateTraits { [roles] in $0.roles = roles }
  }

  /// A refusal says something about the log-in only where the server still offers what was asked for.
  private func recordPipelining(
    _ prefetched: PrefetchedCommands,
    isAnswered: Bool,
    _ capabilities: Capabilities
  ) {
    guard prefetched.wereAtRisk else { return }
    if let limit = prefetched.limit { recordConsequence(.questions, of: limit) }
    if isAnswered {
      memory.updateTraits { $0.pipelining = .works }
    } else if prefetched.commands == MailboxListing.pipelined(capabilities) {
      memory.updateTraits { $0.pipelining = .fails }
    }
  }

  /// One more connection, with QRESYNC where the first has it.
  func openAnother(
    like traits: StoreTraits,
    isWriting: Bool
  ) throws(SyncFailure) -> any MailStore {
    try openAnotherStore(like: traits, isWriting: isWriting)
  }

  /// As `openAnother`.
  func openAnotherStore(
    like traits: StoreTraits,
    isWriting: Bool
  ) throws(SyncFailure) -> IMAPStore {
    let connection = try dialer.dialer.connect()
    if traits.tellsVanished {
      do throws(SyncFailure) {
        let response = try connection.perform(MailboxListing.enableQuickResync)
        guard response.kind == .ok else {
          throw .commandRefused(.enable, ServerReply(response))
        }
      } catch {
        connection.close()
        throw error
      }
    }
    return store(questions(connection, isQuickResync: traits.tellsVanished, isWriting))
  }

  // MARK: What the server was seen to do

  /// How many connections it allows at once, as far as it was seen.
  var connectionLimit: Int? { memory.traits.connectionLimit(now: Clock.now()) }

  /// Remembers that it allowed no more than so many connections.
  func learn(from failure: SyncFailure, connections: Int) {
    guard case .notNow(_, .connections, _) = failure else { return }
    memory.updateTraits { $0.limitConnections(to: connections, now: Clock.now()) }
  }

  /// Has the password fetched anew for the next log-in.
  func forgetPassword() { dialer.forgetPassword() }

  /// Looks whether it refused the secret, or asked for a pause, before.
  func checkStanding() throws(SyncFailure) {
    try dialer.checkRefusal()
    try dialer.checkPause()
  }

  /// Remembers a limit that it named.
  func postponed(_ failure: SyncFailure) -> SyncFailure { dialer.postponed(failure) }

  /// Remembers that it served a run to its end.
  func served(isComplete: Bool) { dialer.served() }
}
