package import MailModel
internal import Octets
package import SyncState

/// A mailbox under the names that mbsync has for both of its sides, levels divided by slashes.
package struct MbsyncBox: Hashable {
  /// The mailbox, in modified UTF-7.
  package let far: [UInt8]
  /// The folder.
  package let near: [UInt8]

  /// Whether a pattern finds both.
  var hasOneName: Bool { far == near }

  /// Takes what is recorded of a mailbox.
  package init(_ header: MailboxHeader, layout: FolderLayout) {
    let directory = layout == .verbatim ? header.directory : Self.undotted(header.directory)
    near = directory
    let levels = directory.split(separator: ASCII.slash).map {
      ModifiedUTF7.encode($0) ?? [UInt8]($0)
    }
    let encoded = Array(levels.joined(separator: [ASCII.slash]))
    // What is a delimiter there only the server knows; where the folder has the mailbox's name, it is known.
    far = Self.normal(encoded) == Self.normal(header.mailbox) ? encoded : header.mailbox
  }

  /// `.Lists.swift` as `Lists/swift`; the root is the inbox.
  private static func undotted(_ directory: [UInt8]) -> [UInt8] {
    guard !directory.isEmpty else { return Array("INBOX".utf8) }
    return directory.drop { $0 == ASCII.dot }.map { $0 == ASCII.dot ? ASCII.slash : $0 }
  }

  private static func normal(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 == ASCII.dot ? ASCII.slash : $0 }
  }
}
