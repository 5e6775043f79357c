package import Spool
package import SpoolPlan

/// An entry as lists show it.
package struct QueuedItem: Sendable {
  /// The spool it lies in.
  package let spool: Spool

  /// Its name.
  package let id: EntryID

  /// Where it stands.
  package let state: EntryState

  /// What its file and its log say; `nil` where nobody understands them.
  package let content: Content?

  /// Why nobody understands them; `nil` where somebody does.
  package let problem: SpoolError?

  /// What is known of an entry.
  package struct Content: Sendable {
    /// What its file says.
    package let entry: Entry

    /// How far it has come.
    package let progress: Progress

    /// What happened to it.
    package let log: [LogRecord]
  }

  init(_ spool: Spool, _ id: EntryID, _ state: EntryState) throws(SpoolError) {
    self.spool = spool
    self.id = id
    self.state = state
    do throws(SpoolError) {
      let log = try spool.log(of: id)
      guard let entry = try spool.header(of: id, in: state) else { throw .noEntry(id) }
      content = Content(entry: entry, progress: Progress(entry.action, log), log: log)
      problem = nil
    } catch {
      content = nil
      problem = error
    }
  }
}

extension Outbox {
  /// All entries of these accounts, or of all, oldest first within each.
  package func items(
    of accounts: [String]? = nil,
    in states: [EntryState] = EntryState.allCases
  ) throws(SpoolError) -> [QueuedItem] {
    var items: [QueuedItem] = []
    for spool in try spools() where accounts?.contains(spool.account) ?? true {
      var found: [QueuedItem] = []
      for state in states {
        for id in try spool.entries(state) {
          let item = try QueuedItem(spool, id, state)
          // It may have gone, or moved on, since the directory was read.
          if case .noEntry = item.problem { continue }
          found.append(item)
        }
      }
      items += found.sorted { $0.id < $1.id }
    }
    return items
  }

  /// The entries whose names contain these octets.
  package func items(matching text: [UInt8]) throws(SpoolError) -> [QueuedItem] {
    try items().filter { $0.id.octets.contains(run: text) }
  }
}

extension Array where Element == UInt8 {
  fileprivate func contains(run other: [UInt8]) -> Bool {
    guard !other.isEmpty, other.count <= count else { return other.isEmpty }
    return (0...(count - other.count)).contains { self[$0...].starts(with: other) }
  }
}
