package import MailModel

/// A difference between a mirror and its server.
package struct MirrorDifference: Hashable, Sendable {
  /// Which side changed since both agreed.
  package enum Side: String, Hashable, Sendable {
    case here, server, both
  }

  /// Why the messages of a mailbox cannot be compared with files.
  package enum Obstacle: String, Hashable, Sendable {
    /// No sync has seen the mailbox yet.
    case notMirrored = "not-mirrored"
    /// What is recorded of it is damaged.
    case damagedRecord = "damaged-record"
    /// Its folder is gone.
    case folderMissing = "folder-missing"
    /// Its UIDVALIDITY is another one than is recorded.
    case validityChanged = "validity-changed"
    /// The server has it no more.
    case goneFromServer = "gone-from-server"
    /// Its folder holds no mail, and the server never had it.
    case onlyHere = "only-here"
  }

  /// What differs.
  package enum Kind: Hashable, Sendable {
    /// The mailbox as a whole.
    case mailbox(Obstacle)
    /// The message has a record, and its file is gone.
    case fileMissing
    /// The server has the message, and nothing is recorded of it.
    case notFetched
    /// The server has the message no more, and its file is here.
    case goneFromServer
    /// The server has the message no more, and its file is gone too; the record is left.
    case goneOnBothSides
    /// Nothing is recorded of the file.
    case unknownFile
    /// Another file in the folder has its base name.
    case namesake
    /// It is a link, pipe or directory in the place of a file.
    case noFile
    /// The name of the file has nothing before the colon.
    case noName
    /// The name of the file shows other flags than the server.
    case flags(here: SystemFlags, there: SystemFlags, changed: Side)
    /// The server has other keywords than the message has here.
    case keywords(here: [[UInt8]], there: [[UInt8]])
    /// The server tells another size of the message than is recorded, in octets.
    case size(recorded: UInt64, there: UInt64)
    /// The server tells another date of the message than is recorded, in seconds since 1970.
    case date(recorded: Int64, there: Int64)
    /// The file does not hold what both sides agreed on.
    case content
    /// The file holds other octets than the message that was fetched to be compared.
    case octets
    /// The server lists the message, and does not give it.
    case notGiven
    /// The file cannot be read, for this reason.
    case unreadable(String)
  }

  /// The message; nil for a file of which nothing is recorded.
  package let uid: UInt32?
  /// The base name of the file; nil for a message that has none.
  package let name: [UInt8]?
  /// What differs.
  package let kind: Kind

  package init(uid: UInt32?, name: [UInt8]?, _ kind: Kind) {
    self.uid = uid
    self.name = name
    self.kind = kind
  }
}
