internal import IMAP

/// One thing to be done to a mailbox or folder as a whole.
enum FolderStep: Hashable {
  /// Make a mailbox for a folder that is only here.
  case makeThere(directory: [UInt8], path: [[UInt8]])
  /// Rename a mailbox as its folder was renamed.
  case renameThere(Summary.Entry, directory: [UInt8], path: [[UInt8]])
  /// Rename a folder as its mailbox was renamed.
  case renameHere(Summary.Entry, name: MailboxName, directory: [UInt8])
  /// Remove a mailbox whose folder was removed.
  case removeThere(Summary.Entry)
  /// Remove a folder whose mailbox was removed.
  case removeHere(Summary.Entry)
  /// Drop the record of a mailbox that is gone on both sides.
  case forget(Summary.Entry)
  /// A folder that some tool synced stands under a name that no mailbox has: whose it is, nobody knows.
  case leave(directory: [UInt8])

  /// Whether a mailbox is to be renamed.
  var isRenameThere: Bool {
    if case .renameThere = self { true } else { false }
  }
}
