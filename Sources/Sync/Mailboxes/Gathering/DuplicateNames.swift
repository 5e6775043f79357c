internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// Decides which of several files of one base name is the one that the record of that name is about.
///
/// The name is no sign, since all have it, and neither are directory and flags: any client may put another message there.
/// What the files hold decides, and only where that does not is it the one that every scan keeps.
struct DuplicateNames {
  private let directory: Path
  private let state: MailboxState

  /// A choice among files of the Maildir `directory`, by its records.
  init(in directory: Path, by state: MailboxState) {
    self.directory = directory
    self.state = state
  }

  /// What a scan found as duplicates, so that the message's file is the one that is kept.
  func settled(
    _ duplicates: [(kept: ScannedFile, other: ScannedFile)]
  ) -> [(kept: ScannedFile, other: ScannedFile)] {
    var settled: [(kept: ScannedFile, other: ScannedFile)] = []
    for (base, pairs) in groups(of: duplicates) {
      guard let last = pairs.last else { continue }
      // The scan compares one after the other: the last one that it kept is its choice among all.
      let others = pairs.flatMap { [$0.kept, $0.other] }.filter { $0 != last.kept }
      var files = [last.kept]
      for file in others where !files.contains(file) { files.append(file) }
      let own = state.uid(of: base).flatMap { choice(of: $0, among: files) } ?? last.kept
      settled += files.filter { $0 != own }.map { (own, $0) }
    }
    return settled
  }

  private func groups(
    of duplicates: [(kept: ScannedFile, other: ScannedFile)]
  ) -> [(base: [UInt8], pairs: [(kept: ScannedFile, other: ScannedFile)])] {
    Dictionary(grouping: duplicates) { $0.kept.name.base }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { ($0.key, $0.value) }
  }

  /// The file that is most like the message.
  private func choice(of uid: UInt32, among files: [ScannedFile]) -> ScannedFile? {
    guard SyncRule.keys.isOn, let record = state.messages[uid] else { return nil }
    let traces = files.map { (try? MessageContents(of: $0.path(in: directory)))?.trace }
    return Trace(fileOf: record).likest(among: traces).map { files[$0] }
  }
}
