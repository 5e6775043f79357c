internal import MIME
internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan

/// Exchanges a file that has only parts of its message for the whole message, under the name that it has at that moment.
struct FileExchange {
  /// What came of it.
  enum Outcome: Equatable {
    /// It is durable.
    case exchanged
    /// The file had all of the message before.
    case wholeAlready
    /// The file has another name by now.
    case moved
    /// The file is not as it was recorded: a change in it would be lost.
    case changed
  }

  private let record: BaseRecord
  private let path: Path

  /// An exchange of the file of that record, which stands there.
  init(_ record: BaseRecord, _ path: Path) {
    self.record = record
    self.path = path
  }

  /// Whether the file may be exchanged, as far as that shows before the message is fetched.
  func isPossible() throws(SystemError) -> Bool {
    guard let contents = try MessageContents(of: path) else { return true }
    // Without marks it may be whole by now; `exchangeFile` tells once the message is here.
    return contents.marks.isEmpty || contents.wireSize == record.size
      || record.identity.map(contents.holds) ?? false
  }

  /// Puts a message of that identity that lies in tmp in the place of the file, with its arrival as its time.
  ///
  /// What was taken out is looked at once more: only the file that was looked at before goes.
  func exchangeFile(
    _ whole: DeliveredMessage,
    _ identity: ContentIdentity,
    date: Int64?
  ) throws(SystemError) -> Outcome {
    guard let before = try FileSystem.status(path, followingLinks: false),
      let contents = try MessageContents(of: path)
    else { return .moved }
    // A run was ended before it could record that; the size is not asked, which some servers do not tell right.
    if contents.identity == identity { return .wholeAlready }
    guard before.kind == .regular, record.identity.map(contents.holds) ?? false
    else { return .changed }
    let temporary = whole.temporaryPath
    if let date { try FileSystem.setTimes(temporary, date) }
    try FileSystem.synchroniseFile(temporary)
    do {
      try FileSystem.exchange(temporary, with: path)
    } catch {
      guard error.isNotFound else { throw error }
      return .moved
    }
    guard let taken = try FileSystem.status(temporary, followingLinks: false),
      taken.fingerprint.inode == before.fingerprint.inode,
      FileVersion(taken) == FileVersion(before)
    else {
      // Another program put another file there, or wrote into it.
      try FileSystem.exchange(temporary, with: path)
      return .moved
    }
    try FileSystem.remove(temporary)
    try FileSystem.synchroniseDirectory(path.parent)
    return .exchanged
  }
}
