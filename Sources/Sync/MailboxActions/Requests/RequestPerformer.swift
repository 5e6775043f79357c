package import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Carries out requests for messages of an account's server one by one, each of them once.
///
/// Where a message has a file, name and place of the file are the truth: what it shows the sync tells the
/// server, and a request that it contradicts is over. The account's lock is held from the first look to the
/// last answer, so that no sync judges the same message meanwhile. Used by one thread at a time.
package final class RequestPerformer {
  private let account: AccountConnection
  private let files: StandingSearch
  private let messages: RequestedMessageSearch

  /// A performer; nothing is connected before the first request.
  package init(_ account: AccountConnection) {
    self.account = account
    files = StandingSearch(account)
    messages = RequestedMessageSearch(account)
  }

  /// Keeps the account's lock from the first to the last of several requests, so that no sync comes in between.
  package func together<E>(_ body: () throws(E) -> Void) throws(E) {
    try account.locked(body)
  }

  /// Does what is asked for, unless it is done.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - begun: the note of an attempt that did not end; nil when there was none.
  ///   - note: makes a note durable, before anything is sent.
  /// - Returns: what became of it.
  /// - Throws: what `note` throws.
  package func perform<E>(
    _ request: MessageRequest,
    begun: [UInt8]?,
    note: ([UInt8]) throws(E) -> Void
  ) throws(E) -> RequestResult {
    let begun = begun.flatMap { AppendNote($0) }
    return try account.once(
      looking: { () throws(SyncFailure) in try decide(request, begun) },
      noting: { step throws(E) in if let place = step.note { try note(place.octets) } },
      doing: { step throws(SyncFailure) in
        try RequestExecution(step, on: account.connected()).carryOutStep()
      },
      failing: fail
    )
  }

  private func fail(_ failure: SyncFailure) -> RequestResult {
    if case .commandRefused(let command, let response) = failure, command != .list {
      return .refused(command, response)
    }
    let wasConnected = account.drop()
    if case .system = failure { return .broken(failure) }
    return wasConnected ? .broken(failure) : .failed(failure)
  }
}

// Deciding.
extension RequestPerformer {
  private typealias Decision = AccountConnection.Finding<RequestStep, RequestResult>

  private func decide(
    _ request: MessageRequest,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    let store = try account.connected()
    let source = account.mailbox(named: request.message.mailbox)
    guard let standing = try files.standing(of: request, source) else {
      return .settled(.unsettled)
    }
    switch standing.verdict(on: request.change.standingChange) {
    case .leftToSync: return .settled(.leftToSync)
    case .superseded: return .settled(.superseded)
    case nil: break
    }
    guard let source else {
      return .settled(.impossible(.noMailbox(request.message.mailbox)))
    }
    let opened = try store.open(source.name, forChanges: true)
    guard !opened.isReadOnly else { return .settled(.impossible(.readOnly)) }
    let mailbox = MailboxReference(source.name, opened.identity)
    let uid: UInt32?
    switch try messages.locate(request.message, in: mailbox) {
    case .ambiguous: return .settled(.impossible(.ambiguous))
    case .gone: uid = nil
    case .found(let found): uid = found
    }
    switch request.change {
    case .flags(let adding, let removing):
      return change(uid, adding, removing, mailbox, opened.keptFlags)
    case .expunge:
      guard let uid else { return .settled(.present) }
      return try removal(of: uid, mailbox)
    case .trash:
      guard let uid else { return .settled(.present) }
      return try discard(uid, mailbox, begun)
    case .move(let name):
      guard let target = account.mailbox(named: name) else {
        return .settled(.impossible(.noMailbox(name)))
      }
      guard let uid else {
        return .settled(try messages.departed(request.message, target.name, begun))
      }
      guard target.name != mailbox.name else { return .settled(.present) }
      return try transfer(uid, mailbox, to: target.name, isTrash: false, begun)
    }
  }

  private static func open(
    _ uid: UInt32,
    _ mailbox: MailboxReference,
    _ change: RequestStep.Change
  ) -> Decision {
    .open(RequestStep(uid: uid, mailbox: mailbox, change: change))
  }

  private func change(
    _ uid: UInt32?,
    _ adding: [[UInt8]],
    _ removing: [[UInt8]],
    _ mailbox: MailboxReference,
    _ kept: KeptFlags
  ) -> Decision {
    guard let uid else { return .settled(.impossible(.gone)) }
    guard adding.allSatisfy(kept.keeps) else { return .settled(.impossible(.unkeepable)) }
    // What the mailbox does not keep no message in it has.
    let change = RequestStep.Change.store(adding: adding, removing: removing.filter(kept.keeps))
    return Self.open(uid, mailbox, change)
  }

  /// For good, unless the server has the only whole copy.
  private func removal(
    of uid: UInt32,
    _ source: MailboxReference
  ) throws(SyncFailure) -> Decision {
    let store = account.places.store
    let isPartial = try attempt { () throws(SystemError) -> Bool in
      guard let entry = try store.loadSummary()?.entries[source.name.wire] else { return false }
      return try store.state(of: entry.header.id)?.messages[uid]?.completeness.isPartial ?? false
    }
    return isPartial ? .settled(.impossible(.partial)) : Self.open(uid, source, .remove)
  }

  /// What is in Trash already goes for good.
  private func discard(
    _ uid: UInt32,
    _ source: MailboxReference,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    guard let trash = try account.mailbox(for: .trash, name: "Trash") else {
      return .settled(.impossible(.noTrash))
    }
    guard trash.name != source.name else { return try removal(of: uid, source) }
    return try transfer(uid, source, to: trash.name, isTrash: true, begun)
  }

  private func transfer(
    _ uid: UInt32,
    _ source: MailboxReference,
    to target: MailboxName,
    isTrash: Bool,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    let store = try account.connected()
    var place = try store.place(of: target)
    if !store.traits.movesAtOnce, place == nil || begun?.mailbox == target.wire {
      // Only where it is known what was there before can a copy be told from what others put there.
      guard let arrivals = try messages.arrivals(of: uid, of: source, since: begun, in: target)
      else { return .settled(.unsettled) }
      place = place ?? arrivals.place
      if arrivals.hasCopy { return Self.open(uid, source, .remove) }
    }
    let note = AppendNote(
      mailbox: target.wire,
      validity: place?.validity,
      uidNext: place?.uidNext
    )
    return Self.open(uid, source, .transfer(to: target, isTrash: isTrash, note))
  }
}
