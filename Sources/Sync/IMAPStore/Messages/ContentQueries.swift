internal import MailStore
internal import IMAP
internal import MailModel
internal import MessageContent
internal import Octets
internal import SyncPlan

/// Asks the server what messages of the open mailbox hold, short of fetching them for good.
struct ContentQueries {
  private static let identifier: FetchItem = .header([Array("MESSAGE-ID".utf8)])

  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// What the whole headers tell, by UID; messages that are gone are left out.
  func headers(_ uids: [UInt32]) throws(SyncFailure) -> [UInt32: HeaderFacts] {
    var facts: [UInt32: HeaderFacts] = [:]
    try fetch(uids, [.uid, .wholeHeader]) { fetch in
      guard let uid = fetch.uid, let header = fetch.header else { return }
      facts[uid] = HeaderFacts(wire: header)
    }
    return facts
  }

  /// The hashes of the Message-IDs, by UID, 0 for a message without one; messages that are gone are left out.
  func messageIDs(_ uids: [UInt32]) throws(SyncFailure) -> [UInt32: UInt64] {
    var found: [UInt32: UInt64] = [:]
    try fetch(uids, [.uid, Self.identifier]) { fetch in
      guard let uid = fetch.uid, let header = fetch.header else { return }
      found[uid] = HeaderFacts(wire: header).messageID
    }
    return found
  }

  /// What messages are made of, by UID; where that is not told or could not be read, the message is left out.
  func structures(_ uids: [UInt32]) throws(SyncFailure) -> [UInt32: BodyStructure] {
    var found: [UInt32: BodyStructure] = [:]
    let take = { (event: Event) in
      guard case .fetch(let fetch) = event, let uid = fetch.uid, let structure = fetch.structure
      else { return }
      found[uid] = structure
    }
    let pieces = UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 5000)
    var refusals = 0
    for tag in pieces.map(askForStructure) {
      refusals += try connection.finish(tag, take).kind == .ok ? 0 : 1
    }
    guard refusals > 0 else { return found }
    // One message of which the server can tell nothing keeps it from telling of the others.
    let left = uids.filter { found[$0] == nil }
    for tag in left.map({ askForStructure(UIDSet(sortedUIDs: [$0])) }) {
      _ = try connection.finish(tag, take)
    }
    return found
  }

  private func askForStructure(_ uids: UIDSet) -> CommandTag {
    connection.send(.uidFetch(.uids(uids), [.uid, .structure], changedSince: nil))
  }

  /// Sections of messages, each asked for by a command of its own, all in one round trip.
  func sections(_ orders: [SectionOrder]) throws(SyncFailure) -> [FetchedSections] {
    let tags = orders.map { order in
      connection.send(
        .uidFetch(
          .uids(UIDSet(sortedUIDs: [order.uid])),
          [.uid, .flags, .internalDate, .size]
            + order.sections.map { .section($0.name, from: $0.start, limit: $0.limit) },
          changedSince: nil
        )
      )
    }
    let numbers = Dictionary(grouping: orders.indices) { orders[$0].uid }
    var found: [Int: FetchedSections] = [:]
    for tag in tags {
      // One that the server refuses must not keep the others.
      _ = try connection.finish(tag) { event in
        guard case .fetch(let fetch) = event, let uid = fetch.uid else { return }
        for number in numbers[uid] ?? [] where found[number] == nil {
          found[number] = Self.answer(to: orders[number], fetch)
          if found[number] != nil { break }
        }
      }
    }
    return orders.indices.compactMap { found[$0] }
  }

  /// What one FETCH line tells of the sections of a message; nil where it is about something else, such as a flag that changed,
  /// or another piece of them.
  ///
  /// A section that does not begin where it was asked for is left out.
  private static func answer(to order: SectionOrder, _ fetch: Fetch) -> FetchedSections? {
    guard let flags = fetch.flags, let size = fetch.size, let date = fetch.internalDate else {
      return nil
    }
    var sections = fetch.sections
    for section in order.sections where (fetch.origins[section.name] ?? 0) != section.start {
      sections[section.name] = nil
    }
    if let header = fetch.header { sections[Array("header".utf8)] = header }
    guard !sections.isEmpty || order.sections.allSatisfy({ $0.start == 0 }) else { return nil }
    let message = RemoteMessage(
      uid: order.uid,
      flags: MessageFlags(flags),
      size: size,
      date: date
    )
    return FetchedSections(message: message, sections: sections)
  }

  /// The flags as they are now, by UID; messages that are gone are left out.
  func flags(_ uids: [UInt32]) throws(SyncFailure) -> [UInt32: MessageFlags] {
    var found: [UInt32: MessageFlags] = [:]
    try fetch(uids, [.uid, .flags]) { fetch in
      guard let uid = fetch.uid, let flags = fetch.flags else { return }
      found[uid] = MessageFlags(flags)
    }
    return found
  }

  /// The messages from that UID on, with what their Message-IDs hash to.
  func arrivals(from uid: UInt32) throws(SyncFailure) -> [(RemoteMessage, messageID: UInt64)] {
    var found: [(RemoteMessage, messageID: UInt64)] = []
    let items: [FetchItem] = [.uid, .flags, .internalDate, .size, Self.identifier]
    let command = Command.uidFetch(.from(uid), items, changedSince: nil)
    let response = try connection.perform(command) { event in
      // `n:*` names the last message even when it is older.
      guard case .fetch(let fetch) = event, let number = fetch.uid, number >= uid,
        let flags = fetch.flags, let header = fetch.header
      else { return }
      let message = RemoteMessage(
        uid: number,
        flags: MessageFlags(flags),
        size: fetch.size,
        date: fetch.internalDate
      )
      found.append((message, HeaderFacts(wire: header).messageID))
    }
    // Some servers call such a set a bad one where there is no message.
    guard response.kind != .no else {
      throw .commandRefused(.fetch, ServerReply(response))
    }
    return found
  }

  /// The contents of whole messages, by UID; messages that are gone are left out.
  func contents(_ uids: [UInt32]) throws(SyncFailure) -> [UInt32: ReadContent] {
    var found: [UInt32: ReadContent] = [:]
    var reader = WireContentReader()
    for piece in UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 1000) {
      let command = Command.uidFetch(.uids(piece), [.uid, .body], changedSince: nil)
      let response = try connection.perform(command) { event in
        switch event {
        case .bodyBegin: reader = WireContentReader()
        case .bodyChunk(let octets): reader.readOctets(octets)
        case .fetch(let fetch):
          if let uid = fetch.uid, fetch.hasBody { found[uid] = reader.finish() }
        default: break
        }
      }
      guard response.kind == .ok else {
        throw .commandRefused(.fetch, ServerReply(response))
      }
    }
    return found
  }

  private func fetch(
    _ uids: [UInt32],
    _ items: [FetchItem],
    _ take: (Fetch) -> Void
  ) throws(SyncFailure) {
    let pieces = UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 5000)
    let tags = pieces.map { connection.send(.uidFetch(.uids($0), items, changedSince: nil)) }
    for tag in tags {
      let response = try connection.finish(tag) { event in
        if case .fetch(let fetch) = event { take(fetch) }
      }
      guard response.kind == .ok else {
        throw .commandRefused(.fetch, ServerReply(response))
      }
    }
  }
}
