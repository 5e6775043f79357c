internal import MailModel
package import Maildir
internal import MessageContent
package import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// The files of one Maildir as a scan found them, for the plan and for those who carry it out.
package struct LocalMailbox {
  /// Where each base name stands.
  package private(set) var files: OctetTable<ScannedFile>
  /// Files with the base name of another one, and that other one.
  package let duplicates: [(kept: ScannedFile, other: ScannedFile)]
  /// The scan's fingerprints; nil when the directories moved under it.
  let fingerprints: MaildirFingerprints?
  /// Whether what the scan lacks is absent.
  let isSettled: Bool
  /// Whether there is no such Maildir.
  package let isMissing: Bool

  private let header: MailboxHeader?

  /// Reads the directory.
  init(_ directory: Path, header: MailboxHeader?) throws(SystemError) {
    let scan = try MaildirScan.scan(directory)
    self.header = header
    isMissing = false
    isSettled = scan.isSettled
    duplicates = scan.oddities.compactMap {
      if case .duplicate(let kept, let other) = $0 { (kept, other) } else { nil }
    }
    files = OctetTable(minimumCapacity: scan.files.count)
    // The scan has each base name once. What Magnum itself put there is no mail of the account, even where the map
    // that says so is lost.
    for file in scan.files {
      let name = file.name.base
      if !NoticeName.isOne(name) { files[name] = file }
    }
    fingerprints =
      scan.isSettled ? MaildirFingerprints(new: scan.newFingerprint, cur: scan.curFingerprint) : nil
  }

  /// A Maildir that is not there.
  init() {
    files = OctetTable()
    duplicates = []
    fingerprints = nil
    isSettled = true
    isMissing = true
    header = nil
  }

  /// The files as the plan sees them, in the Maildir `directory`.
  ///
  /// Only names that the map lacks are searched for a key, and only files with a recorded version are looked at for
  /// changes: drafts, which are all that `holdsDrafts` has, and what was young when it was sent.
  func planned(
    beside state: MailboxState,
    in directory: Path,
    holdsDrafts: Bool
  ) throws(SystemError) -> [LocalFile] {
    let edited = try editedFiles(state, directory, holdsDrafts)
    return files.map { name, file in
      LocalFile(
        name: name,
        flags: file.name.flags,
        ownUID: state.uid(of: name) == nil ? ownUID(name) : nil,
        isDetached: state.uid(of: name) == nil && DetachedName.isOne(name),
        isEdited: edited.contains(name)
      )
    }
  }

  /// The base names of files that were written anew in their place.
  private func editedFiles(
    _ state: MailboxState,
    _ directory: Path,
    _ holdsDrafts: Bool
  ) throws(SystemError) -> OctetSet {
    var edited: OctetSet = []
    for (uid, version) in state.versions {
      guard let message = state.messages[uid], let file = files[message.name] else { continue }
      let path = file.path(in: directory)
      guard let status = try FileSystem.status(path), FileVersion(status) != version
      else { continue }
      if !holdsDrafts, !file.name.flags.contains(.draft), try holds(message, path) { continue }
      edited.insert(message.name)
    }
    return edited
  }

  /// Whether the file holds what the server has of the message, whatever its times say: a backup gives it new ones.
  ///
  /// A draft's header may change without its size, so this is no proof for one.
  private func holds(_ message: BaseRecord, _ path: Path) throws(SystemError) -> Bool {
    guard let content = try MessageContents(of: path) else { return true }
    return content.identity == message.identity && content.wireSize == message.size
  }

  /// Whether names and flags are just those of the map, so that the fingerprints stand for it.
  func equals(_ state: MailboxState) -> Bool {
    // A detached file that is gone makes no difference.
    let detached = state.detached.count { files[$0] != nil }
    guard files.count == state.messages.count + detached, duplicates.isEmpty else { return false }
    return state.messages.values.allSatisfy { record in
      files[record.name].map { $0.name.flags == record.flags.system }
        ?? false
    }
  }

  /// The scan's fingerprints if they stand for the map; nil when names differ or the directories are too young.
  func fingerprints(matching state: MailboxState) -> MaildirFingerprints? {
    guard let fingerprints, fingerprints.areReliable, equals(state) else { return nil }
    return fingerprints
  }

  /// Whether a file bears the UID of a message that the map lacks: a run was interrupted.
  func hasUnrecorded(_ state: MailboxState) -> Bool {
    files.contains { name, _ in
      guard !state.isRecorded(name), let uid = ownUID(name) else { return false }
      return state.messages[uid] == nil
    }
  }

  /// Whether a file has the name of a detached one, and may be another one by now.
  func hasDetached(_ state: MailboxState) -> Bool {
    state.detached.contains { files[$0] != nil }
  }

  /// Whether a file bears the UID of a message that went from both sides: an older copy was put here.
  ///
  /// Files that are accounted for do not count, and those in `moved` came back from another mailbox.
  func hasRevived(
    _ state: MailboxState,
    gone view: RemoteView,
    but moved: OctetSet
  ) -> Bool {
    let pending = state.pendingNames
    var unrecorded: [UInt32] = []
    for (name, _) in files where !state.isRecorded(name) && !DetachedName.isOne(name) {
      guard !pending.contains(name), !moved.contains(name), let uid = ownUID(name),
        state.messages[uid] == nil, uid < state.header.uidNext
      else { continue }
      unrecorded.append(uid)
    }
    guard !unrecorded.isEmpty else { return false }
    let remote = RemoteIndex(view)
    return unrecorded.contains(where: remote.isGone)
  }

  /// The files that bear a UID of this mailbox of which the map knows nothing.
  func strangers(beside state: MailboxState) -> [[UInt8]] {
    let pending = state.pendingNames
    return files.compactMap { name, _ in
      guard !state.isRecorded(name), !pending.contains(name), !DetachedName.isOne(name),
        let uid = ownUID(name), state.messages[uid] == nil
      else { return nil }
      return name
    }
  }

  /// Whether the name of a file says that it is a message of another mailbox, and no record knows better.
  func hasForeignKeys(beside state: MailboxState?, of mailbox: UInt64) -> Bool {
    files.contains { name, _ in
      guard state?.isRecorded(name) != true, !DetachedName.isOne(name),
        let key = MessageKey(baseName: name)
      else { return false }
      return key.mailbox != mailbox
    }
  }

  private func ownUID(_ name: [UInt8]) -> UInt32? {
    guard let header, let key = MessageKey(baseName: name), key.mailbox == header.id,
      key.validity == header.validity
    else { return nil }
    return key.uid
  }
}
