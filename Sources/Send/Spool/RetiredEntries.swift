internal import Platform
internal import SpoolPlan

/// Entries that are gone, and whose logs must not go before that is durable: else a crash would bring an entry back without
/// its log, to be sent again.
package final class RetiredEntries {
  private let spool: Spool
  private var entries: [(id: EntryID, keepsLog: Bool)] = []

  /// None of a spool.
  package init(_ spool: Spool) { self.spool = spool }

  /// Takes an entry whose file was removed.
  func add(_ id: EntryID, keepingLog: Bool) { entries.append((id, keepingLog)) }

  /// Makes durable that they are gone, and removes their logs.
  package func removeLogs() throws(SpoolError) {
    guard !entries.isEmpty else { return }
    for state in EntryState.allCases {
      try Spool.system { () throws(SystemError) in
        try FileSystem.synchroniseDirectory(spool.directory(state))
      }
    }
    for (id, keepsLog) in entries where !keepsLog {
      try LockedSpool.remove(spool.logs.appending(id.octets))
    }
    entries = []
  }
}
