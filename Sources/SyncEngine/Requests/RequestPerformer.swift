internal import IMAP
internal import MailModel
internal import Octets
internal import SyncPlan

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
  ) throws(E) -> RequestOutcome {
    let begun = begun.flatMap { AppendNote($0) }
    return try account.once(
      looking: { () throws(SyncFailure) in try decide(request, begun) },
      noting: { step throws(E) in if let place = step.note { try note(place.octets) } },
      doing: { step throws(SyncFailure) in
        try RequestExecution(account.connected()).run(step)
      },
      failing: fail
    )
  }

  private func fail(_ failure: SyncFailure) -> RequestOutcome {
    if case .commandRefused(let command, let response) = failure, command != "LIST" {
      return .refused(command: command, response)
    }
    let wasConnected = account.drop()
    if case .system = failure { return .broken(failure) }
    return wasConnected ? .broken(failure) : .failed(failure)
  }
}

// Deciding.
extension RequestPerformer {
  private typealias Decision = AccountConnection.Finding<RequestStep, RequestOutcome>

  private func decide(
    _ request: MessageRequest,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    let connection = try account.connected()
    let source = account.entry(named: request.message.mailbox)
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
    let selected = try SelectedMailbox(opening: source.name, on: connection)
    guard !selected.isReadOnly else { return .settled(.impossible(.readOnly)) }
    let uid: UInt32?
    switch try messages.locate(request.message, selected) {
    case .ambiguous: return .settled(.impossible(.ambiguous))
    case .gone: uid = nil
    case .found(let found): uid = found
    }
    switch request.change {
    case .flags(let adding, let removing): return store(uid, adding, removing, selected)
    case .expunge: return uid.map { .open(.remove(uid: $0)) } ?? .settled(.present)
    case .trash:
      guard let uid else { return .settled(.present) }
      return try discard(uid, selected, begun)
    case .move(let name):
      guard let target = account.entry(named: name) else {
        return .settled(.impossible(.noMailbox(name)))
      }
      guard let uid else {
        return .settled(try messages.departed(request.message, target.name, begun))
      }
      guard target.name != selected.name else { return .settled(.present) }
      return try transfer(uid, selected, to: target.name, isTrash: false, begun)
    }
  }

  private func store(
    _ uid: UInt32?,
    _ adding: [[UInt8]],
    _ removing: [[UInt8]],
    _ selected: SelectedMailbox
  ) -> Decision {
    guard let uid else { return .settled(.impossible(.gone)) }
    let adding = adding.map { Flag(wire: $0) }
    guard adding.allSatisfy({ selected.keeps($0) }) else {
      return .settled(.impossible(.unkeepable))
    }
    // What the mailbox does not keep no message in it has.
    let removing = removing.map { Flag(wire: $0) }.filter { selected.keeps($0) }
    return .open(.store(uid: uid, adding: adding, removing: removing))
  }

  /// What is in Trash already goes for good.
  private func discard(
    _ uid: UInt32,
    _ source: SelectedMailbox,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    guard let trash = try account.mailbox(for: .trash, use: "\\Trash", name: "Trash") else {
      return .settled(.impossible(.noTrash))
    }
    guard trash.name != source.name else { return .open(.remove(uid: uid)) }
    return try transfer(uid, source, to: trash.name, isTrash: true, begun)
  }

  private func transfer(
    _ uid: UInt32,
    _ source: SelectedMailbox,
    to target: MailboxName,
    isTrash: Bool,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    let connection = try account.connected()
    var place = try MailboxPlace(of: target, connection)
    if !connection.capabilities.canMove, place == nil || begun?.mailbox == target.wire {
      // Only where it is known what was there before can a copy be told from what others put there.
      guard let arrivals = try messages.arrivals(of: uid, since: begun, in: target) else {
        return .settled(.unsettled)
      }
      place = place ?? arrivals.place
      let again = try SelectedMailbox(opening: source.name, on: connection)
      guard again.validity == source.validity else { return .settled(.unsettled) }
      if arrivals.hasCopy { return .open(.remove(uid: uid)) }
    }
    let note = AppendNote(
      mailbox: target.wire,
      validity: place?.validity ?? 0,
      uidNext: place?.uidNext ?? 0
    )
    return .open(.transfer(uid: uid, to: target, isTrash: isTrash, note))
  }
}
