package import MailStore
package import Maildir
internal import Octets
package import Platform
internal import SyncState

/// Tells which files are accounted for by a record of the mailbox in whose Maildir they lie.
///
/// Two messages may have files of one base name, in two Maildirs: what a record there names is that message's, and says
/// nothing about the other.
package final class RecordedFiles {
  private let trees: [FolderTree]
  private let group: [Path: OpenMailbox]
  private var states: [Path: MailboxState?] = [:]

  /// The records of all accounts whose Maildirs lie below `trees`; those of the group as they are at each moment.
  package init(_ trees: [FolderTree], _ group: [OpenMailbox]) {
    self.trees = trees
    self.group = group.keyed(by: \.directory)
  }

  /// Whether a message on record has the file of that base name in that Maildir.
  package func accountsFor(_ name: [UInt8], in directory: Path) throws(SyncFailure) -> Bool {
    if let open = group[directory] { return open.state.uid(of: name) != nil }
    return try state(of: directory)?.uid(of: name) != nil
  }

  /// Whether the file of that base name in that Maildir is on record there, as a message's or as a detached one.
  func knows(_ name: [UInt8], in directory: Path) throws(SyncFailure) -> Bool {
    if let open = group[directory] { return open.state.isRecorded(name) }
    return try state(of: directory)?.isRecorded(name) ?? false
  }

  /// What is recorded of the mailbox of a Maildir outside the group; nil where nothing is.
  func state(of directory: Path) throws(SyncFailure) -> MailboxState? {
    if let known = states[directory] { return known }
    let state = try attempt(read(directory))
    states[directory] = .some(state)
    return state
  }

  private func read(_ directory: Path) throws(SystemError) -> MailboxState? {
    guard let owner = try OwnershipMarker(directory).owner() else { return nil }
    for tree in trees {
      let store = StateStore(root: tree.root, layout: tree.layout)
      guard let state = try store.state(of: owner) else { continue }
      // A copy of the directory bears the same marker.
      if tree.path(of: state.header.directory) == directory { return state }
    }
    return nil
  }
}
