package import MailStore

/// A file whose place or flags the server does not take over.
package struct PushRefusal: Hashable, Sendable {
  /// The folder in which the file lies, relative to the root of the account's Maildirs.
  package let folder: [UInt8]
  /// The base name of the file.
  package let name: [UInt8]
  /// The command that the server refused; empty where none was sent.
  package let command: String
  /// The server's answer; nil where no command was sent, since nobody may change the mailbox.
  package let reply: ServerReply?

  init(_ mailbox: OpenMailbox, _ name: [UInt8], _ command: String, _ reply: ServerReply?) {
    folder = mailbox.mailbox.directory
    self.name = name
    self.command = command
    self.reply = reply
  }
}
