internal import MailModel
package import Maildir
package import MessageContent
internal import Octets
package import Platform
package import SyncPlan
internal import SyncState

// Files that may be written anew in their place.
extension LocalMailbox {
  /// The base names of files that were written anew in their place.
  func editedFiles(
    _ state: MailboxState,
    _ directory: Path,
    _ holdsDrafts: Bool
  ) throws(SystemError) -> OctetSet {
    var edited: OctetSet = []
    for (uid, version) in state.versions {
      guard let message = state.messages[uid], let file = files[message.name],
        try Self.change(of: file, of: message, since: version, in: directory, holdsDrafts)
          == .written
      else { continue }
      edited.insert(message.name)
    }
    return edited
  }

  /// What became of a file since a version of it was recorded.
  package enum Change: Equatable {
    /// It looks as it did, or is gone.
    case none
    /// It looks otherwise and holds the same: a copy or a backup gave it other times.
    case copied(FileVersion)
    /// It was written anew.
    case written
  }

  /// What became of the file of a message since that version of it; `holdsDrafts` says that the Maildir, `directory`, is one
  /// for drafts.
  package static func change(
    of file: ScannedFile,
    of message: BaseRecord,
    since version: FileVersion,
    in directory: Path,
    _ holdsDrafts: Bool
  ) throws(SystemError) -> Change {
    let path = file.path(in: directory)
    guard let status = try FileSystem.status(path) else { return .none }
    let now = FileVersion(status)
    guard !now.isLike(version) else { return .none }
    let isDraft = holdsDrafts || file.name.flags.contains(.draft)
    if isDraft, version == .other || now.size != version.size { return .written }
    guard let content = try MessageContents(of: path) else { return .none }
    // What tools write into a header is no part of an identity.
    let isAsLong =
      isDraft
      ? content.version.size == version.size
      : content.version.size == version.size || content.wireSize == message.size
        || message.completeness.isPartial
    let isSame = isAsLong && message.identity.map(content.holds) ?? false
    return isSame ? .copied(content.version) : .written
  }

  /// Whether it is to be recorded what drafts look like: nothing is on record of one, as where it was none before, or it looks
  /// otherwise and holds the same.
  func hasUnnotedDrafts(
    _ state: MailboxState,
    in directory: Path,
    holdsDrafts: Bool
  ) throws(SystemError) -> Bool {
    for place in files.indices where holdsDrafts || files.flags(at: place).contains(.draft) {
      guard let uid = state.uid(of: files.base(at: place)), let message = state.messages[uid],
        let file = files[message.name]
      else { continue }
      guard let version = state.versions[uid] else { return true }
      let change = try Self.change(
        of: file,
        of: message,
        since: version,
        in: directory,
        holdsDrafts
      )
      if case .copied = change { return true }
    }
    return false
  }

  /// Records fingerprints and drafts, if they stand for the map.
  ///
  /// A mailbox for drafts, which is looked at in any case, may be none in the next run.
  func recordScan(in entry: inout Summary.Entry, beside state: MailboxState) {
    entry.fingerprints = fingerprints(matching: state)
    entry.drafts = entry.fingerprints == nil ? [] : drafts(state)
  }

  /// The files marked as drafts, by UID.
  private func drafts(_ state: MailboxState) -> [DraftFile] {
    state.versions.sorted { $0.key < $1.key }.compactMap { uid, version in
      guard let message = state.messages[uid], message.flags.system.contains(.draft) else {
        return nil
      }
      return files[message.name].map { DraftFile($0, version) }
    }
  }
}
