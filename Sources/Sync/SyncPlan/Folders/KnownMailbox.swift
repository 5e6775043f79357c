package import MailModel

/// A mailbox on record.
package struct KnownMailbox: Hashable, Sendable {
  /// The mailbox's own id, which its folder and files bear.
  package var id: UInt64
  /// The server's name as of the last run.
  package var name: MailboxName
  /// Its folder, relative to the account's root.
  package var directory: [UInt8]
  /// Which mailbox of the server it is.
  package var identity: MailboxIdentity
  /// Messages from this UID on were never looked at; nil when that is unknown.
  package var uidNext: UInt32?
  /// How many messages it has.
  package var messages: Int
  /// The directory `cur` of its folder as the last run saw it; nil where that is not known.
  package var cur: FileIdentity?

  package init(
    id: UInt64,
    name: MailboxName,
    directory: [UInt8],
    identity: MailboxIdentity,
    uidNext: UInt32?,
    messages: Int,
    cur: FileIdentity? = nil
  ) {
    self.id = id
    self.name = name
    self.directory = directory
    self.identity = identity
    self.uidNext = uidNext
    self.messages = messages
    self.cur = cur
  }
}
