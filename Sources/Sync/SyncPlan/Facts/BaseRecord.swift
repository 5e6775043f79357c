package import MailModel

/// One message as both sides agreed on it at the end of the last sync: a line of the map.
package struct BaseRecord: Hashable, Sendable {
  /// The message's UID under the mailbox's UIDVALIDITY.
  package var uid: UInt32
  /// The base name of the local file, without `:2,` and flags.
  package var name: [UInt8]
  /// The flags both sides had.
  package var flags: MessageFlags
  /// RFC822.SIZE in octets; nil where it is not known.
  package var size: UInt64?
  /// INTERNALDATE in seconds since 1970; nil where it is not known.
  package var date: Int64?
  /// The content, or nil where it was never read.
  package var identity: ContentIdentity?
  /// What the server's header hashes to, as in `ContentIdentity`, where it is another than the file's: some servers rewrite what
  /// they are given; nil where it is the same, or is not known.
  package var serverHeader: UInt64?
  /// How much of it the file holds; the identity of a partial file is that of the file.
  package var completeness: Completeness

  /// A record from its fields; what the file holds has no default, since it keeps messages from being lost.
  package init(
    uid: UInt32,
    name: [UInt8],
    flags: MessageFlags,
    size: UInt64? = nil,
    date: Int64? = nil,
    identity: ContentIdentity? = nil,
    serverHeader: UInt64? = nil,
    completeness: Completeness
  ) {
    self.uid = uid
    self.name = name
    self.flags = flags
    self.size = size
    self.date = date
    self.identity = identity
    self.serverHeader = serverHeader
    self.completeness = completeness
  }

  /// What its server header is where the server tells that key of the message.
  func serverHeader(by key: ContentKey) -> UInt64? {
    key.header == identity?.header ? nil : key.header
  }
}
