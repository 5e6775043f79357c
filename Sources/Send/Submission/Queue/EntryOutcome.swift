package import Spool
package import SpoolPlan

/// What became of an entry.
package enum EntryOutcome: Sendable {
  /// It is in one of the states, or a newer version of it is.
  case present(QueuedItem)
  /// A person took it back as a draft.
  case cancelled
  /// All that it asks for is done.
  case done
}

extension Outbox {
  /// Seconds to wait for who works on a queue, to be sure that an entry is not there.
  private static let glance = 1.0

  /// What became of an entry, or of the version that took its place.
  ///
  /// - Parameters:
  ///   - id: the entry; it was in the queue of the account less than a day ago.
  ///   - account: the account.
  /// - Returns: what can be said of it.
  /// - Throws: `SpoolError` where the spool cannot be read.
  package func outcome(of id: EntryID, in account: String) throws(SpoolError) -> EntryOutcome {
    if let item = try item(id, of: [account], in: EntryState.allCases) { return .present(item) }
    // It may have been on its way from one state to another. Programs of before have the lock for long; they take it forward
    // only, as it was looked for.
    let work = try LockedSpool.acquire(spool(of: account), timeout: Self.glance)
    defer { withExtendedLifetime(work) {} }
    return try lastOutcome(of: id, in: spool(of: account))
  }

  private func lastOutcome(of id: EntryID, in spool: Spool) throws(SpoolError) -> EntryOutcome {
    if let item = try item(id, of: [spool.account], in: EntryState.allCases) {
      return .present(item)
    }
    switch try spool.log(of: id).last?.fact {
    case .cancelled: return .cancelled
    case .replaced(let new): return try lastOutcome(of: new, in: spool)
    default: return .done
    }
  }
}
