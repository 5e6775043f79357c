internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan

// What is changed where labels are tags: nothing in All Mail is expunged, no message is copied, and no label is removed.
//
// What is asked late is not answered: the answer would be without labels.
extension LabelStore {
  /// Nothing is changed on a server that did not pass the test of its labels.
  private func checkPush() throws(SyncFailure) {
    if let reason = facts.reasonToPull { throw reason }
  }

  func change(_ orders: [FlagOrder]) throws(SyncFailure) -> [FlagResult] {
    try checkPush()
    var results: [FlagResult] = []
    for order in orders {
      guard !order.stores.isEmpty else {
        results.append(.done(FlagOutcome(), order.late))
        continue
      }
      do throws(SyncFailure) {
        results.append(.done(try change(order), order.late))
      } catch {
        guard !error.endsConnection else { throw error }
        results.append(.failed(error))
        try base.drainAnswers()
      }
    }
    return results
  }

  /// Flags, and keywords that are none of labels, come first.
  private func change(_ order: FlagOrder) throws(SyncFailure) -> FlagOutcome {
    let isLabelled = isLabelled(order.mailbox.name)
    let flags = order.stores.compactMap { $0.ofFlags(isLabelled: isLabelled) }
    var outcome = FlagOutcome()
    if !flags.isEmpty {
      switch try base.change([FlagOrder(flags, in: order.mailbox, sizes: order.sizes)]).first {
      case .done(let done, _): outcome = done
      case .failed(let failure): throw failure
      case nil: break
      }
    }
    let labels = isLabelled ? order.stores.compactMap(\.ofLabels) : []
    guard !labels.isEmpty else { return outcome }
    return outcome.joined(with: try changeLabels(labels, in: order.mailbox))
  }

  private func changeLabels(
    _ stores: [FlagStore],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> FlagOutcome {
    var changes = LabelChanges(base, mailbox, spellings: facts.mailboxes?.spellings ?? [:])
    return try changes.make(stores)
  }

  func change(
    _ uid: UInt32,
    adding: [[UInt8]],
    removing: [[UInt8]],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> ServerReply? {
    try checkPush()
    guard isLabelled(mailbox.name) else {
      return try base.change(uid, adding: adding, removing: removing, in: mailbox)
    }
    guard !adding.contains(where: { $0.equalsCaseless("\\Deleted") }) else { return Self.refusal }
    let isFlag = LabelMeaning.isFlag
    let (set, cleared) = (adding.filter(isFlag), removing.filter(isFlag))
    if !set.isEmpty || !cleared.isEmpty,
      let refusal = try base.change(uid, adding: set, removing: cleared, in: mailbox)
    {
      return refusal
    }
    let keywords = KeywordChange(
      adding: adding.filter { !isFlag($0) },
      removing: removing.filter { !isFlag($0) }
    )
    guard !keywords.isEmpty else { return nil }
    let store = FlagStore(uid: uid, adding: [], removing: [], keywords: keywords)
    var changes = LabelChanges(base, mailbox, spellings: facts.mailboxes?.spellings ?? [:])
    _ = try changes.make([store])
    return changes.refusal(of: store)
  }

  func transfer(
    _ orders: [TransferOrder],
    from mailbox: MailboxReference,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> [TransferOutcome] {
    try checkPush()
    var outcomes: [TransferOutcome] = []
    for order in orders { outcomes.append(try transfer(order, from: mailbox)) }
    return outcomes
  }

  private func transfer(
    _ order: TransferOrder,
    from mailbox: MailboxReference
  ) throws(SyncFailure) -> TransferOutcome {
    var all = TransferOutcome()
    guard !order.isCopy else {
      all.refusal = ServerReply(
        .forbidden,
        text: Array("no message is copied where labels are tags".utf8)
      )
      return all
    }
    let connection = try base.open(mailbox)
    // What was asked of the mailboxes that get something shows them as they were.
    base.questions.forgetAnswers()
    for piece in UIDSet(sortedUIDs: order.uids.sorted()).pieces(ofAtMost: IMAPStore.fewMessages) {
      let part = TransferOrder(Array(piece.ranges.joined()), to: order.target)
      var transfer = ServerTransfer(connection, isMove: true)
      guard let outcome = try transfer.sendOrders([part], behind: {}).first else { continue }
      all.pairs.merge(outcome.pairs) { first, _ in first }
      all.validity = all.validity ?? outcome.validity
      all.refusal = all.refusal ?? outcome.refusal
    }
    return all
  }

  /// Each is moved by itself.
  func move(
    _ orders: [MoveOrder],
    asking late: inout LateQuestions,
    expecting expected: [MailboxQuestion]
  ) throws(SyncFailure) -> [TransferOutcome] {
    orders.map { _ in TransferOutcome() }
  }

  /// In All Mail nothing is marked: what EXPUNGE does there, and what the mark does, is the user's setting.
  func mark(
    _ uids: [UInt32],
    unchangedSince modSequence: UInt64?,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> RemovalOutcome {
    try checkPush()
    guard isLabelled(mailbox.name) else {
      return try base.mark(uids, unchangedSince: modSequence, in: mailbox)
    }
    var outcome = RemovalOutcome()
    outcome.done = Set(uids)
    return outcome
  }

  /// What is in All Mail goes to Trash.
  func expunge(
    _ uids: [UInt32],
    in mailbox: MailboxReference,
    unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome {
    try checkPush()
    guard isLabelled(mailbox.name) else {
      return try base.expunge(uids, in: mailbox, unmarking: unmarking)
    }
    guard let trash = facts.mailboxes?.trash else { return RemovalOutcome() }
    let transfer = try transfer(TransferOrder(uids, to: trash), from: mailbox)
    let left = try base.flags(of: uids, in: mailbox)
    var outcome = RemovalOutcome()
    outcome.done = Set(uids).subtracting(left.keys)
    for uid in left.keys.sorted() {
      if let reply = transfer.refusal {
        outcome.refused.append((uid, .move, reply))
      } else {
        outcome.ignored.append((uid, .move))
      }
    }
    return outcome
  }

  /// Drafts go to the label of the server for them, and are found in All Mail then.
  func append(_ orders: [AppendOrder]) throws(SyncFailure) -> [AppendAnswer] {
    try checkPush()
    var answers: [AppendAnswer] = []
    for order in orders {
      let messages = order.messages.map(UnlabelledMessage.init)
      let isDraft = messages.map { isLabelled(order.target) && $0.marks.system.contains(.draft) }
      var results = try append(messages, to: order.target, isDraft.map { !$0 })
      let drafts = facts.mailboxes?.drafts ?? order.target
      for (place, result) in try append(messages, to: drafts, isDraft) {
        if case .appended = result, drafts != order.target {
          results[place] = .taken
        } else {
          results[place] = result
        }
      }
      answers.append(AppendAnswer(messages.indices.map { results[$0] ?? .taken }, order.late))
    }
    return answers
  }

  /// Puts those of the messages there that are chosen; gives what came of each by its place.
  private func append(
    _ messages: [UnlabelledMessage],
    to target: MailboxName,
    _ isChosen: [Bool]
  ) throws(SyncFailure) -> [Int: AppendResult] {
    let places = messages.indices.filter { isChosen[$0] }
    guard !places.isEmpty else { return [:] }
    let answers = try base.append([AppendOrder(places.map { messages[$0] }, to: target)])
    return Dictionary(first: zip(places, answers.first?.results ?? []).map { ($0, $1) })
  }
}
