package import Maildir
internal import MailModel
package import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// The files of one Maildir as a scan found them, for the plan and for those who carry it out.
package struct LocalMailbox {
  /// The files, each base name once.
  package let files: FileTable
  /// Files with the base name of another one, and that other one.
  package let duplicates: [(kept: ScannedFile, other: ScannedFile)]
  /// The scan's fingerprints; nil when the directories moved under it.
  let fingerprints: MaildirFingerprints?
  /// Whether a change since the scan is sure to have changed the fingerprints.
  let isReliable: Bool
  /// Whether what the scan lacks is absent.
  let isSettled: Bool
  /// The base names of what is no regular file, such as symbolic links.
  package let misfits: OctetSet
  /// Whether there is no such Maildir.
  package let isMissing: Bool

  /// The header of the record by which keys in names are read; nil where there is no record.
  var header: MailboxHeader?

  /// Reads the directory, in which most files have the names of that state.
  init(_ directory: Path, beside state: MailboxState?) throws(SystemError) {
    Memory.makeRoom(forMessages: state?.messages.count ?? 0)
    let scan =
      if let state {
        try MaildirScan.scan(directory, knowing: state.messages.knownNames)
      } else {
        try MaildirScan.scan(directory)
      }
    header = state?.header
    isMissing = false
    isSettled = scan.isSettled
    let found = scan.oddities.compactMap { oddity -> (kept: ScannedFile, other: ScannedFile)? in
      if case .duplicate(let kept, let other) = oddity { (kept, other) } else { nil }
    }
    misfits = OctetSet(
      scan.oddities.compactMap { oddity -> [UInt8]? in
        if case .notAFile(let file, _) = oddity { file.name.base } else { nil }
      }
    )
    let choice = state.map { DuplicateNames(in: directory, by: $0) }
    duplicates = choice?.settled(found) ?? found
    // What Magnum itself put there is no mail of the account, even where the map that says so is lost.
    files = scan.files.keeping(duplicates.map(\.kept)).withoutNotices
    fingerprints =
      scan.isSettled ? MaildirFingerprints(new: scan.newFingerprint, cur: scan.curFingerprint) : nil
    isReliable = scan.isSettled && scan.isReliable
  }

  /// A Maildir that is not there.
  init() {
    files = FileTable()
    duplicates = []
    misfits = []
    fingerprints = nil
    isReliable = false
    isSettled = true
    isMissing = true
    header = nil
  }

  /// The files in these positions as the plan sees them, in the Maildir `directory`.
  ///
  /// Only names that the map lacks are searched for a key. Only files with a recorded version are looked at for changes: all
  /// files where `holdsDrafts` is true, and those that were young when they were uploaded.
  func planned(
    _ positions: [Int],
    beside state: MailboxState,
    in directory: Path,
    holdsDrafts: Bool
  ) throws(SystemError) -> [LocalFile] {
    let edited = try editedFiles(state, directory, holdsDrafts)
    return positions.map { position in
      let name = files.base(at: position)
      let isUnknown = state.uid(of: name) == nil
      return LocalFile(
        name: name,
        flags: files.flags(at: position),
        ownUID: isUnknown ? ownUID(name, beside: state) : nil,
        isDetached: isUnknown && DetachedName.isOne(name),
        isEdited: edited.contains(name)
      )
    }
  }

  /// Whether names and flags are just those of the map, so that the fingerprints stand for it.
  func equals(_ state: MailboxState) -> Bool {
    // A detached file that is gone makes no difference.
    let detached = state.detached.count { files.contains(base: $0) && state.uid(of: $0) == nil }
    guard !state.messages.sharesNames, duplicates.isEmpty,
      files.count == state.messages.count + detached
    else { return false }
    var positions = state.messages.positions(in: files)[...]
    var isEqual = true
    state.messages.forEachMessage { _, flags in
      guard let position = positions.popFirst(), position != FileTable.absent else {
        isEqual = false
        return
      }
      isEqual = isEqual && files.flags(at: Int(position)) == flags
    }
    return isEqual
  }

  /// The scan's fingerprints if they stand for the map; nil when names differ or the directories were too young.
  func fingerprints(matching state: MailboxState) -> MaildirFingerprints? {
    guard isReliable, equals(state) else { return nil }
    return fingerprints
  }

  /// The base names of files that are neither a message's nor detached.
  func unrecorded(_ difference: NameDifference, _ state: MailboxState) -> [[UInt8]] {
    difference.unmatched.map { files.base(at: $0) }.filter { !state.detached.contains($0) }
  }

  /// The UIDs that the names of files with these flags give them in this mailbox, of those that are no message's.
  func ownUIDs(_ difference: NameDifference, flagged flags: SystemFlags = []) -> [UInt32] {
    difference.unmatched.compactMap { position in
      files.flags(at: position).isSuperset(of: flags) ? ownUID(files.base(at: position)) : nil
    }
  }

  /// Whether a file bears the UID of a message that the map lacks: a run was interrupted.
  func hasUnrecorded(_ difference: NameDifference, _ state: MailboxState) -> Bool {
    unrecorded(difference, state).contains { name in
      guard let uid = ownUID(name) else { return false }
      return !state.messages.contains(uid)
    }
  }

  /// Whether a file has the name of a detached one, and may be another one by now.
  func hasDetached(_ state: MailboxState) -> Bool {
    state.detached.contains { files.contains(base: $0) }
  }

  /// Whether a file bears the UID of a message that went from both sides: an older copy was put here.
  ///
  /// Files that are accounted for do not count, and those in `moved` came back from another mailbox.
  func hasRevived(
    _ difference: NameDifference,
    _ state: MailboxState,
    gone view: RemoteView,
    but moved: OctetSet
  ) -> Bool {
    let unrecorded = strangers(difference, state).filter { name, uid in
      !moved.contains(name) && state.header.isBelowNext(uid)
    }
    guard !unrecorded.isEmpty else { return false }
    let remote = RemoteIndex(view)
    return unrecorded.contains { remote.isGone($0.uid) }
  }

  /// The files that bear a UID of this mailbox of which the map knows nothing, and that UID.
  func strangers(
    _ difference: NameDifference,
    _ state: MailboxState
  ) -> [(name: [UInt8], uid: UInt32)] {
    let pending = state.pendingNames
    return unrecorded(difference, state).compactMap { name in
      guard !pending.contains(name), !DetachedName.isOne(name), let uid = ownUID(name),
        !state.messages.contains(uid)
      else { return nil }
      return (name, uid)
    }
  }

  /// Whether the name of a file says that it is a message of another mailbox, and no record knows better; without records
  /// every file counts.
  func hasForeignKeys(beside known: (NameDifference, MailboxState)?, of mailbox: UInt64) -> Bool {
    let names = known.map { unrecorded($0, $1) } ?? files.bases
    return names.contains { name in
      guard !DetachedName.isOne(name), let key = MessageKey(baseName: name) else { return false }
      return key.mailbox != mailbox
    }
  }

  /// Whether there are files that no record knows; without records every file counts.
  func hasAdditions(beside known: (NameDifference, MailboxState)?) -> Bool {
    known.map { !unrecorded($0, $1).isEmpty } ?? !files.isEmpty
  }

  /// The UID in the name of an unmatched file.
  ///
  /// Nil where that message has a file of its own: then this one is a copy that came from elsewhere under its name.
  private func ownUID(_ name: [UInt8], beside state: MailboxState) -> UInt32? {
    guard let uid = ownUID(name) else { return nil }
    return state.messages[uid].map { files.contains(base: $0.name) } ?? false ? nil : uid
  }

  private func ownUID(_ name: [UInt8]) -> UInt32? {
    guard let header, let key = MessageKey(baseName: name), key.mailbox == header.id,
      key.validity == header.validity
    else { return nil }
    return key.uid
  }
}

