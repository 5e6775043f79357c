internal import MailStore
internal import Maildir
internal import Platform
internal import SyncState

/// Over which uploads connections broke, for all connections of a run; what it gives up is on record for the next one.
///
/// That the record cannot be written costs the next run some attempts and nothing else, so it is no failure.
final class UploadHistory: Sendable {
  private struct Content: Sendable {
    var attempts = TransferAttempts<UploadedFile>()
    var recorded = BrokenUploads()
    /// Those that this run may send although they were given up.
    var allowed: Set<UploadedFile> = []
  }

  private let store: StateStore
  private let tree: FolderTree
  private let content = Monitor(Content())

  /// The history of an account, of which nothing is known yet.
  init(_ store: StateStore, _ tree: FolderTree) {
    self.store = store
    self.tree = tree
  }

  /// The attempts of this run so far.
  var attempts: TransferAttempts<UploadedFile> { content.withLock { $0.attempts } }

  /// Takes up what earlier runs gave up, and forgets those of them that are gone or have changed.
  func recall() {
    let recorded = BrokenUploads(store)
    guard !recorded.files.isEmpty else { return }
    var standing = recorded
    let present = present(recorded.files.keys)
    standing.files = recorded.files.filter { present[$0.key] == $0.value.size }
    content.withLock {
      $0.attempts = TransferAttempts(givenUpBefore: Set(standing.files.keys))
      $0.recorded = standing
    }
    if standing != recorded { try? standing.save(store) }
  }

  /// Whether a file that earlier runs gave up is not tried in this one.
  func isResting(_ file: UploadedFile) -> Bool {
    content.withLock { content in
      guard !content.allowed.contains(file), let attempts = content.recorded.files[file] else {
        return false
      }
      return !attempts.isDue(at: Clock.now())
    }
  }

  /// Whether a file of so many octets that the server took and has not may be sent once more now; where it may, the next time is
  /// later.
  func mayTryAgain(_ file: UploadedFile, of size: UInt64) -> Bool {
    content.withLock { content in
      let now = Clock.now()
      var attempts = content.recorded.files[file] ?? BrokenUploads.Attempts(size: size)
      guard attempts.isDue(at: now) else { return false }
      attempts.giveUp(at: now)
      content.recorded.files[file] = attempts
      content.allowed.insert(file)
      try? content.recorded.save(store)
      return true
    }
  }

  /// The server answered for these; those that are `settled` are forgotten.
  func noteAnswers(to files: [UploadedFile], settled: [UploadedFile]) {
    content.withLock { content in
      content.attempts.noteAnswers(to: files)
      let known = settled.filter { content.recorded.files[$0] != nil }
      guard !known.isEmpty else { return }
      for file in known { content.recorded.files[file] = nil }
      try? content.recorded.save(store)
    }
  }

  /// The connection broke while these were sent together; with each come its octets.
  ///
  /// What was sent alone is given up at once where `isFinal`.
  func noteBreak(over files: [(file: UploadedFile, size: UInt64)], isFinal: Bool) {
    content.withLock { content in
      content.attempts.noteBreak(over: files.map(\.file), isFinal: isFinal)
      let recorded = content.recorded
      for (file, size) in files where content.attempts.isGivenUp(file) {
        content.recorded.files[file, default: BrokenUploads.Attempts(size: size)]
          .giveUp(at: Clock.now())
      }
      if content.recorded != recorded { try? content.recorded.save(store) }
    }
  }

  /// The files as they are now; each Maildir is read once.
  private func present(_ files: some Sequence<UploadedFile>) -> [UploadedFile: UInt64] {
    var sizes: [UploadedFile: UInt64] = [:]
    for (directory, wanted) in Dictionary(grouping: files, by: \.directory) {
      let path = tree.path(of: directory)
      let names = Set(wanted.map(\.name))
      guard let files = try? MaildirScan.scan(path).files else { continue }
      for file in files where names.contains(file.name.base) {
        let status = (try? FileSystem.status(file.path(in: path))) ?? nil
        sizes[UploadedFile(directory: directory, name: file.name.base)] = status.map {
          UInt64($0.size)
        }
      }
    }
    return sizes
  }
}
