internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Detaches a folder whose mailbox is no more.
struct FolderDetaching {
  private let directory: Path
  private let mailbox: UInt64
  private let state: MailboxState?

  /// The folder of a mailbox; the state is nil where it is lost, and only the names of files tell.
  init(_ directory: Path, of mailbox: UInt64, _ state: MailboxState?) {
    self.directory = directory
    self.mailbox = mailbox
    self.state = state
  }

  /// Has the names of all files say so that were on the server, and then the marker of the folder; durable when it
  /// returns.
  ///
  /// What was not on the server, as far as records and keys tell, keeps its name. A run that is ended in the midst of it
  /// is followed by one that does the rest.
  func run() throws(SystemError) {
    var keywords = try KeywordFile.of(directory)
    for file in try MaildirScan.scan(directory).files {
      let base = file.name.base
      guard wasSynced(base), !NoticeName.isOne(base), !DetachedName.isOne(base) else { continue }
      let name = file.name.with(base: DetachedName.base(base))
      let target = file.subdirectory.path(in: directory).appending(name.octets)
      try FileSystem.renameWithoutReplacing(file.path(in: directory), to: target)
      keywords.set(keywords[base: base], of: name.base)
      keywords.set([], of: base)
    }
    for subdirectory in [Subdirectory.new, .cur] {
      try FileSystem.synchroniseDirectory(subdirectory.path(in: directory))
    }
    _ = try keywords.write(in: directory)
    try OwnershipMarker(directory).setDetached()
  }

  private func wasSynced(_ base: [UInt8]) -> Bool {
    state?.isRecorded(base) == true || MessageKey(baseName: base)?.mailbox == mailbox
  }
}
