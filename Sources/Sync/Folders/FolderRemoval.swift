internal import MailModel
internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// Removes a folder whose mailbox is no more.
struct FolderRemoval {
  private let directory: Path

  init(_ directory: Path) {
    self.directory = directory
  }

  /// Removes the folder where every file in it is one of the state's, was not flagged since, and holds what it held then;
  /// gives whether it is gone.
  ///
  /// Folders below it stay.
  func removeFolder(_ state: MailboxState) throws(SystemError) -> Bool {
    guard let scan = try MaildirScan.scanIfPresent(directory) else { return true }
    guard scan.isSettled, scan.oddities.isEmpty else { return false }
    for file in scan.files where try !isUnchanged(file, state) { return false }
    for file in scan.files { try FileSystem.remove(file.path(in: directory)) }
    for subdirectory in Subdirectory.allCases {
      let path = subdirectory.path(in: directory)
      guard try isEmptied(path) else { return false }
    }
    try KeywordFile.remove(in: directory)
    try TagFile().write(in: directory)
    try OwnershipMarker(directory).remove()
    // What else is kept there stays.
    try? FileSystem.removeDirectory(directory)
    try FileSystem.synchroniseDirectory(directory.parent)
    return true
  }

  private func isUnchanged(_ file: ScannedFile, _ state: MailboxState) throws(SystemError) -> Bool {
    guard let uid = state.uid(of: file.name.base), let message = state.messages[uid],
      message.flags.system.contains(.flagged) || !file.name.flags.contains(.flagged)
    else { return false }
    // Another program may just have renamed it.
    guard let content = try MessageContents(of: file.path(in: directory)) else { return false }
    if let version = state.versions[uid], version.size != content.version.size { return false }
    // Of a part that is left out nothing can be lost: the record has what the file holds, of a whole message its size at least.
    return message.identity.map(content.holds)
      ?? (!message.completeness.isPartial && content.wireSize == message.size)
  }

  private func isEmptied(_ path: Path) throws(SystemError) -> Bool {
    do {
      try FileSystem.removeDirectory(path)
      return true
    } catch {
      return error.isNotFound
    }
  }
}
