internal import IMAP
package import MailModel

extension MessageFlags {
  /// The flags of these names, as IMAP writes them.
  package init(imapNames: [[UInt8]]) { self.init(imapNames.map { Flag(wire: $0) }) }
}

extension SystemFlags {
  /// Those of the flags, as IMAP writes them, that a file name can show.
  package init(imapNames: [[UInt8]]) { self = MessageFlags(imapNames: imapNames).system }
}
