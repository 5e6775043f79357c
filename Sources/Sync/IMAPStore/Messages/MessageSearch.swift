internal import MailStore
internal import IMAP
internal import MessageContent

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
