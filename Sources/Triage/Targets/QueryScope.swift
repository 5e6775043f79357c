internal import Octets
internal import Query

/// What of a query says which files of a message are meant, and not only which messages.
struct QueryScope {
  /// The names of the folders that the files lie in; nil where the query names none.
  let folders: Set<[UInt8]>?

  /// Whether it asks for threads, and for nothing else.
  let isThread: Bool

  init(_ query: Query) {
    folders = Self.folders(query)
    isThread = Self.isThread(query)
  }

  private static func folders(_ query: Query) -> Set<[UInt8]>? {
    switch query {
    case .exact(.folder, let name): return [name]
    case .exact(.tag, let name): return name == inboxTag ? [[UInt8](ascii: "INBOX")] : nil
    case .and(let parts):
      return parts.lazy.compactMap { folders($0) }.first
    case .or(let parts):
      var all: Set<[UInt8]> = []
      for part in parts {
        guard let found = folders(part) else { return nil }
        all.formUnion(found)
      }
      return all
    default: return nil
    }
  }

  private static let inboxTag = [UInt8](ascii: "inbox")

  private static func isThread(_ query: Query) -> Bool {
    switch query {
    case .exact(.thread, _), .thread: true
    case .or(let parts): parts.allSatisfy { isThread($0) }
    default: false
    }
  }
}
