internal import Platform
internal import SpoolPlan

/// Entries that are gone, and whose logs must not go before that is durable: else a crash would bring an entry back without
/// its log, to be sent again.
package final class RetiredEntries {
  /// So many wait for their end together: what makes that durable costs the same for any number.
  private static let limit = 64

  private let spool: Spool
  private var entries: [(id: EntryID, keepsLog: Bool)] = []

  /// Frees files without a name; `nil` where that is done at once.
  private var release: BackgroundRelease?

  /// None of a spool.
  package init(_ spool: Spool) { self.spool = spool }

  /// From now on files are freed beside other work, up to `finish()`: for many of them some file systems wait for long.
  package func freeInBackground() {
    if release == nil { release = BackgroundRelease() }
  }

  /// Takes an entry whose file was removed.
  func add(_ id: EntryID, keepingLog: Bool) { entries.append((id, keepingLog)) }

  /// Lets go of the file of an entry, whose name is gone.
  func free(_ file: consuming FileLock) { release?.add(file) }

  /// Does what `removeLogs()` does, once there is enough of it.
  package func removeManyLogs() throws(SpoolError) {
    if entries.count >= Self.limit { try removeLogs() }
  }

  /// Makes durable that they are gone, and removes their logs.
  package func removeLogs() throws(SpoolError) {
    guard !entries.isEmpty else { return }
    for state in EntryState.allCases {
      try Spool.system { () throws(SystemError) in
        try FileSystem.synchroniseDirectory(spool.directory(state))
      }
    }
    for (id, keepsLog) in entries where !keepsLog {
      try removeLog(spool.logs.appending(id.octets))
    }
    entries = []
  }

  /// Waits until all files are freed.
  package func finish() {
    release?.finish()
    release = nil
  }

  private func removeLog(_ path: Path) throws(SpoolError) {
    guard let release, let file = (try? SpoolFile.open(path, .read)) ?? nil else {
      return try LockedSpool.remove(path)
    }
    let log = NamelessFile(file)
    try LockedSpool.remove(path)
    release.add(log)
  }

  private final class NamelessFile: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }
}
