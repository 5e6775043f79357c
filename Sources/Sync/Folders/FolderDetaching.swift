internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Detaches a folder whose mailbox is no more.
struct FolderDetaching {
  /// How often files are looked for that a mail program renamed meanwhile.
  private static let passLimit = 5

  private let directory: Path
  private let mailbox: UInt64
  private let state: MailboxState?
  private let account: Path

  /// The folder of a mailbox.
  ///
  /// The state is nil where it is lost, and only the names of files tell; `account` is the directory of the account's own
  /// files.
  init(_ directory: Path, of mailbox: UInt64, _ state: MailboxState?, account: Path) {
    self.directory = directory
    self.mailbox = mailbox
    self.state = state
    self.account = account
  }

  /// Has the names of all files say so that were on the server, and then the marker of the folder; durable when it
  /// returns.
  ///
  /// What was not on the server, as far as records and keys tell, keeps its name. Keywords and tags are recorded under both
  /// names before the first file is renamed, so that the next run can finish an interrupted one.
  func detachFiles() throws(SystemError) {
    var passes = 0
    var files = try unmarked()
    while !files.isEmpty {
      let renames = files.map { (from: $0.name.base, to: DetachedName.base($0.name.base)) }
      try FolderTags.copy(renames, in: directory, state: account)
      passes += 1
      for file in files { try mark(file, isLast: passes == Self.passLimit) }
      files = try unmarked()
    }
    for subdirectory in [Subdirectory.new, .cur] {
      try FileSystem.synchroniseDirectory(subdirectory.path(in: directory))
    }
    let names = OctetSet(try MaildirScan.scan(directory).files.map(\.name.base))
    try FolderTags.forget(in: directory, state: account) { base in
      !names.contains(base) && names.contains(DetachedName.base(base))
    }
    try OwnershipMarker(directory).setDetached()
  }

  /// The files that were on the server, and whose names do not say that they are detached.
  private func unmarked() throws(SystemError) -> [ScannedFile] {
    try MaildirScan.scan(directory).files.filter { file in
      let base = file.name.base
      return wasSynced(base) && !NoticeName.isOne(base) && !DetachedName.isOne(base)
    }
  }

  private func wasSynced(_ base: [UInt8]) -> Bool {
    state?.isRecorded(base) == true || MessageKey(baseName: base)?.mailbox == mailbox
  }

  /// A mail program may have renamed the file since it was seen: then the next pass finds it.
  private func mark(_ file: ScannedFile, isLast: Bool) throws(SystemError) {
    do throws(SystemError) {
      _ = try DetachedFile.mark(file, in: directory)
    } catch {
      guard error.isNotFound, !isLast else { throw error }
    }
  }
}
