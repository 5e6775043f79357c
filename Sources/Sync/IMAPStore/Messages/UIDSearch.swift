internal import IMAP
internal import MailStore
internal import MessageContent

/// Finds messages by UID SEARCH, the compact way where the server has it (RFC 4731).
struct UIDSearch {
  /// Whether the server answers with sets.
  let isExtended: Bool
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
    let capabilities = connection.capabilities
    isExtended = capabilities.contains("ESEARCH") || capabilities.contains("IMAP4rev2")
  }

  /// The UIDs that the query finds; what else the server says goes into `listing`.
  func find(_ query: SearchQuery, _ listing: inout RemoteListing) throws(SyncFailure) -> [UInt32] {
    guard isExtended, let found = try findTogether([query], &listing) else {
      return try findPlainly(query, &listing)
    }
    return found[0]
  }

  /// The UIDs that each query finds, all in one round trip; nil where one was left unanswered.
  ///
  /// Answers may overtake each other: each says which query it belongs to.
  func findTogether(
    _ queries: [SearchQuery],
    _ listing: inout RemoteListing
  ) throws(SyncFailure) -> [[UInt32]]? {
    let tags = queries.map { connection.send(.uidSearch($0, returningAll: true)) }
    var found: [CommandTag: [UInt32]] = [:]
    for tag in tags {
      let response = try connection.finish(tag) { event in
        if case .esearch(let result) = event, let owner = result.tag {
          found[owner] = Self.uids(of: result, exists: listing.mailbox.exists)
        } else {
          listing.applyEvent(event)
        }
      }
      try Self.check(response)
    }
    let answers = tags.compactMap { found[$0] }
    return answers.count == tags.count ? answers : nil
  }

  private func findPlainly(
    _ query: SearchQuery,
    _ listing: inout RemoteListing
  ) throws(SyncFailure) -> [UInt32] {
    var found: [UInt32] = []
    let command = Command.uidSearch(query, returningAll: false)
    let response = try connection.perform(command) { event in
      if case .search(let uids) = event { found += uids } else { listing.applyEvent(event) }
    }
    try Self.check(response)
    return found
  }

  private static func check(_ response: StatusResponse) throws(SyncFailure) {
    guard response.kind == .ok else {
      throw .commandRefused(.search, ServerReply(response))
    }
  }

  /// A set may name far more UIDs than there are messages; no more than could be there are taken.
  private static func uids(of result: ESearch, exists: UInt32) -> [UInt32] {
    Array((result.all ?? UIDSet()).ranges.lazy.joined().prefix(Int(exists) + 10_000))
  }
}

/// Finds messages of the open mailbox whose UIDs are not known.
struct MessageSearch {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// The messages with that Message-ID, which has its angle brackets.
  ///
  /// - Returns: nil where it cannot be searched for: what cannot be written between quotes is rare, and servers
  ///   differ in what they make of it.
  func messages(withID identifier: [UInt8]) throws(SyncFailure) -> [UInt32]? {
    guard identifier.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    let query = SearchQuery.header(name: Array("MESSAGE-ID".utf8), contains: identifier)
    let found = try find(query)
    guard !found.isEmpty else { return [] }
    let hash = HeaderFacts.hash(ofMessageID: identifier)
    return try ContentQueries(connection).messageIDs(found).filter { $0.value == hash }.map(\.key)
  }

  /// The messages that are marked as deleted.
  func marked() throws(SyncFailure) -> [UInt32] { try find(.deleted) }

  private func find(_ query: SearchQuery) throws(SyncFailure) -> [UInt32] {
    var found: [UInt32] = []
    let command = Command.uidSearch(query, returningAll: false)
    let response = try connection.perform(command) { event in
      switch event {
      case .search(let uids): found += uids
      // IMAP4rev2 knows no other answer (RFC 9051 §7.3.4).
      case .esearch(let result): for range in result.all?.ranges ?? [] { found += range }
      default: break
      }
    }
    guard response.kind == .ok else {
      throw .commandRefused(.search, ServerReply(response))
    }
    return found
  }
}
