package import MailModel
internal import Octets
package import SyncState

/// A mailbox under the names that mbsync has for both of its sides, levels divided by slashes.
package struct MbsyncBox: Hashable {
  /// The mailbox, in modified UTF-7.
  package let far: [UInt8]
  /// The folder.
  package let near: [UInt8]
  /// Whether the mailbox lies outside of the server's prefix, where its name is a whole one.
  package let isOutside: Bool
  /// The names by which the configuration means it, that of the folder first.
  package let names: [[UInt8]]

  /// Whether a pattern finds both.
  var hasOneName: Bool { far == near && !isOutside }

  /// Takes what is recorded of a mailbox; nil where mbsync cannot have its name.
  package init?(
    _ header: MailboxHeader,
    _ names: ServerNames,
    _ folders: MbsyncFolderStyle,
    here: MailboxNames = .plain
  ) {
    let below = names.levelsBelowPrefix(header.mailbox)
    let levels = below ?? names.levels(header.mailbox)
    isOutside = below == nil
    // A slash divides levels there whatever the server has.
    guard levels.allSatisfy({ !$0.isEmpty && !$0.contains(ASCII.slash) }),
      let near = folders.name(of: header.directory)
    else { return nil }
    let isInbox = header.mailbox.equalsCaseless("INBOX")
    far = isInbox ? Array("INBOX".utf8) : Array(levels.joined(separator: [ASCII.slash]))
    self.near = near
    self.names = here.forms(of: here.name(of: names.decoded(header.mailbox)))
  }
}
