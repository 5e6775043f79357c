internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Copies messages on the server for new files of a mailbox that hold what they hold.
///
/// An intent in the log comes first, as for moves. Flags and keywords go along; in which flags a file differs, the next run sees.
struct CopyPush {
  /// One file and the message that is copied for it.
  private struct Copy {
    let name: [UInt8]
    let original: BaseRecord
    var number: UInt64 = 0
  }

  /// Messages that are copied at once.
  private static let limit = 1000

  /// What they came to.
  private(set) var outcome = StepOutcome()

  let context: AccountContext
  let store: any MailStore
  let mailbox: OpenMailbox
  let group: [UInt64: OpenMailbox]

  /// Makes the copies whose files are as the plan saw them.
  mutating func pushCopies(_ copies: [ServerCopy]) throws(SyncFailure) {
    guard !copies.isEmpty else { return }
    var check = CopyCheck(context, mailbox, group)
    let sources = Dictionary(grouping: copies, by: \.original.mailbox)
    for (id, copies) in sources.sorted(by: { $0.key < $1.key }) {
      guard let state = try state(of: id) else {
        outcome[mailbox].isComplete = false
        continue
      }
      var due: [Copy] = []
      for copy in copies {
        guard let original = state.messages[copy.original.uid],
          try !check.isUnderWay(copy.name), try holds(copy.name, original)
        else {
          outcome[mailbox].isComplete = false
          continue
        }
        due.append(Copy(name: copy.name, original: original))
      }
      for batch in Self.batches(due) { try send(batch, from: state.header) }
    }
  }

  private func state(of source: UInt64) throws(SyncFailure) -> MailboxState? {
    if let open = group[source] { return open.state }
    return try context.recorded(source)
  }

  /// The copies as they are made together: of each message one at a time.
  private static func batches(_ copies: [Copy]) -> [[Copy]] {
    var batches: [[Copy]] = []
    var rest = copies
    while !rest.isEmpty {
      var (batch, others): ([Copy], [Copy]) = ([], [])
      var uids: Set<UInt32> = []
      for copy in rest {
        if batch.count < limit, uids.insert(copy.original.uid).inserted {
          batch.append(copy)
        } else {
          others.append(copy)
        }
      }
      batches.append(batch)
      rest = others
    }
    return batches
  }

  /// Whether the file is there and holds what the message holds, right now.
  private func holds(_ name: [UInt8], _ original: BaseRecord) throws(SyncFailure) -> Bool {
    guard let path = try mailbox.currentPath(of: name),
      let content = (try? MessageContents(of: path)) ?? nil
    else { return false }
    return original.identity.map(content.holds) ?? false
  }

  private mutating func send(_ copies: [Copy], from source: MailboxHeader) throws(SyncFailure) {
    if context.interruption.isRequested { throw .interrupted }
    let copies = try recordIntents(copies, from: source)
    let name = group[source.id]?.mailbox.name ?? MailboxName(wire: source.mailbox)
    var late = LateQuestions()
    let order = TransferOrder(copies.map(\.original.uid), to: mailbox.mailbox.name, isCopy: true)
    let transfers = try store.transfer(
      [order],
      from: MailboxReference(name, source.identity),
      asking: &late
    )
    guard let transfer = transfers.first else { return }
    try finishCopies(copies, transfer, from: source)
  }

  private func recordIntents(
    _ copies: [Copy],
    from source: MailboxHeader
  ) throws(SyncFailure) -> [Copy] {
    var numbered = copies
    for index in copies.indices {
      numbered[index].number = mailbox.state.nextIntent + UInt64(index)
    }
    let missing = mailbox.takeMissingUploads(of: copies.map(\.name))
    try mailbox.record(
      missing.map { .resolved(number: $0) }
        + numbered.map { copy in
          let transfer = Intent.Transfer(
            source.origin(of: copy.original.uid),
            copy.original,
            name: copy.name,
            uidNext: mailbox.uidNext
          )
          return .intent(number: copy.number, .copy(transfer))
        }
    )
    return numbered
  }

  private mutating func finishCopies(
    _ copies: [Copy],
    _ transfer: TransferOutcome,
    from source: MailboxHeader
  ) throws(SyncFailure) {
    let isTrusted = transfer.validity == mailbox.state.header.validity
    let named = isTrusted ? transfer.pairs.filter { mailbox.couldBeNew($0.value) } : [:]
    for copy in copies {
      guard let uid = named[copy.original.uid] else { continue }
      try CopyRecording(context, mailbox, group[source.id])
        .record(copy.original, as: uid, copy.name, copy.number, &outcome)
    }
    let unnamed = copies.filter { named[$0.original.uid] == nil }
    guard !unnamed.isEmpty else { return }
    if !isTrusted, let open = group[source.id] {
      try MisplacedCopies(of: open, transfer).takeBack(from: mailbox.mailbox.name, over: store)
    }
    guard let refusal = transfer.refusal else {
      // Their UIDs were not told, or they are gone: the open intents say what to look for.
      var resolver = IntentResolver(context, store)
      defer { outcome.merge(resolver.outcome) }
      return try resolver.resolveIntents(
        mailbox,
        in: Array(group.values),
        taken: .transfers(Set(unnamed.map(\.number)), haveLeft: false)
      )
    }
    // A server that refuses copies all or none (RFC 9051 §6.4.7), except for those that it named.
    try mailbox.record(unnamed.map { .resolved(number: $0.number) })
    if copies.count > 1 {
      for one in unnamed { try send([one], from: source) }
    } else if let one = unnamed.first {
      outcome[mailbox].refusals.append(PushRefusal(mailbox, one.name, .refused(.copy, refusal)))
      outcome[mailbox].fail(.file(one.name, .refused(refusal)))
    }
  }
}

/// What is recorded of a copy that the server made for a file.
struct CopyRecording {
  private let context: AccountContext
  private let mailbox: OpenMailbox
  /// The mailbox of the original; nil where that is not in the group.
  private let source: OpenMailbox?

  init(_ context: AccountContext, _ mailbox: OpenMailbox, _ source: OpenMailbox?) {
    (self.context, self.mailbox, self.source) = (context, mailbox, source)
  }

  /// Records the copy, and with the original that there is one.
  ///
  /// The flags of either are on both: a flag that the file lacks was not taken away from it, since it never had it.
  func record(
    _ original: BaseRecord,
    as uid: UInt32,
    _ name: [UInt8],
    _ number: UInt64,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    var record = original
    (record.uid, record.name) = (uid, name)
    let flags = mailbox.arriving(original.flags)
    let shown = mailbox.flags(of: name) ?? flags.system
    record.flags = Rematch.base(shown, flags)
    if shown != flags.system { outcome[mailbox].isComplete = false }
    let version = try mailbox.version(of: record)
    try mailbox.record([.message(record), .resolved(number: number)] + version)
    if let source, source.state.messages.contains(original.uid) {
      let copy = mailbox.state.origin(of: uid)
      try source.record([.copied(uid: original.uid, to: copy)])
    }
    outcome[mailbox].counts.copied += 1
  }
}
