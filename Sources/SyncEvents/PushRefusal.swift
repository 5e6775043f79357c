package import MailStore

/// A file whose place or flags the server does not take over.
package struct PushRefusal: Hashable, Sendable {
  /// The folder in which the file lies, relative to the root of the account's Maildirs.
  package let folder: [UInt8]
  /// The base name of the file.
  package let name: [UInt8]
  /// The command that the server refused; empty where none was sent.
  package let command: String
  /// The server's answer; nil where no command was sent, since the mailbox cannot be changed.
  package let reply: ServerReply?

  /// A refusal from its parts.
  package init(folder: [UInt8], name: [UInt8], command: String, reply: ServerReply?) {
    self.folder = folder
    self.name = name
    self.command = command
    self.reply = reply
  }
}