/// What the base names of a Maildir's files and those on record of its mailbox do not have in common: nearly nothing, most
/// of the time.
struct NameDifference {
  /// The messages whose file is not here, by UID, from the lowest.
  let fileless: [UInt32]
  /// The positions of files that are no message's; detached ones are among them.
  let unmatched: [Int]
  /// The positions of the files of all messages, from the lowest UID; `FileTable.absent` for those without one.
  private let positions: [UInt32]

  init(_ files: FileTable, _ state: MailboxState) {
    positions = state.messages.positions(in: files)
    var isMatched = [Bool](repeating: false, count: files.count)
    for position in positions where position != FileTable.absent { isMatched[Int(position)] = true }
    let hasFileless = positions.contains(FileTable.absent)
    let uids = hasFileless ? state.messages.keys : []
    fileless = zip(uids, positions).filter { $1 == FileTable.absent }.map(\.0)
    // Of two messages with one name just one has the file, and none where that one is forgotten.
    if state.messages.sharesNames {
      for position in files.indices {
        isMatched[position] = files.withBase(at: position) { state.messages.uid(of: $0) } != nil
      }
    }
    unmatched = isMatched.indices.filter { !isMatched[$0] }
  }

  /// Where the file of the message stands that is the `number`th on record, from 0 for the lowest UID; nil where it has none.
  func position(ofMessage number: Int) -> Int? {
    positions[number] == FileTable.absent ? nil : Int(positions[number])
  }
}
