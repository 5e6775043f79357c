internal import Maildir
internal import Platform
internal import SyncPlan

/// The files of one Maildir as a scan found them, for the plan and for those who carry it out.
struct LocalMailbox {
  /// Where each base name stands.
  private(set) var files: [[UInt8]: ScannedFile]
  /// The scan's stamps; nil when the directories moved under it.
  let stamps: MaildirStamps?
  /// Whether what the scan lacks is absent.
  let isSettled: Bool

  private let header: MailboxHeader?

  /// Reads the directory.
  init(_ directory: Path, header: MailboxHeader?) throws(SystemError) {
    let scan = try MaildirScan.scan(directory)
    self.header = header
    isSettled = scan.isSettled
    files = Dictionary(minimumCapacity: scan.files.count)
    for file in scan.files where files[file.name.base] == nil { files[file.name.base] = file }
    stamps = scan.isSettled ? MaildirStamps(new: scan.stampNew, cur: scan.stampCur) : nil
  }

  /// A Maildir that is not there.
  init() {
    files = [:]
    stamps = nil
    isSettled = true
    header = nil
  }

  /// The files as the plan sees them; only names that the map lacks are searched for a key.
  func planned(beside state: MailboxState) -> [LocalFile] {
    let known = Set(state.messages.values.map(\.name))
    return files.map { name, file in
      LocalFile(
        name: name,
        flags: FlagTranslation.flags(file.name.flags),
        ownUID: known.contains(name) ? nil : ownUID(name)
      )
    }
  }

  /// Whether names and flags are just those of the map, so that the stamps stand for it.
  func equals(_ state: MailboxState) -> Bool {
    guard files.count == state.messages.count + state.orphans.count else { return false }
    return state.messages.values.allSatisfy { record in
      files[record.name].map { FlagTranslation.flags($0.name.flags) == record.flags.system }
        ?? false
    } && state.orphans.allSatisfy { files[$0] != nil }
  }

  /// The scan's stamps if they stand for the map; nil when names differ or the directories are too young.
  func stamps(matching state: MailboxState) -> MaildirStamps? {
    guard let stamps, stamps.areReliable, equals(state) else { return nil }
    return stamps
  }

  /// Whether a file bears the UID of a message that the map lacks: a run was interrupted.
  func hasUnrecorded(_ state: MailboxState) -> Bool {
    let known = Set(state.messages.values.map(\.name)).union(state.orphans)
    return files.keys.contains { name in
      guard !known.contains(name), let uid = ownUID(name) else { return false }
      return state.messages[uid] == nil
    }
  }

  private func ownUID(_ name: [UInt8]) -> UInt32? {
    guard let header, let key = MessageKey(baseName: name), key.mailbox == header.id,
      key.validity == header.validity
    else { return nil }
    return key.uid
  }
}
