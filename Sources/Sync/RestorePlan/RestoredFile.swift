package import MailModel
package import SyncPlan

/// A message file as a restore read it.
package struct RestoredFile: Hashable, Sendable {
  /// All its octets.
  package let digest: WireDigest
  /// Its Message-ID, header and body.
  package let identity: ContentIdentity
  /// The hash of From, Date and Subject.
  package let headerKey: UInt64
  /// Octets on the wire.
  package let wireSize: UInt64
  /// When the file was last changed, in seconds since 1970: the date of the message.
  package let date: Int64
  /// The flags of its name and its keywords.
  package let flags: MessageFlags

  package init(
    digest: WireDigest,
    identity: ContentIdentity,
    headerKey: UInt64,
    wireSize: UInt64,
    date: Int64,
    flags: MessageFlags
  ) {
    self.digest = digest
    self.identity = identity
    self.headerKey = headerKey
    self.wireSize = wireSize
    self.date = date
    self.flags = flags
  }
}
