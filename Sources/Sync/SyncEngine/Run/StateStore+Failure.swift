internal import MailStore
internal import Platform
internal import SyncState

extension StateStore {
  /// The summary of the last run; nil when there is none or it is damaged, or of an older version.
  ///
  /// - Throws: `newerState` where a newer version wrote it.
  func loadSummaryForUpdate() throws(SyncFailure) -> Summary? {
    let octets = try attempt(FileSystem.readFile(summary, limit: Self.sizeLimit))
    guard let octets else { return nil }
    do {
      return try SummaryFile.decode(octets)
    } catch {
      if error.problem == .newerVersion { throw .newerState(summary) }
      return nil
    }
  }
}
