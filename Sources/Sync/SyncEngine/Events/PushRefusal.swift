package import MailStore

/// A file whose place or flags the server does not take over.
package struct PushRefusal: Hashable, Sendable {
  /// The folder in which the file lies, relative to the root of the account's Maildirs.
  package let folder: [UInt8]
  /// The base name of the file.
  package let name: [UInt8]
  /// Why it is not taken over.
  package let cause: Cause

  /// Why the server does not take it over.
  package enum Cause: Hashable, Sendable {
    /// The mailbox cannot be changed: no command was sent.
    case readOnly
    /// The server answered NO or BAD to the command.
    case refused(MailboxCommand, ServerReply)
  }

  package init(folder: [UInt8], name: [UInt8], _ cause: Cause) {
    self.folder = folder
    self.name = name
    self.cause = cause
  }
}
