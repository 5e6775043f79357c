internal import MailModel
package import MailStore
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import Transport

// What is changed in mailboxes.
extension MemoryStore {
  /// A server that answers for several mailboxes at once has them in one round trip.
  package func change(_ orders: [FlagOrder]) throws(SyncFailure) -> [FlagResult] {
    var isBehind = false
    var results: [FlagResult] = []
    for order in orders {
      guard !order.stores.isEmpty else {
        results.append(.done(FlagOutcome(), order.late))
        continue
      }
      do throws(SyncFailure) {
        results.append(try change(order, isBehind: isBehind))
      } catch {
        guard !error.endsConnection else { throw error }
        results.append(.failed(error))
      }
      isBehind = server.abilities.tellsVanished
    }
    return results
  }

  private func change(_ order: FlagOrder, isBehind: Bool) throws(SyncFailure) -> FlagResult {
    let (stores, mailbox) = (order.stores, order.mailbox)
    var late = order.late
    var outcome = FlagOutcome()
    let done = try change(mailbox, isBehind: isBehind) { mailbox in
      stores.filter { store in
        guard mailbox.messages[store.uid] != nil else { return false }
        let isDenied = mailbox.denied.contains("t")
        if isDenied, store.adding.union(store.removing).contains(.deleted) { return false }
        mailbox.change(
          store.uid,
          adding: Self.names(store.adding).union(Self.names(store.keywords.adding)),
          removing: Self.names(store.removing).union(Self.names(store.keywords.removing))
        )
        return true
      }
    }
    outcome.stored = done
    let left = Set(stores.map(\.uid)).subtracting(done.map(\.uid))
    let there = try self.mailbox(mailbox).messages
    outcome.gone = left.filter { there[$0] == nil }
    outcome.forbidden = left.count - outcome.gone.count
    answer(&late)
    return .done(outcome, late)
  }

  private static func names(_ keywords: [[UInt8]]) -> Set<String> {
    Set(keywords.map { String(decoding: $0, as: UTF8.self) })
  }

  private static func names(_ flags: SystemFlags) -> Set<String> {
    Set(flags.imapFlags.map { String(decoding: $0.wire, as: UTF8.self) })
  }

