package import MailModel
package import MailStore
package import MessageContent
package import SyncPlan

// What mailboxes and messages are like.
extension MemoryStore {
  /// In the round trip of the list.
  func ask(_ questions: [MailboxQuestion]) throws(SyncFailure) {
    guard server.abilities.tellsVanished, server.abilities.hasModSequences else { return }
    for question in questions {
      asked[question.name] = try server.step { () throws(SyncFailure) in
        (try? mailbox(named: question.name)).map { (question.token, $0) }
      }
    }
  }

  /// What was asked before of some of them is asked anew with the others, and of no other mailbox.
  package func expect(_ questions: [MailboxQuestion]) throws(SyncFailure) {
    let names = Set(questions.map(\.name))
    if names.isSubset(of: asked.keys) {
      asked = asked.filter { names.contains($0.key) }
    } else {
      asked = [:]
    }
  }

  package func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    if let (token, found) = asked.removeValue(forKey: question.name), token == question.token {
      return answer(question, from: found)
    }
    return try server.request { () throws(SyncFailure) in try answer(question) }
  }

  func answer(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    answer(question, from: try mailbox(named: question.name))
  }

  private func answer(_ question: MailboxQuestion, from found: MemoryMailbox) -> RemoteMailbox {
    var mailbox = described(found)
    mailbox.view = .complete(wanted(described(found.messages), question))
    if question.since != nil {
      mailbox.isWindowed = true
      let gone = (question.known + question.leaving).filter { found.messages[$0] == nil }
      mailbox.view = .changes(mailbox.view.listed, vanished: gone.sorted().map { $0...$0 })
    }
    guard let token = question.token, server.abilities.hasModSequences,
      let since = token.modSequence, token.validity == found.validity
    else { return mailbox }
    let changed = found.messages.filter { $0.value.modSequence > since }
    let vanished = found.vanished.filter { $0.value > since }.keys.sorted()
    // What is new is told whatever its date is, as by a server.
    mailbox.isWindowed = false
    mailbox.view = .changes(
      RemoteMessages(described(changed)),
      vanished: vanished.map { $0...$0 }
    )
    return mailbox
  }

  private func described(_ messages: [UInt32: MemoryMailbox.Message]) -> [RemoteMessage] {
    messages.sorted { $0.key < $1.key }.map { $0.value.described($0.key) }
  }

  /// Those that are known, of the window, or of the other days that were asked for.
  private func wanted(
    _ messages: [RemoteMessage],
    _ question: MailboxQuestion
  ) -> RemoteMessages {
    guard let since = question.since else { return RemoteMessages(messages) }
    let known = Set(question.known + question.leaving)
    return RemoteMessages(
      messages.filter { message in
        let date = message.date ?? 0
        return known.contains(message.uid) || date >= since
          || question.earlier.contains { $0.contains(date) }
      }
    )
  }

  private func described(_ found: MemoryMailbox) -> RemoteMailbox {
    var mailbox = RemoteMailbox()
    let identity = identity(found)
    mailbox.validity = identity.validity
    mailbox.serverID = identity.serverID
    mailbox.uidNext = server.abilities.hidesNext ? nil : found.uidNext
    mailbox.modSequence = server.abilities.hasModSequences ? found.modSequence : nil
    mailbox.exists = UInt32(found.messages.count)
    if found.denied.contains("t") {
      mailbox.keptFlags = KeptFlags(permanent: [.seen, .answered, .flagged, .draft, .any])
    }
    return mailbox
  }

  package func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    try server.request { () throws(SyncFailure) in
      let found = try mailbox(named: name)
      opened = (name, found)
      return described(found)
    }
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
  ) throws(SyncFailure) -> [UInt32: ReadContent] {
    guard !uids.isEmpty else { return [:] }
    return try asking(mailbox) { mailbox in
      var found: [UInt32: ReadContent] = [:]
      for uid in uids {
        guard let message = mailbox.messages[uid] else { continue }
        let reader = WireContentReader()
        reader.readOctets(message.octets[...])
        found[uid] = reader.finish()
      }
      return found
    }
  }

  private func facts(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: ContentReading.Facts] {
    guard !uids.isEmpty else { return [:] }
    return try asking(mailbox) { mailbox in
      var found: [UInt32: ContentReading.Facts] = [:]
      for uid in uids { found[uid] = mailbox.messages[uid]?.facts }
      return found
    }
  }

  package func flags(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: MessageFlags] {
    try asking(mailbox) { mailbox in
      var found: [UInt32: MessageFlags] = [:]
      for uid in uids { found[uid] = mailbox.messages[uid]?.described(uid).flags }
      return found
    }
  }

  package func structures(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: BodyStructure] {
    guard !uids.isEmpty else { return [:] }
    return try asking(mailbox) { mailbox in
      var found: [UInt32: BodyStructure] = [:]
      for uid in uids { found[uid] = mailbox.messages[uid]?.structure }
      return found
    }
  }

  package func sections(
    _ orders: [SectionOrder],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [FetchedSections] {
    guard !orders.isEmpty else { return [] }
    return try asking(mailbox) { mailbox in
      orders.compactMap { order in
        mailbox.messages[order.uid].map {
          FetchedSections(
            message: $0.described(order.uid),
            sections: $0.sections(order.sections)
          )
        }
      }
    }
  }

  package func messages(
    withID identifier: [UInt8],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32]? {
    let wanted = HeaderFacts.hash(ofMessageID: identifier)
    return try asking(mailbox) { mailbox in
      mailbox.messages.filter { $0.value.facts.header.messageID == wanted }.keys.sorted()
    }
  }

  /// As `IMAPStore.ArrivalSearch` does, without a second look.
  package func find(
    _ wanted: [WantedArrival],
    besides claimed: Set<UInt32>,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [RemoteMessage?] {
    try asking(mailbox) { mailbox in
      var search = MemoryArrivalSearch(mailbox, claimed)
      return search.find(wanted)
    }
  }

  package func fetch(_ orders: [FetchOrder]) throws(SyncFailure) -> [FetchResult] {
    try server.request { () throws(SyncFailure) in
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
  }

  private func fetch(_ order: FetchOrder) throws(SyncFailure) {
    var messages = order.messages
    while !messages.isEmpty {
      try fetch(messages, order)
      messages = order.more?() ?? []
    }
    try order.sink.finishOrder()
  }

  private func fetch(_ messages: [RemoteMessage], _ order: FetchOrder) throws(SyncFailure) {
    for wanted in messages {
      try server.step { () throws(SyncFailure) in
        guard let message = try mailbox(order.mailbox).messages[wanted.uid] else { return }
        do throws(SyncFailure) {
          try server.check(fetched: message.octets)
        } catch {
          order.sink.noteBreak(over: wanted.uid)
          throw error
        }
        try order.sink.begin()
        try order.sink.receiveOctets(message.octets[...])
        try order.sink.end()
        try order.sink.deliver(message.described(wanted.uid))
      }
    }
  }
}
