package import MailModel
package import MailStore
package import MessageContent
package import SyncPlan

// What mailboxes and messages are like.
extension MemoryStore {
  package func expect(_ questions: [MailboxQuestion]) throws(SyncFailure) {}

  package func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    let found = try mailbox(named: question.name)
    var mailbox = described(found)
    server.noteRoundTrip()
    let listed = found.messages.map { $0.value.described($0.key) }
    mailbox.view = .complete(wanted(listed, question))
    let hasModSequences = server.abilities.hasModSequences
    guard let token = question.token, hasModSequences, token.modSequence > 0,
      token.validity == found.validity
    else { return mailbox }
    let changed = found.messages.filter { $0.value.modSequence > token.modSequence }
    let vanished = found.vanished.filter { $0.value > token.modSequence }.keys.sorted()
    mailbox.view = .changes(
      wanted(changed.map { $0.value.described($0.key) }, question),
      vanished: vanished.map { $0...$0 }
    )
    return mailbox
  }

  /// Those that are known, or of the window.
  private func wanted(
    _ messages: [RemoteMessage],
    _ question: MailboxQuestion
  ) -> [RemoteMessage] {
    guard let since = question.since else { return messages }
    let known = Set(question.known)
    return messages.filter { known.contains($0.uid) || ($0.date ?? 0) >= since }
  }

  private func described(_ found: MemoryMailbox) -> RemoteMailbox {
    var mailbox = RemoteMailbox()
    let identity = identity(found)
    mailbox.validity = identity.validity
    mailbox.serverID = identity.serverID
    mailbox.uidNext = found.uidNext
    mailbox.modSequence = server.abilities.hasModSequences ? found.modSequence : 0
    mailbox.exists = UInt32(found.messages.count)
    return mailbox
  }

  package func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    server.noteRoundTrip()
    return described(try mailbox(named: name))
  }

  package func headers(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: HeaderFacts] {
    try facts(of: uids, in: mailbox).mapValues(\.header)
  }

  package func messageIDs(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: UInt64] {
    try facts(of: uids, in: mailbox).mapValues(\.header.messageID)
  }

  package func contents(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: ContentIdentity] {
    try facts(of: uids, in: mailbox).mapValues(\.identity)
  }

  private func facts(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: ContentReading.Facts] {
    guard !uids.isEmpty else { return [:] }
    let messages = try self.mailbox(mailbox).messages
    var found: [UInt32: ContentReading.Facts] = [:]
    for uid in uids { found[uid] = messages[uid]?.facts }
    return found
  }

  package func flags(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: MessageFlags] {
    let messages = try self.mailbox(mailbox).messages
    var found: [UInt32: MessageFlags] = [:]
    for uid in uids { found[uid] = messages[uid]?.described(uid).flags }
    return found
  }

  package func messages(
    withID identifier: [UInt8],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32]? {
    let wanted = HeaderFacts.hash(ofMessageID: identifier)
    let messages = try self.mailbox(mailbox).messages
    return messages.filter { $0.value.facts.header.messageID == wanted }.map(\.key)
  }

  /// As a client would: by content, else by Message-ID.
  package func find(
    _ wanted: [WantedArrival],
    besides claimed: Set<UInt32>,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [RemoteMessage?] {
    var claimed = claimed
    let messages = try self.mailbox(mailbox).messages
    return wanted.map { wanted in
      let free = messages.keys.sorted().filter { $0 >= wanted.uidNext && !claimed.contains($0) }
      let match = free.first { uid in
        guard let facts = messages[uid]?.facts, let identity = wanted.identity else { return false }
        return facts.identity.messageID == identity.messageID
          && facts.identity.text == identity.text
      }
      guard let match else { return nil }
      claimed.insert(match)
      return messages[match]?.described(match)
    }
  }

  package func fetch(_ orders: [FetchOrder]) throws(SyncFailure) -> [FetchResult] {
    server.noteRoundTrip()
    var results: [FetchResult] = []
    for order in orders {
      do throws(SyncFailure) {
        try fetch(order)
        results.append(.done(isComplete: true))
      } catch {
        guard !error.endsConnection else { throw error }
        results.append(.failed(error))
      }
    }
    return results
  }

  private func fetch(_ order: FetchOrder) throws(SyncFailure) {
    let messages = try mailbox(order.mailbox).messages
    for wanted in order.messages {
      guard let message = messages[wanted.uid] else { continue }
      try order.sink.begin()
      try order.sink.take(message.octets[...])
      try order.sink.end()
      try order.sink.deliver(message.described(wanted.uid))
    }
    try order.sink.conclude()
  }
}