  package func change(
    _ uid: UInt32,
    adding: [[UInt8]],
    removing: [[UInt8]],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> ServerReply? {
    try change(mailbox) { mailbox in
      mailbox.change(
        uid,
        adding: Set(adding.map { String(decoding: $0, as: UTF8.self) }),
        removing: Set(removing.map { String(decoding: $0, as: UTF8.self) })
      )
    }
    return nil
  }

  package func transfer(
    _ orders: [TransferOrder],
    from mailbox: MailboxReference,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> [TransferOutcome] {
    asked = [:]
    var outcomes: [TransferOutcome] = []
    for order in orders {
      outcomes.append(try transferOne(order, from: mailbox))
    }
    answer(&late)
    return outcomes
  }

  /// As a server that remembers what it found, where it can do the rest.
  package func move(
    _ orders: [MoveOrder],
    asking late: inout LateQuestions,
    expecting expected: [MailboxQuestion]
  ) throws(SyncFailure) -> [TransferOutcome] {
    let abilities = server.abilities
    guard abilities.tellsVanished, abilities.movesAtOnce, abilities.hasUIDPlus else {
      return orders.map { _ in TransferOutcome() }
    }
    asked = [:]
    var outcomes: [TransferOutcome] = []
    for order in orders {
      let isBehind = !outcomes.isEmpty
      outcomes.append(
        try server.request(isBehind: isBehind) { () throws(SyncFailure) in try move(order) }
      )
    }
    answer(&late)
    try ask(expected)
    return outcomes
  }

  private func move(_ order: MoveOrder) throws(SyncFailure) -> TransferOutcome {
    let (source, target) = (Self.text(order.mailbox.name), Self.text(order.target))
    // Where another mailbox has the name, what the server names does not count.
    guard (try? mailbox(order.mailbox)) != nil else { return TransferOutcome() }
    let pairs = try attempt { () throws(SystemError) in
      try server.change { content -> [UInt32: UInt32]? in
        guard content.mailboxes[target] != nil, let mailbox = content.mailboxes[source],
          mailbox.denied.isEmpty
        else { return nil }
        var pairs: [UInt32: UInt32] = [:]
        for (uid, size) in order.sizes.sorted(by: { $0.key < $1.key }) {
          guard let message = mailbox.messages[uid], UInt64(message.octets.count) == size,
            !order.unflagged.contains(uid) || !message.flags.contains("\\Flagged")
          else { continue }
          pairs[uid] = content.transfer(uid, from: source, to: target, isMove: true)
        }
        return pairs
      }
    }
    return try pairs.map { (pairs) throws(SyncFailure) in try outcome(pairs, order.target) }
      ?? TransferOutcome()
  }

  private func transferOne(
    _ order: TransferOrder,
    from mailbox: MailboxReference
  ) throws(SyncFailure) -> TransferOutcome {
    let (uids, target) = (order.uids, order.target)
    let (source, name) = (Self.text(mailbox.name), Self.text(target))
    let isMove = server.abilities.movesAtOnce && !order.isCopy
    let changesCopies = server.abilities.changesCopies
    return try server.request { () throws(SyncFailure) in
      _ = try self.mailbox(mailbox)
      let pairs = try attempt { () throws(SystemError) in
        try server.change { content -> [UInt32: UInt32]? in
          guard content.mailboxes[name] != nil, let denied = content.mailboxes[source]?.denied,
            denied.isEmpty || !isMove
          else { return nil }
          var pairs: [UInt32: UInt32] = [:]
          for uid in uids.sorted() {
            pairs[uid] = content.transfer(
              uid,
              from: source,
              to: name,
              isMove: isMove,
              changing: { changesCopies ? Self.headed($0, MemoryAbilities.copiedField) : $0 }
            )
          }
          return pairs
        }
      }
      return try outcome(pairs, target)
    }
  }

  private func outcome(
    _ pairs: [UInt32: UInt32]?,
    _ target: MailboxName
  ) throws(SyncFailure) -> TransferOutcome {
    var outcome = TransferOutcome()
    guard let pairs else {
      outcome.refusal = ServerReply(.passing)
      return outcome
    }
    guard server.abilities.hasUIDPlus else { return outcome }
    outcome.pairs = pairs
    outcome.validity = try self.mailbox(named: target).validity
    return outcome
  }

  package func mark(
    _ uids: [UInt32],
    unchangedSince modSequence: UInt64?,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    let (done, ignored) = try change(mailbox) { mailbox -> (Set<UInt32>, Set<UInt32>) in
      let due = uids.filter { uid in
        guard let modSequence, let message = mailbox.messages[uid] else { return true }
        return message.modSequence <= modSequence
      }
      if mailbox.denied.contains("t") {
        let left = Set(due).subtracting(mailbox.marked).filter { mailbox.messages[$0] != nil }
        return (Set(due).subtracting(left), left)
      }
      for uid in due { mailbox.change(uid, adding: ["\\Deleted"]) }
      return (Set(due), [])
    }
    outcome.done = done
    outcome.ignored = ignored.sorted().map { ($0, .store) }
    return outcome
  }

  package func expunge(
    _ uids: [UInt32],
    in mailbox: MailboxReference,
    unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome {
    guard !server.abilities.hasUIDPlus else {
      return try change(mailbox) { $0.expungeMarked(of: Set(uids), done: Set(uids)) }
    }
    let others = try asking(mailbox) { $0.marked.subtracting(uids) }
    if !others.isEmpty {
      try unmarking(others.sorted())
      try change(mailbox) { mailbox in
        for uid in others.sorted() { mailbox.change(uid, adding: [], removing: ["\\Deleted"]) }
      }
    }
    return try change(mailbox) { mailbox in
      let marked = mailbox.marked
      let isAlone = marked.isSubset(of: uids)
      let outcome =
        isAlone ? mailbox.expungeMarked(of: Set(uids), done: marked) : RemovalOutcome()
      for uid in others.sorted() { mailbox.change(uid, adding: ["\\Deleted"]) }
      return outcome
    }
  }

  package func append(_ orders: [AppendOrder]) throws(SyncFailure) -> [AppendAnswer] {
    var outcomes: [AppendAnswer] = []
    for order in orders {
      let results = try server.request(isBehind: !outcomes.isEmpty) { () throws(SyncFailure) in
        var results: [AppendResult] = []
        for message in order.messages {
          results.append(
            try server.step { () throws(SyncFailure) in try append(message, to: order.target) }
          )
        }
        return results
      }
      var late = order.late
      answer(&late)
      outcomes.append(AppendAnswer(results, late))
    }
    return outcomes
  }

  /// In the same flight, so that it is no request of its own.
  private func answer(_ late: inout LateQuestions) {
    if let place = late.arrivals?.mailbox, let found = try? mailbox(place) {
      late.recordArrivals(found.messages.map { $0.value.described($0.key) })
    }
    guard server.abilities.tellsVanished else { return }
    for item in late.questions {
      // One that is gone by now, or another one, is left out.
      guard let answer = try? answer(item.question),
        answer.identity.sharesUIDs(with: item.mailbox.identity)
      else { continue }
      late.recordAnswer(answer, of: item.mailbox.name)
    }
  }

  /// A literal has the length that was announced, whatever became of the file since.
  private func octets(of message: any MessageSource) throws(SyncFailure) -> [UInt8] {
    var octets: [UInt8] = []
    do throws(SystemError) {
      var reader = try message.open()
      while UInt64(octets.count) < message.wireSize {
        let left = Int(message.wireSize) - octets.count
        let run = try reader.next(atMost: min(left, 1 << 16))
        if run.isEmpty { break }
        octets += run
      }
    } catch {
      throw error.isNotFound ? .transport(.closed) : .system(error)
    }
    return octets
  }

  /// A message with one header field more, which is there once.
  private static func headed(_ octets: [UInt8], _ field: String) -> [UInt8] {
    let line = Array("\(field)\r\n".utf8)
    return octets.starts(with: line) ? octets : line + octets
  }

  private func append(
    _ message: any MessageSource,
    to name: MailboxName
  ) throws(SyncFailure) -> AppendResult {
    let sent = try octets(of: message)
    guard UInt64(sent.count) == message.wireSize else { throw .transport(.closed) }
    try server.check(sent)
    server.note(appended: sent)
    let isChanged = server.abilities.changesUploads
    let octets = isChanged ? Self.headed(sent, MemoryAbilities.receivedField) : sent
    let flags = Set(
      message.marks.system.imapFlags.map { String(decoding: $0.wire, as: UTF8.self) }
        + message.marks.keywords.map { String(decoding: $0, as: UTF8.self) }
    )
    let (text, date) = (Self.text(name), (message.arrival ?? 0) + (isChanged ? 3600 : 0))
    let added = try attempt { () throws(SystemError) in
      try server.change { [octets] content -> (UInt32, UInt32)? in
        guard let uid = content.add(octets, flags: flags, date: date, to: text),
          let mailbox = content.mailboxes[text]
        else { return nil }
        return (mailbox.validity, uid)
      }
    }
    guard let (validity, uid) = added else {
      return .refused(ServerReply(.passing))
    }
    return server.abilities.hasUIDPlus ? .appended(validity: validity, uid: uid) : .taken
  }
}

extension MemoryMailbox {
  /// Expunges those that are marked, as far as that is allowed; `done` are gone then, unless they are still there.
  fileprivate mutating func expungeMarked(
    of uids: Set<UInt32>,
    done: Set<UInt32>
  ) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    let due = marked.intersection(uids)
    if denied.contains("e") {
      outcome.ignored = due.sorted().map { ($0, .expunge) }
      outcome.done = done.subtracting(due)
    } else {
      for uid in due.sorted() { expunge(uid) }
      outcome.done = done
    }
    return outcome
  }
}
