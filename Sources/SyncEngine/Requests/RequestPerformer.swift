internal import IMAP
internal import Maildir
internal import Octets
internal import Platform
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
    let lock: FileLock?
    let step: RequestStep
    do throws(SyncFailure) {
      lock = try account.context.store.lockBesideSync()
      let decision = try account.reading { () throws(SyncFailure) in
        try decide(request, begun.flatMap { AppendNote($0) })
      }
      switch decision {
      case .settled(let outcome): return outcome
      case .open(let found): step = found
      }
    } catch {
      return fail(error)
    }
    defer { lock?.release() }
    if let place = step.note { try note(place.octets) }
    do throws(SyncFailure) {
      return try RequestExecution(account.connected()).run(step)
    } catch {
      return fail(error)
    }
  }

  private func fail(_ failure: SyncFailure) -> RequestOutcome {
    account.drop()
    return .failed(failure)
  }
}

// Deciding.
extension RequestPerformer {
  private enum Decision {
    case settled(RequestOutcome)
    case open(RequestStep)
  }

  private func decide(
    _ request: MessageRequest,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    let connection = try account.connected()
    let source = account.entry(named: request.message.mailbox)
    guard let standing = try files.standing(of: request, source) else {
      return .settled(.unsettled)
    }
    if let verdict = standing.verdict(on: request.change) { return .settled(verdict) }
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
      return try discard(uid, source.name, begun)
    case .move(let name):
      guard let target = account.entry(named: name) else {
        return .settled(.impossible(.noMailbox(name)))
      }
      guard let uid else {
        return .settled(try messages.departed(request.message, target.name, begun))
      }
      guard target.name != source.name else { return .settled(.present) }
      return try transfer(uid, source.name, target.name, isTrash: false, begun)
    }
  }

  private func store(
    _ uid: UInt32?,
    _ adding: [[UInt8]],
    _ removing: [[UInt8]],
    _ selected: SelectedMailbox
  ) -> Decision {
    guard let uid else { return .settled(.impossible(.gone)) }
    let (adding, removing) = (adding.map { Flag(wire: $0) }, removing.map { Flag(wire: $0) })
    guard (adding + removing).allSatisfy({ selected.keeps($0) }) else {
      return .settled(.impossible(.unkeepable))
    }
    return .open(.store(uid: uid, adding: adding, removing: removing))
  }

  /// What is in Trash already goes for good.
  private func discard(
    _ uid: UInt32,
    _ source: MailboxName,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    guard let trash = try account.mailbox(for: .trash, use: "\\Trash", name: "Trash") else {
      return .settled(.impossible(.noTrash))
    }
    guard trash.name != source else { return .open(.remove(uid: uid)) }
    return try transfer(uid, source, trash.name, isTrash: true, begun)
  }

  private func transfer(
    _ uid: UInt32,
    _ source: MailboxName,
    _ target: MailboxName,
    isTrash: Bool,
    _ begun: AppendNote?
  ) throws(SyncFailure) -> Decision {
    let connection = try account.connected()
    if !connection.capabilities.canMove, let begun, begun.mailbox == target.wire {
      let isCopied = try messages.hasCopy(of: uid, since: begun, in: target)
      _ = try SelectedMailbox(opening: source, on: connection)
      if isCopied { return .open(.remove(uid: uid)) }
    }
    let place = try MailboxPlace(of: target, connection)
    let note = AppendNote(
      mailbox: target.wire,
      validity: place?.validity ?? 0,
      uidNext: place?.uidNext ?? 0
    )
    return .open(.transfer(uid: uid, to: target, isTrash: isTrash, note))
  }
}
