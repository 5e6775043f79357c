package import Platform

// What the summary says, together with the maps it stands for.
extension StateStore {
  /// Hours for which deletions count towards the limit of what a run may delete.
  private static let deletionHours: Int64 = 24

  /// The last run's summary, or one made of the maps' headers where it is lost or of another root.
  ///
  /// - Parameters:
  ///   - stored: what was read of it; nil where there is none.
  ///   - root: the number of the account's root.
  ///   - now: seconds since 1970; deletions that are a day old are left out.
  /// - Returns: a summary in which every mailbox with a map has an entry.
  /// - Throws: the error of reading the maps.
  package func usable(
    _ stored: Summary?,
    root: UInt64,
    now: Int64
  ) throws(SystemError) -> Summary {
    guard var summary = stored, summary.root == root else {
      return try complete(Summary(root: root))
    }
    let yesterday = now / 3600 - Self.deletionHours
    summary.deletions = summary.deletions.filter { $0.key > yesterday }
    return try complete(summary)
  }

  /// The summary with the mailboxes whose maps it lacks: those of a run that was killed before it wrote its summary.
  ///
  /// What it says of mailboxes whose maps are lost does not count: they are matched anew now, not when something
  /// happened there that could then no longer be recognised.
  package func complete(_ stored: Summary) throws(SystemError) -> Summary {
    var summary = stored
    let recorded = try recorded()
    for (name, entry) in stored.entries where !recorded.contains(entry.header.id) {
      summary.entries[name]?.unfinishedRuns = max(1, entry.unfinishedRuns)
    }
    let missing = recorded.subtracting(stored.entries.values.map(\.header.id))
    for id in missing.sorted() {
      guard let header = try header(of: id) else { continue }
      // Of two maps for one name the summary knows the right one.
      if let other = summary.entries[header.mailbox], recorded.contains(other.header.id) {
        continue
      }
      summary.entries[header.mailbox] = Summary.Entry(
        header: header,
        messages: 0,
        isComplete: false,
        fingerprints: nil
      )
    }
    return summary
  }

  /// What is recorded of a mailbox; nil where nothing is, or it cannot be used.
  package func state(of id: UInt64) throws(SystemError) -> MailboxState? {
    guard case .present(let journal) = try open(id) else { return nil }
    return journal.state
  }
}
