internal import MailModel
internal import MailStore
internal import Maildir
internal import Platform

/// Makes mailboxes for folders.
struct FolderMaking {
  private let context: FolderContext
  private let store: any MailStore
  private let folderState: FolderState

  init(_ context: FolderContext, _ store: any MailStore, _ folderState: FolderState) {
    self.context = context
    self.store = store
    self.folderState = folderState
  }

  /// Makes the mailbox of a path; gives its name where it is there, and whether it was there before.
  func makeMailbox(
    _ name: MailboxName?,
    _ directory: [UInt8],
    _ path: [[UInt8]]
  ) throws(SyncFailure) -> (name: MailboxName, isOld: Bool)? {
    guard let name else {
      folderState.report(path, .mailbox(.unusableNameThere))
      return nil
    }
    try marker(directory)
    switch try store.create(name) {
    case .made: return (name, false)
    case .existed: return (name, true)
    case .refused(let reply):
      folderState.report(path, .commandRefused(.create, reply))
      return nil
    }
  }

  /// Before the mailbox is made: what lies in a folder with a marker of its own and bears the key of another mailbox was never
  /// in this one, and is uploaded.
  private func marker(_ directory: [UInt8]) throws(SyncFailure) {
    let marker = OwnershipMarker(context.tree.path(of: directory))
    try attempt { () throws(SystemError) in
      if try marker.readableOwner() == nil { try marker.set(MailboxID.random()) }
    }
  }
}
