internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// Removes a folder whose mailbox is no more.
struct FolderRemoval {
  private let directory: Path

  init(_ directory: Path) {
    self.directory = directory
  }

  /// Removes the folder where every file in it is one of the state's; gives whether it is gone.
  ///
  /// Folders below it stay.
  func run(_ state: MailboxState) throws(SystemError) -> Bool {
    guard let scan = try MaildirScan.scanIfPresent(directory) else { return true }
    let known = Set(state.messages.values.map(\.name))
    guard scan.isSettled, scan.oddities.isEmpty,
      scan.files.allSatisfy({ known.contains($0.name.base) })
    else { return false }
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

  private func isEmptied(_ path: Path) throws(SystemError) -> Bool {
    do {
      try FileSystem.removeDirectory(path)
      return true
    } catch {
      return error.isNotFound
    }
  }
}
