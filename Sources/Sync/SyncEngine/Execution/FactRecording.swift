internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState

/// Records what is known of the files and messages of a mailbox without changing any.
struct FactRecording {
  private let context: AccountContext
  private let mailbox: OpenMailbox
  /// What the records came to so far.
  private(set) var outcome = StepOutcome()

  init(_ context: AccountContext, _ mailbox: OpenMailbox) {
    self.context = context
    self.mailbox = mailbox
  }

  /// What is to be recorded.
  ///
  /// What is held back is on record before: messages that are new make it look like less.
  mutating func records() throws(SyncFailure) -> [StateRecord] {
    if let held = mailbox.plan?.blockedDeletions, held != mailbox.state.blockedDeletions {
      try mailbox.record([.blockedDeletions(held)])
    }
    let marked = try markDetached()
    var records: [StateRecord] = []
    for fact in mailbox.remainingPlan.facts { records += try self.records(of: fact, marked) }
    return records + distrusted + endedWaits
  }

  /// New files that were copies of messages, and wait no longer: they are gone, or something else by now.
  private var endedWaits: [StateRecord] {
    let waiting = mailbox.state.waiting
    guard !waiting.isEmpty else { return [] }
    let plan = mailbox.remainingPlan
    let open = OctetSet(plan.blocked.compactMap(\.waitingCopy) + plan.copies.map(\.step.name))
    return waiting.filter { !open.contains($0.key) }.map {
      .waiting(name: $0.key, since: nil, source: $0.value.source)
    }
  }

  /// Marks the files that are to be detached, where the account keeps what the server loses; gives the names they had.
  ///
  /// Before anything is recorded: a file that is moved without the mark, and that is in no record, counts as a new one.
  private mutating func markDetached() throws(SyncFailure) -> OctetSet {
    let names = mailbox.remainingPlan.facts.compactMap { fact -> [UInt8]? in
      if case .detach(let name, _) = fact.step { name } else { nil }
    }
    guard !names.isEmpty, context.policy(of: mailbox).keepsFiles else { return [] }
    var keyedNames = KeyedNames(mailbox, account: context.store.directory)
    defer { outcome[mailbox].merge(keyedNames.outcome) }
    return try keyedNames.mark(names)
  }

  private mutating func records(
    of fact: Planned<MailboxFact>,
    _ marked: OctetSet
  ) throws(SyncFailure) -> [StateRecord] {
    switch fact.step {
    case .match(let name, let uid, let agreed, let size, let date):
      return try matched(
        BaseRecord(
          uid: uid,
          name: name,
          flags: agreed,
          size: size,
          date: date,
          completeness: .whole
        )
      )
    case .matchEdited(let name, let uid, let agreed, let size, let date, let identity):
      return edited(
        BaseRecord(
          uid: uid,
          name: name,
          flags: agreed,
          size: size,
          date: date,
          identity: identity,
          completeness: .whole
        )
      )
    case .renumber(let former, let message, let agreed):
      return renumbered(former, to: message.uid, agreed)
    case .agree(let uid, let flags): return [.flags(uid: uid, flags)]
    case .detach(let name, let uid):
      // What was moved meanwhile is known by its record where it lies then.
      let isKnown = uid == nil || marked.contains(name)
      let isThere = try isKnown ? true : mailbox.currentPath(of: name) != nil
      guard isThere else { return leaveOpen() }
      return detached(name, uid, fact.reason)
    case .wait(let name, let original):
      return [.waiting(name: name, since: context.options.clock(), source: original.mailbox)]
    }
  }

  /// The next run has to look again.
  private mutating func leaveOpen() -> [StateRecord] {
    outcome[mailbox].isComplete = false
    return []
  }

  /// A file that is a message's, once it is known how much of it.
  private mutating func matched(_ record: BaseRecord) throws(SyncFailure) -> [StateRecord] {
    let content = MatchedContent(mailbox, context.store)
    guard let found = try content.find(of: record.name, record.uid, size: record.size) else {
      // Neither the message nor what is known to be made of it.
      outcome[mailbox].fail(.file(record.name, .partial))
      return []
    }
    var record = record
    (record.identity, record.completeness) = (found.identity, found.completeness)
    outcome[mailbox].counts.rematched += 1
    return [.message(record)]
  }

  /// A file that is a new version of a message.
  private mutating func edited(_ record: BaseRecord) -> [StateRecord] {
    outcome[mailbox].counts.rematched += 1
    outcome[mailbox].isComplete = false
    return [.message(record), .version(uid: record.uid, .other)]
  }

  private mutating func renumbered(
    _ former: UInt32,
    to uid: UInt32,
    _ agreed: MessageFlags
  ) -> [StateRecord] {
    guard var record = mailbox.state.messages[former] else { return leaveOpen() }
    record.uid = uid
    record.flags = agreed
    // In this order: where the log ends between the two, the file has a record.
    return [.message(record), .gone(uid: former)]
  }

  private mutating func detached(
    _ name: [UInt8],
    _ uid: UInt32?,
    _ reason: Reason
  ) -> [StateRecord] {
    if reason == .attachmentsLost {
      let place = mailbox.mailbox.path.display
      context.report(.problem(mailbox: place, .file(name, .attachmentsLost)))
    }
    outcome[mailbox].counts.detached += 1
    // In this order: where the log ends between the two, the file is still recorded.
    return [.detached(name: name)] + (uid.map { [.gone(uid: $0)] } ?? [])
  }

  /// Of messages whose files were moved and written anew: should such a file come back before its message goes, it is a
  /// new version, whatever its name says.
  private var distrusted: [StateRecord] {
    mailbox.remainingPlan.removals.compactMap { removal in
      guard case .replaced(let uid, _, _, _) = removal.step,
        mailbox.state.messages[uid] != nil, mailbox.state.versions[uid] != .other
      else { return nil }
      return .version(uid: uid, .other)
    }
  }
}

extension BlockedChange {
  /// The base name of a new file that is a copy of a message and waits.
  fileprivate var waitingCopy: [UInt8]? {
    guard cause == .copied, case .addition(let name) = difference else { return nil }
    return name
  }
}
