package import SyncPlan

/// What the octets of a message on the server were found to be.
package struct WireContent: Hashable, Sendable {
  /// All its octets.
  package let digest: WireDigest
  /// Its Message-ID, header and body.
  package let identity: ContentIdentity

  package init(digest: WireDigest, identity: ContentIdentity) {
    self.digest = digest
    self.identity = identity
  }
}

/// The messages of a mailbox, as far as they are known.
package struct PresentMessages: Sendable {
  /// The UIDs of all of them, none twice.
  package var uids: [UInt32]
  /// The hashes of their Message-IDs, by UID, 0 for a message without one, as far as they were asked for.
  package var identifiers: [UInt32: UInt64]
  /// What they hold, by UID, as far as they were fetched.
  package var contents: [UInt32: WireContent]

  package init(
    _ uids: [UInt32],
    identifiers: [UInt32: UInt64] = [:],
    contents: [UInt32: WireContent] = [:]
  ) {
    self.uids = uids
    self.identifiers = identifiers
    self.contents = contents
  }
}
