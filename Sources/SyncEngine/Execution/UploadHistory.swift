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
    guard !recorded.sizes.isEmpty else { return }
    var standing = recorded
    let present = present(recorded.sizes.keys)
    standing.sizes = recorded.sizes.filter { present[$0.key] == $0.value }
    content.withLock {
      $0.attempts = TransferAttempts(givenUpBefore: Set(standing.sizes.keys))
      $0.recorded = standing
    }
    if standing != recorded { try? standing.save(store) }
  }

  /// The server took or refused these.
  func noteAnswers(to files: [UploadedFile]) {
    content.withLock { content in
      content.attempts.noteAnswers(to: files)
      let known = files.filter { content.recorded.sizes[$0] != nil }
      guard !known.isEmpty else { return }
      for file in known { content.recorded.sizes[file] = nil }
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
        content.recorded.sizes[file] = size
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
